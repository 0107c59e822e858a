-- Up Migration

-- When a batch was held for a second person. Without an approval it never runs, however often its maker tries it again.
alter table batch_job add column held_at timestamptz;
update batch_job set held_at = created_at where status = 7 or approved_at is not null;
-- Those that were turned down were never approved.
update batch_job set approved_by = null, approved_at = null where status = 5 and started_at is null and approved_at is not null;

-- Which lines of the log are about a device. Stands where the line stands, so that it is read by who may read the line.
create table audit_device (
  device_id bigint not null,
  at timestamptz not null,
  audit_id bigint not null,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  primary key (device_id, at, audit_id)
);
call app.secure_tenant_table('audit_device');
grant select on audit_device to wattdeck_api;
insert into audit_device (device_id, at, audit_id, organise_id, agent_id, site_id)
select distinct (change ->> 'rowId')::bigint, entry.at, entry.id, entry.organise_id, entry.agent_id, entry.site_id
from audit_log entry, jsonb_array_elements(entry.changes) change where change ->> 'table' = 'device';

-- A change that is about a device says of which, by itself or by its column; one that is only a sign of it has no rows.
alter table audit_pending add column device_id bigint, alter column change drop not null;
create or replace function app.capture_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  secrets text[] := array['password_hash', 'totp_secret', 'token_hash', 'code_hash', 'avatar', 'params'];
  noise text[] := array['updated_at', 'last_seen_at'];
  was jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  now_is jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
  before jsonb := '{}';
  after jsonb := '{}';
  device_key text := case when tg_table_name = 'device' then 'id' else 'device_id' end;
  field text;
begin
  -- Migrations and seeds are no actions of anybody.
  if coalesce(current_setting('app.audited', true), '') <> 'on' then return null; end if;
  for field in select jsonb_object_keys(was || now_is) loop
    -- A column that is empty in a new row has not changed.
    continue when field = any (noise) or nullif(was -> field, 'null') is not distinct from nullif(now_is -> field, 'null');
    if field = any (secrets) then
      before := before || jsonb_build_object(field, case when jsonb_typeof(was -> field) <> 'null' then '******' end);
      after := after || jsonb_build_object(field, case when jsonb_typeof(now_is -> field) <> 'null' then '******' end);
    else
      before := before || jsonb_build_object(field, was -> field);
      after := after || jsonb_build_object(field, now_is -> field);
    end if;
  end loop;
  if before <> '{}' or after <> '{}' then
    insert into audit_pending (txid, change, device_id) values (pg_current_xact_id(), jsonb_build_object(
      'table', tg_table_name, 'rowId', coalesce(now_is ->> 'id', was ->> 'id', ''), 'before', before, 'after', after),
      coalesce(now_is ->> device_key, was ->> device_key)::bigint);
  end if;
  return null;
end $$;

-- Commands are a record of their own, and ports change with every report: the log only says that they were touched.
-- SECURITY DEFINER, reviewed: it only adds to audit_pending which device the trigger is about.
create function app.capture_device() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if coalesce(current_setting('app.audited', true), '') = 'on' then
    insert into audit_pending (txid, device_id) values (pg_current_xact_id(), new.device_id);
  end if;
  return null;
end $$;
revoke all on function app.capture_device from public;
create trigger capture_given after insert on device_command for each row execute function app.capture_device();
create trigger capture_cancelled after update on device_command for each row
  when (new.status = 8 and old.status <> 8) execute function app.capture_device();
create trigger capture_switched after update of enabled on port for each row
  when (old.enabled is distinct from new.enabled) execute function app.capture_device();

create or replace function app.audit_append(entry jsonb) returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head audit_chain;
  made audit_log;
  devices bigint[];
