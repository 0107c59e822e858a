-- Up Migration

-- Separation of duties: a person who audits reads and exports, and does nothing else. Triggers hold it for every process
-- and for every administrator. They are SECURITY DEFINER, reviewed: row security may hide a role of a higher place from the
-- administrator who assigns.
alter table role add column audit_only boolean not null default false;

create function app.keep_auditor_apart() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  -- Two assignments at the same time must see each other.
  perform from user_account where id = new.user_id for no key update;
  if exists (
    select
    from user_role held
    join role other on other.id = held.role_id
    join role given on given.id = new.role_id
    where held.user_id = new.user_id and other.audit_only <> given.audit_only
  ) then
    raise exception 'an audit role is the only kind of role of its holder' using errcode = '23514', constraint = 'audit_role_apart';
  end if;
  return new;
end $$;
create trigger keep_auditor_apart before insert or update on user_role
  for each row execute function app.keep_auditor_apart();

create function app.keep_auditor_reading() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  if exists (
    select
    from role, resource
    where role.id = new.role_id and role.audit_only and resource.id = new.resource_id and resource.action <> 'export'
  ) then
    raise exception 'an audit role reads and exports only' using errcode = '23514', constraint = 'audit_role_reads';
  end if;
  return new;
end $$;
create trigger keep_auditor_reading before insert or update on role_resource
  for each row execute function app.keep_auditor_reading();

-- Another action of a resource is another right for every role that has it.
create function app.keep_audit_resource() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  if exists (
    select
    from role_resource held
    join role on role.id = held.role_id
    where held.resource_id = new.id and role.audit_only
  ) then
    raise exception 'an audit role reads and exports only' using errcode = '23514', constraint = 'audit_role_reads';
  end if;
  return new;
end $$;
create trigger keep_audit_resource before update on resource
  for each row when (new.action <> 'export' and old.action <> new.action) execute function app.keep_audit_resource();

-- The kind of a role is chosen once. A super admin holds every right without a grant, so that role cannot be one.
create function app.keep_role_kind() returns trigger language plpgsql as $$
begin
  raise exception 'a role does not change its kind' using errcode = '23514', constraint = 'audit_role_kind';
end $$;
create trigger keep_role_kind before update on role
  for each row when (old.audit_only <> new.audit_only) execute function app.keep_role_kind();
alter table role add constraint audit_role_level check (not audit_only or top_level > 0);

revoke execute on function app.keep_auditor_apart(), app.keep_auditor_reading(), app.keep_audit_resource(), app.keep_role_kind()
  from public;

-- Down Migration
drop trigger keep_auditor_apart on user_role;
drop trigger keep_auditor_reading on role_resource;
drop trigger keep_audit_resource on resource;
drop trigger keep_role_kind on role;
drop function app.keep_auditor_apart(), app.keep_auditor_reading(), app.keep_audit_resource(), app.keep_role_kind();
alter table role drop column audit_only;
