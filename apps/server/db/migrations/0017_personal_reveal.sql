-- Up Migration

-- Each time a person was shown a value that is masked everywhere else: which one, why, and until when.
create table personal_reveal (
  id bigint primary key generated always as identity,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  user_id bigint not null,
  kind text not null,
  row_id bigint not null,
  field text not null,
  reason text not null check (length(reason) between 2 and 100),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  foreign key (user_id, organise_id) references user_account (id, organise_id)
);
create index personal_reveal_of_user on personal_reveal (user_id, created_at);
call app.secure_tenant_table('personal_reveal');
call app.audit_table('personal_reveal');
grant select, insert on personal_reveal to wattdeck_api;

-- Down Migration
drop table personal_reveal;
