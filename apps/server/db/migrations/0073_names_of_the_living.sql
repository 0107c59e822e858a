-- Up Migration

-- A name or phone is taken by accounts that are there, not by those that were removed: nobody can register the name that a
-- removed account would get, and so keep it from being removed. The names stay those by which a conflict is told.
alter table user_account drop constraint user_account_login_name_key;
alter table user_account drop constraint user_account_phone_key;
create unique index user_account_login_name_key on user_account (login_name) where deleted_at is null;
create unique index user_account_phone_key on user_account (phone) where deleted_at is null;

-- Down Migration

drop index user_account_login_name_key;
drop index user_account_phone_key;
alter table user_account add constraint user_account_login_name_key unique (login_name);
alter table user_account add constraint user_account_phone_key unique (phone);
