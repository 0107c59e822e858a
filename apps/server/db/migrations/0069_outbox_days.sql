-- Up Migration

-- The outbox by days: what was published goes with its day, by dropping a table, not by deleting its rows. Rows that wait
-- are found by their own index in each day; a day that holds one is not dropped.
alter table outbox rename to outbox_before;
alter index outbox_waiting rename to outbox_before_waiting;
alter table outbox_before rename constraint outbox_pkey to outbox_before_pkey;

create table outbox (
  id bigint not null generated always as identity,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  subject text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  primary key (id, created_at)
) partition by range (created_at);
create index outbox_waiting on outbox (id) where published_at is null;
call app.secure_tenant_table('outbox');
-- Every change writes here: a day that is missing must not stop it.
create table outbox_other partition of outbox default;

-- Makes the days of the outbox from yesterday on, in Asia/Shanghai, and drops days that are over, unless something in them
-- waits to be published. SECURITY DEFINER, reviewed: nothing that a caller says is executed.
create function app.keep_outbox_days(ahead int, keep int, at timestamptz default now()) returns int
language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
declare
  today date := (at at time zone 'Asia/Shanghai')::date;
  day date;
  child text;
  is_waiting boolean;
  changed int := 0;
begin
  lock table only outbox in share update exclusive mode;
  for day in select generate_series(today - 1, today + ahead, interval '1 day')::date loop
    child := 'outbox_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(child) is not null;
    perform app.make_month(
      'outbox', child, day::timestamp at time zone 'Asia/Shanghai', (day + 1)::timestamp at time zone 'Asia/Shanghai'
    );
    changed := changed + 1;
  end loop;
  for child in
    select bounds.child::text
    from app.partition_bounds('outbox') bounds
    where bounds.upper_at <= (today - keep)::timestamp at time zone 'Asia/Shanghai'
  loop
    execute format('select exists (select from %I where published_at is null)', child) into is_waiting;
    continue when is_waiting;
    execute format('drop table %I', child);
    changed := changed + 1;
  end loop;
  return changed;
end $$;

create or replace function app.partition_days_left(tbl text, at timestamptz default now()) returns int
language plpgsql stable as $$
declare
  is_daily boolean := tbl in ('device_message', 'device_command', 'outbox');
  step interval := case when is_daily then interval '1 day' else interval '1 month' end;
  pattern text := case when is_daily then 'YYYYMMDD' else 'YYYYMM' end;
  until_at timestamp := date_trunc(case when is_daily then 'day' else 'month' end, at at time zone 'Asia/Shanghai');
begin
  while to_regclass(format('%I', tbl || '_' || to_char(until_at, pattern))) is not null loop
    until_at := until_at + step;
  end loop;
  return greatest(0, floor(extract(epoch from (until_at at time zone 'Asia/Shanghai') - at) / 86400));
end $$;

-- The days of rows that are there already, then the rows. Ids go on: the stream drops a message whose id it has seen.
do $$
declare
  day date;
begin
  perform
    set_config('app.scope_level', '0', true),
    set_config('app.organise_id', '0', true),
    set_config('app.agent_ids', '{}', true),
    set_config('app.site_ids', '{}', true);
  for day in
    select distinct (created_at at time zone 'Asia/Shanghai')::date
    from outbox_before
    where created_at < now() - interval '1 day'
  loop
    perform app.make_month(
      'outbox',
      'outbox_' || to_char(day, 'YYYYMMDD'),
      day::timestamp at time zone 'Asia/Shanghai',
      (day + 1)::timestamp at time zone 'Asia/Shanghai'
    );
  end loop;
  perform app.keep_outbox_days(21, 10000);
  insert into outbox overriding system value select * from outbox_before;
  perform setval(pg_get_serial_sequence('outbox', 'id'), nextval(pg_get_serial_sequence('outbox_before', 'id')));
end $$;
drop table outbox_before;
create trigger wake_relay after insert on outbox for each statement execute function app.wake_relay();

revoke all on function app.keep_outbox_days from public;
grant execute on function app.keep_outbox_days to wattdeck_worker;
grant select, insert on outbox to wattdeck_api;
grant select, insert, update on outbox to wattdeck_worker;

-- Down Migration
alter table outbox rename to outbox_days;
alter index outbox_waiting rename to outbox_days_waiting;
alter table outbox_days rename constraint outbox_pkey to outbox_days_pkey;
create table outbox (
  id bigint primary key generated always as identity,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  subject text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  published_at timestamptz
);
create index outbox_waiting on outbox (id) where published_at is null;
call app.secure_tenant_table('outbox');
do $$
begin
  perform
    set_config('app.scope_level', '0', true),
    set_config('app.organise_id', '0', true),
    set_config('app.agent_ids', '{}', true),
    set_config('app.site_ids', '{}', true);
  insert into outbox overriding system value select * from outbox_days;
  perform setval(pg_get_serial_sequence('outbox', 'id'), nextval(pg_get_serial_sequence('outbox_days', 'id')));
end $$;
drop table outbox_days;
create trigger wake_relay after insert on outbox for each statement execute function app.wake_relay();
drop function app.keep_outbox_days(int, int, timestamptz);
grant select, insert on outbox to wattdeck_api;
grant select, insert, update, delete on outbox to wattdeck_worker;
create or replace function app.partition_days_left(tbl text, at timestamptz default now()) returns int
language plpgsql stable as $$
declare
  is_daily boolean := tbl in ('device_message', 'device_command');
  step interval := case when is_daily then interval '1 day' else interval '1 month' end;
  pattern text := case when is_daily then 'YYYYMMDD' else 'YYYYMM' end;
  until_at timestamp := date_trunc(case when is_daily then 'day' else 'month' end, at at time zone 'Asia/Shanghai');
begin
  while to_regclass(format('%I', tbl || '_' || to_char(until_at, pattern))) is not null loop
    until_at := until_at + step;
  end loop;
  return greatest(0, floor(extract(epoch from (until_at at time zone 'Asia/Shanghai') - at) / 86400));
end $$;
