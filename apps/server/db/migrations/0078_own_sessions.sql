-- Up Migration

-- How a session was opened, and by what its second factor was proven, for its owner to see.
alter table session
  add column opened_by text not null default 'password' check (opened_by in ('password', 'sms', 'link')),
  add column factor text check (factor in ('totp', 'passkey', 'recovery'));

-- A password that another person set ends at this time, and with its first login.
alter table user_account
  add column first_password_ends_at timestamptz not null default now() + interval '72 hours';

-- Down Migration

alter table user_account drop column first_password_ends_at;
alter table session drop column factor, drop column opened_by;
