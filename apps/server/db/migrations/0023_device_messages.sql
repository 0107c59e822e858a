-- Up Migration

-- The number of a message holds the moment it reached a gateway: milliseconds since 2025, then 22 bits that the gateway
-- counts in. So it is unique everywhere, grows with time, and a message that comes twice falls into the same partition.
create function app.message_time(id bigint) returns timestamptz language sql immutable parallel safe as $$
  select to_timestamp(((id >> 22) + 1735689600000) / 1000.0)
$$;
create function app.message_id(at timestamptz) returns bigint language sql immutable parallel safe as $$
  select ((extract(epoch from at) * 1000)::bigint - 1735689600000) << 22
$$;

-- Everything that was said, in both directions, as it was on the wire and as it was understood. Kept for some days.
create table device_message (
  id bigint not null primary key,
  device_id bigint not null,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  -- 1 up, from the device; 2 down, to it.
  direction smallint not null check (direction in (1, 2)),
  kind text not null,
  port_no smallint,
  boot bigint,
  seq bigint,
  content jsonb not null,
  frame bytea
) partition by range (id);
create index device_message_device on device_message (device_id, id desc);
call app.secure_tenant_table('device_message');

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
select app.keep_message_days(3, 7);

-- What a bill rests on: settlements, swipes, starts without us. Kept for good, each once: the device names it by a key
-- that stays the same however often it is sent, and by its own time, which therefore finds the same partition again.
create table device_record (
  device_id bigint not null,
  record_key text not null check (length(record_key) between 1 and 80),
  recorded_at timestamptz not null,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  message_id bigint not null,
  kind text not null,
  port_no smallint,
  content jsonb not null,
  received_at timestamptz not null,
  primary key (device_id, record_key, recorded_at)
) partition by range (recorded_at);
call app.secure_tenant_table('device_record');
select app.ensure_months('device_record', 3);
-- Device clocks are only data: what lies outside of our months is kept here.
create table device_record_other partition of device_record default;

-- What happened to a device, in the words of the console: it came, it went, a port changed, an alarm.
create table device_event (
  id bigint not null,
  part smallint not null,
  device_id bigint not null,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  kind text not null,
  port_no smallint,
  detail jsonb not null default '{}',
  at timestamptz not null,
  -- One message can make several events; made twice they are the same.
  primary key (device_id, id, part, at)
) partition by range (at);
create index device_event_device on device_event (device_id, at desc);
call app.secure_tenant_table('device_event');
select app.ensure_months('device_event', 3);

-- Messages that could not be taken in. Nothing is thrown away silently: they wait here for a person.
create table device_dead_letter (
  id bigint primary key,
  wire text not null,
  reason text not null,
  content jsonb not null,
  frame bytea,
  failed_at timestamptz not null default now(),
  -- 1 waiting, 2 sent in again, 3 given up.
  status smallint not null default 1 check (status in (1, 2, 3)),
  handled_by text,
  handled_at timestamptz
);
create index device_dead_letter_waiting on device_dead_letter (id desc) where status = 1;
alter table device_dead_letter enable row level security;
alter table device_dead_letter force row level security;
create policy platform on device_dead_letter using ((select app.scope_level()) = 0);
call app.audit_table('device_dead_letter');

grant select on device_message, device_record, device_event to wattdeck_api;
grant select, update on device_dead_letter to wattdeck_api;
grant select, insert on device_message, device_record, device_event to wattdeck_worker;
grant select, insert, update on device_dead_letter to wattdeck_worker;

-- Down Migration
drop table device_dead_letter, device_event, device_record, device_message;
drop function app.keep_message_days, app.message_id, app.message_time;