begin
  insert into audit_chain values ((entry ->> 'organise_id')::bigint, 0, '\x00') on conflict do nothing;
  select * into strict head from audit_chain where organise_id = (entry ->> 'organise_id')::bigint for update;
  made := jsonb_populate_record(null::audit_log, entry);
  made.at := clock_timestamp();
  with taken as (delete from audit_pending where txid = pg_current_xact_id() returning id, change, device_id)
  select coalesce(jsonb_agg(change order by id) filter (where change is not null), '[]'), array_agg(distinct device_id) filter (where device_id is not null)
    into made.changes, devices from taken;
  made.seq := head.seq + 1;
  made.prev_hash := head.hash;
  made.hash := app.audit_hash(head.hash, made);
  insert into audit_log (at, organise_id, agent_id, site_id, user_id, user_name, login_name, module, kind, content, path, ip, duration_ms, result, reason, request_id, changes, seq, prev_hash, hash)
  values (made.at, made.organise_id, made.agent_id, made.site_id, made.user_id, made.user_name, made.login_name, made.module, made.kind, made.content, made.path, made.ip, made.duration_ms, made.result, made.reason, made.request_id, made.changes, made.seq, made.prev_hash, made.hash)
  returning id into made.id;
  if devices is not null then
    insert into audit_device (device_id, at, audit_id, organise_id, agent_id, site_id)
    select device, made.at, made.id, made.organise_id, made.agent_id, made.site_id from unnest(devices) device;
  end if;
  update audit_chain set seq = made.seq, hash = made.hash where organise_id = made.organise_id;
  return made.id;
end $$;

-- Down Migration
create or replace function app.audit_append(entry jsonb) returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head audit_chain;
  made audit_log;
begin
  insert into audit_chain values ((entry ->> 'organise_id')::bigint, 0, '\x00') on conflict do nothing;
  select * into strict head from audit_chain where organise_id = (entry ->> 'organise_id')::bigint for update;
  made := jsonb_populate_record(null::audit_log, entry);
  made.at := clock_timestamp();
  with taken as (delete from audit_pending where txid = pg_current_xact_id() returning id, change)
  select coalesce(jsonb_agg(change order by id), '[]') into made.changes from taken;
  made.seq := head.seq + 1;
  made.prev_hash := head.hash;
  made.hash := app.audit_hash(head.hash, made);
  insert into audit_log (at, organise_id, agent_id, site_id, user_id, user_name, login_name, module, kind, content, path, ip, duration_ms, result, reason, request_id, changes, seq, prev_hash, hash)
  values (made.at, made.organise_id, made.agent_id, made.site_id, made.user_id, made.user_name, made.login_name, made.module, made.kind, made.content, made.path, made.ip, made.duration_ms, made.result, made.reason, made.request_id, made.changes, made.seq, made.prev_hash, made.hash)
  returning id into made.id;
  update audit_chain set seq = made.seq, hash = made.hash where organise_id = made.organise_id;
  return made.id;
end $$;
drop trigger capture_switched on port;
drop trigger capture_cancelled on device_command;
drop trigger capture_given on device_command;
drop function app.capture_device;
create or replace function app.capture_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  secrets text[] := array['password_hash', 'totp_secret', 'token_hash', 'code_hash', 'avatar', 'params'];
  noise text[] := array['updated_at', 'last_seen_at'];
  was jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  now_is jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
  before jsonb := '{}';
  after jsonb := '{}';
  field text;
begin
  if coalesce(current_setting('app.audited', true), '') <> 'on' then return null; end if;
  for field in select jsonb_object_keys(was || now_is) loop
    continue when field = any (noise) or nullif(was -> field, 'null') is not distinct from nullif(now_is -> field, 'null');
    if field = any (secrets) then
      before := before || jsonb_build_object(field, case when jsonb_typeof(was -> field) <> 'null' then '******' end);
      after := after || jsonb_build_object(field, case when jsonb_typeof(now_is -> field) <> 'null' then '******' end);
    else
      before := before || jsonb_build_object(field, was -> field);
      after := after || jsonb_build_object(field, now_is -> field);
    end if;
  end loop;
  if before <> '{}' or after <> '{}' then
    insert into audit_pending (txid, change) values (pg_current_xact_id(), jsonb_build_object(
      'table', tg_table_name, 'rowId', coalesce(now_is ->> 'id', was ->> 'id', ''), 'before', before, 'after', after));
  end if;
  return null;
end $$;
delete from audit_pending where change is null;
alter table audit_pending drop column device_id, alter column change set not null;
drop table audit_device;
alter table batch_job drop column held_at;
