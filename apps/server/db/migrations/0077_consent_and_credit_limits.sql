-- Up Migration

-- A member whose charge is started at the counter agrees by a code that goes to the member's own phone.
alter table sms_code
  alter column user_id drop not null,
  add column member_id bigint,
  add foreign key (member_id, organise_id) references member (id, organise_id),
  add constraint sms_code_owner check (num_nonnulls(user_id, member_id) = 1),
  drop constraint sms_code_purpose_check,
  add constraint sms_code_purpose_check check (purpose in ('login', 'reset', 'bind', 'charge'));

-- What was credited by hand on a day, by one person and in one organisation.
create index balance_adjustment_day on balance_adjustment (organise_id, created_at) where direction = 1;

-- Down Migration

drop index balance_adjustment_day;
delete from sms_code where purpose = 'charge';
alter table sms_code
  drop constraint sms_code_purpose_check,
  add constraint sms_code_purpose_check check (purpose in ('login', 'reset', 'bind')),
  drop column member_id,
  alter column user_id set not null;
