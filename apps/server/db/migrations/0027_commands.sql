-- Up Migration

alter table resource drop constraint resource_action_check;
alter table resource add constraint resource_action_check
  check (action in ('add', 'edit', 'delete', 'import', 'export', 'setStandard', 'upgrade', 'control', 'approve'));

-- A batch whose rows end later, because a device has to say so; and one that a second person must approve.
alter table batch_job drop constraint batch_job_status_check;
alter table batch_job add constraint batch_job_status_check check (status between 0 and 7);
alter table batch_job add column approved_by text, add column approved_at timestamptz;
create index batch_job_held on batch_job (organise_id, id desc) where status = 7;
alter table batch_item drop constraint batch_item_status_check;
alter table batch_item add constraint batch_item_status_check check (status between 0 and 4);
create index batch_item_running on batch_item (job_id, seq) where status = 4;

-- How many commands a device was given: each carries its number, so that it knows an old one.
alter table device_state add column command_count bigint not null default 0;

-- Days of a table that is partitioned by the numbers of messages.
-- SECURITY DEFINER, reviewed: makes and drops the days of these two tables, nothing that a caller says is executed.
drop function app.keep_message_days;
create function app.keep_days(parent text, ahead int, keep int) returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date := (now() at time zone 'Asia/Shanghai')::date;
  day date;
  child text;
  changed int := 0;
begin
  if parent not in ('device_message', 'device_command') then raise exception 'not partitioned by days'; end if;
  for day in select generate_series(today - 1, today + ahead, interval '1 day')::date loop
    child := parent || '_' || to_char(day, 'YYYYMMDD');
    if to_regclass(child) is null then
      execute format('create table %I partition of %I for values from (%s) to (%s)', child, parent,
        app.message_id(day::timestamp at time zone 'Asia/Shanghai'), app.message_id((day + 1)::timestamp at time zone 'Asia/Shanghai'));
      changed := changed + 1;
    end if;
  end loop;
  for child in select inhrelid::regclass::text from pg_inherits where inhparent = parent::regclass
    and inhrelid::regclass::text < parent || '_' || to_char(today - keep, 'YYYYMMDD') loop
    execute format('drop table %I', child);
    changed := changed + 1;
  end loop;
  return changed;
end $$;
revoke all on function app.keep_days from public;
grant execute on function app.keep_days to wattdeck_worker;

-- What a device was told to do, and what became of it. Its number holds the moment it was given, as those of messages do.
create sequence device_command_count;
create function app.command_id() returns bigint language sql volatile as $$
  select app.message_id(clock_timestamp()) | (nextval('device_command_count') & 4194303)
$$;
create table device_command (
  id bigint not null primary key default app.command_id(),
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  device_id bigint not null,
  kind text not null,
  port_no smallint,
  content jsonb not null,
  -- 1 queued, 2 parked until the device is online, 3 sent, 4 done, 5 refused, 6 failed, 7 timed out, 8 cancelled.
  status smallint not null default 1 check (status between 1 and 8),
  -- 1 waits for a device that is offline, 2 fails at once.
  when_offline smallint not null check (when_offline in (1, 2)),
  expires_at timestamptz not null,
  counter bigint,
  sent_at timestamptz,
  -- Whoever has not answered by then will not.
  answer_by timestamptz,
  ended_at timestamptz,
  reason text,
  result jsonb,
  -- What was on the wire: our frame and the answer, both in the journal.
  frame_id bigint,
  answer_id bigint,
  job_id bigint,
  job_seq int,
  -- The row of the job was tried again, this is not its last command.
  superseded boolean not null default false,
  -- The code that somebody scanned at the port: if nothing is plugged in there, it may be stuck on another device.
  code_id bigint,
  user_id bigint,
  issued_by text not null,
  check ((status >= 4) = (ended_at is not null)),
  check (status <> 3 or (sent_at is not null and answer_by is not null and counter is not null))
) partition by range (id);
create index device_command_device on device_command (device_id, id desc);
create index device_command_job on device_command (job_id, job_seq) where job_id is not null and not superseded;
create index device_command_queued on device_command (id) where status = 1;
create index device_command_parked on device_command (device_id) where status = 2;
create index device_command_open on device_command (expires_at) where status in (1, 2);
create index device_command_sent on device_command (answer_by) where status = 3;
call app.secure_tenant_table('device_command');
select app.keep_days('device_command', 3, 90);

-- Whoever sends them is woken when the transaction that gave them has committed.
create function app.wake_commands() returns trigger language plpgsql as $$
begin
  perform pg_notify('device_command', '');
  return null;
end $$;
create trigger wake after insert on device_command for each statement execute function app.wake_commands();

-- What a device is meant to hold and what it has said that it holds. Never assumed: the second comes from the device.
create table device_attribute (
  device_id bigint not null references device,
  identifier text not null check (identifier ~ '^[a-z][A-Za-z0-9]{1,39}$'),
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  desired numeric(14, 4),
  desired_at timestamptz,
  desired_by text,
  command_id bigint,
  -- 1 on its way, 2 the device has it, 3 it has not.
  desired_status smallint check (desired_status in (1, 2, 3)),
  reason text,
  reported numeric(14, 4),
  reported_at timestamptz,
  primary key (device_id, identifier)
);
call app.secure_tenant_table('device_attribute');
call app.audit_table('device_attribute');
create function app.attributes_follow() returns trigger language plpgsql as $$
begin
  update device_attribute set organise_id = new.organise_id, agent_id = new.agent_id, site_id = new.site_id where device_id = new.id;
  return null;
end $$;
create trigger attributes_follow after update on device for each row
  when (row(old.organise_id, old.agent_id, old.site_id) is distinct from row(new.organise_id, new.agent_id, new.site_id))
  execute function app.attributes_follow();
grant select, insert, update on device_command, device_attribute to wattdeck_api, wattdeck_worker;
grant usage on sequence device_command_count to wattdeck_api, wattdeck_worker;

-- Down Migration
drop trigger attributes_follow on device;
drop function app.attributes_follow;
drop table device_attribute, device_command;
drop function app.wake_commands, app.command_id;
drop sequence device_command_count;
drop function app.keep_days;
-- SECURITY DEFINER, reviewed: makes and drops the days of this one table, nothing that a caller says is executed.
create function app.keep_message_days(ahead int, keep int) returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date := (now() at time zone 'Asia/Shanghai')::date;
  day date;
  child text;
  changed int := 0;
begin
  for day in select generate_series(today - 1, today + ahead, interval '1 day')::date loop
    child := 'device_message_' || to_char(day, 'YYYYMMDD');
    if to_regclass(child) is null then
      execute format('create table %I partition of device_message for values from (%s) to (%s)', child,
        app.message_id(day::timestamp at time zone 'Asia/Shanghai'), app.message_id((day + 1)::timestamp at time zone 'Asia/Shanghai'));
      changed := changed + 1;
    end if;
  end loop;
  for child in select inhrelid::regclass::text from pg_inherits where inhparent = 'device_message'::regclass
    and inhrelid::regclass::text < 'device_message_' || to_char(today - keep, 'YYYYMMDD') loop
    execute format('drop table %I', child);
    changed := changed + 1;
  end loop;
  return changed;
end $$;
revoke all on function app.keep_message_days from public;
grant execute on function app.keep_message_days to wattdeck_worker;
alter table device_state drop column command_count;
drop index batch_item_running, batch_job_held;
alter table batch_job drop column approved_by, drop column approved_at;
