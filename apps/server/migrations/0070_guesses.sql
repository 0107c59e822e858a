-- Up Migration

-- Guesses at passwords and second factors are counted here, before they are judged, for names that nobody has as well. So
-- they must survive a crash of the database, and the counters in the account and the session are not needed.
alter table attempt set logged;
alter table user_account drop column failed_logins;
alter table session drop column second_factor_tries;

-- Down Migration

alter table session add column second_factor_tries smallint not null default 0;
alter table user_account add column failed_logins int not null default 0;
alter table attempt set unlogged;
