-- Up Migration

-- A request states its scope in its own transaction; row security reads it here. Each function raises when the
-- setting is missing or empty, so a query without a scope fails instead of answering.
create schema app;

create function app.setting(name text) returns text language plpgsql stable as $$
declare value text := current_setting(name, true);
begin
  if value is null or value = '' then
    raise exception 'no scope: % is not set', name using errcode = 'insufficient_privilege';
  end if;
  return value;
end $$;

-- 0 the platform, 1 one organisation, 2 some agents of it, 3 some sites of it.
create function app.scope_level() returns int language sql stable as $$ select app.setting('app.scope_level')::int $$;
create function app.organise_id() returns bigint language sql stable as $$ select app.setting('app.organise_id')::bigint $$;
create function app.agent_ids() returns bigint[] language sql stable as $$ select app.setting('app.agent_ids')::bigint[] $$;
create function app.site_ids() returns bigint[] language sql stable as $$ select app.setting('app.site_ids')::bigint[] $$;

-- Forces row security on a tenant table. The sub-selects make PostgreSQL read the scope once a query, not once a row.
-- A CASE, because the planner takes half of the rows for it: a comparison with a value unknown to it would look so
-- selective that it sorted whole organisations instead of walking an index. Lists name the organisation themselves.
create procedure app.secure_tenant_table(tbl regclass) language plpgsql as $$
declare
  rule text :=
    'case (select app.scope_level()) when 0 then true'
    ' when 1 then organise_id = (select app.organise_id())'
    ' when 2 then organise_id = (select app.organise_id()) and agent_id = any ((select app.agent_ids())::bigint[])'
    ' when 3 then organise_id = (select app.organise_id()) and site_id = any ((select app.site_ids())::bigint[])'
    ' else false end';
begin
  execute format('alter table %s enable row level security', tbl);
  execute format('alter table %s force row level security', tbl);
  execute format('create policy tenant on %s using (%s) with check (%s)', tbl, rule, rule);
end $$;

-- A table of the platform: everyone with a scope reads it, only the platform writes it.
create procedure app.secure_platform_table(tbl regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tbl);
  execute format('alter table %s force row level security', tbl);
  execute format('create policy reading on %s for select using ((select app.scope_level()) >= 0)', tbl);
  execute format('create policy adding on %s for insert with check ((select app.scope_level()) = 0)', tbl);
  execute format('create policy changing on %s for update using ((select app.scope_level()) = 0)', tbl);
  execute format('create policy removing on %s for delete using ((select app.scope_level()) = 0)', tbl);
end $$;

-- Every changed row of an audited table waits here for the end of its transaction, where it goes into the audit row.
-- Unlogged: a transaction that did not commit has nothing to tell. Nobody has a right on it but the two functions.
create unlogged table audit_pending (
  txid xid8 not null,
  id bigint not null generated always as identity,
  change jsonb not null,
  primary key (txid, id)
);
alter table audit_pending enable row level security;
alter table audit_pending force row level security;
create policy any_change on audit_pending using (true);

-- Secrets are named, never shown. SECURITY DEFINER, reviewed: it only adds to audit_pending what the trigger hands it.
create function app.capture_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  secrets text[] := array['password_hash', 'totp_secret', 'token_hash', 'code_hash', 'avatar', 'params'];
  noise text[] := array['updated_at', 'last_seen_at'];
  was jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  now_is jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
  before jsonb := '{}';
  after jsonb := '{}';
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
    insert into audit_pending (txid, change) values (pg_current_xact_id(), jsonb_build_object(
      'table', tg_table_name, 'rowId', coalesce(now_is ->> 'id', was ->> 'id', ''), 'before', before, 'after', after));
  end if;
  return null;
end $$;

create procedure app.audit_table(tbl regclass) language plpgsql as $$
begin
  execute format('create trigger capture_change after insert or update or delete on %s for each row execute function app.capture_change()', tbl);
end $$;

create function app.touch() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;

-- Down Migration
drop table audit_pending;
drop schema app cascade;
