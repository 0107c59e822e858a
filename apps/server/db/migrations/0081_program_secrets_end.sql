-- Up Migration

-- A replaced secret ends by itself, and a program may be bound to the networks it calls from; none named: from anywhere.
alter table open_app add column old_until timestamptz, add column networks cidr[] not null default '{}';
update open_app set old_until = now() + interval '1 day' where old_secret_sealed is not null;
alter table open_app add check ((old_secret_sealed is null) = (old_until is null));

-- Down Migration
alter table open_app drop column old_until, drop column networks;
