-- Up Migration
-- no transaction

-- Apps of members and keys of the open interface, maintained in the console by an organisation itself.
alter table member_app add column if not exists status smallint not null default 1 check (status in (0, 1));
alter table member_app add column if not exists theme_color text check (theme_color ~ '^#[0-9a-f]{6}$');
alter table member_app add column if not exists hotline text check (length(hotline) between 5 and 20);
alter table member_app add column if not exists domain text check (length(domain) between 3 and 100);
alter table member_app add column if not exists created_by text;
alter table member_app add column if not exists updated_at timestamptz not null default now();
alter table open_app add column if not exists created_by text;

-- An AppID is public. Unique across organisations, one organisation could register it to keep the other from doing so.
create unique index concurrently if not exists member_app_of_organise on member_app (organise_id, app_id);
alter table member_app drop constraint if exists member_app_app_id_key;

create index concurrently if not exists open_app_of_organise on open_app (organise_id, id desc);

drop trigger if exists touch on member_app;
create trigger touch before update on member_app for each row when (old.* is distinct from new.*) execute function app.touch();

drop trigger if exists capture_change on open_app;
call app.audit_table('open_app');

-- Agents and sites see the name of the app of a member. Only the organisation and the platform change it.
drop policy if exists adding on member_app;
create policy adding on member_app as restrictive for insert with check ((select app.scope_level()) <= 1);
drop policy if exists changing on member_app;
create policy changing on member_app as restrictive for update using ((select app.scope_level()) <= 1);
drop policy if exists removing on member_app;
create policy removing on member_app as restrictive for delete using ((select app.scope_level()) <= 1);

-- Agents and sites see no key.
drop policy if exists whole_organise on open_app;
create policy whole_organise on open_app as restrictive using ((select app.scope_level()) <= 1);

grant insert, update, delete on member_app to wattdeck_api;
grant insert, update on open_app to wattdeck_api;

-- Down Migration
-- no transaction
revoke insert, update on open_app from wattdeck_api;
revoke insert, update, delete on member_app from wattdeck_api;
drop policy if exists whole_organise on open_app;
drop policy if exists removing on member_app;
drop policy if exists changing on member_app;
drop policy if exists adding on member_app;
drop trigger if exists capture_change on open_app;
drop trigger if exists touch on member_app;
drop index concurrently if exists open_app_of_organise;
create unique index concurrently if not exists member_app_app_id_key on member_app (app_id);
drop index concurrently if exists member_app_of_organise;
alter table open_app drop column if exists created_by;
alter table member_app drop column if exists updated_at, drop column if exists created_by, drop column if exists domain,
  drop column if exists hotline, drop column if exists theme_color, drop column if exists status;
