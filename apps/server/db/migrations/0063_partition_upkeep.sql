-- Up Migration

-- Bounds of the partitions of a table that is partitioned by time. A default partition has none.
create function app.partition_bounds(parent regclass)
returns table (child regclass, lower_at timestamptz, upper_at timestamptz)
language sql stable as $$
  select
    inhrelid::regclass,
    bounds[1]::timestamptz,
    bounds[2]::timestamptz
  from pg_inherits
  join pg_class on pg_class.oid = inhrelid
  cross join lateral regexp_match(
    pg_get_expr(relpartbound, inhrelid),
    'FROM \(''([^'']+)''\) TO \(''([^'']+)''\)'
  ) as bounds
  where inhparent = parent
    and bounds is not null
$$;

-- Makes one month of a table. Rows of that month that wait in the default partition move into it: PostgreSQL refuses a
-- partition for which the default partition holds rows. Row triggers leave the default partition when it is detached.
create function app.make_month(tbl text, child text, from_at timestamptz, to_at timestamptz) returns void
language plpgsql as $$
declare
  other regclass;
  key_column name;
  has_strays boolean := false;
begin
  select inhrelid::regclass into other
  from pg_inherits
  join pg_class on pg_class.oid = inhrelid
  where inhparent = tbl::regclass
    and pg_get_expr(relpartbound, inhrelid) = 'DEFAULT';
  if other is not null then
    select attname into key_column
    from pg_partitioned_table
    join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
    where partrelid = tbl::regclass;
    execute format('select exists (select from %s where %I >= $1 and %I < $2)', other, key_column, key_column)
      into has_strays using from_at, to_at;
  end if;
  if has_strays then execute format('alter table %I detach partition %s', tbl, other); end if;
  execute format('create table %I partition of %I for values from (%L) to (%L)', child, tbl, from_at, to_at);
  if has_strays then
    execute format(
      'with moved as (delete from %s where %I >= $1 and %I < $2 returning *)
       insert into %I overriding system value select * from moved',
      other, key_column, key_column, child
    ) using from_at, to_at;
    execute format('alter table %I attach partition %s default', tbl, other);
  end if;
end $$;

-- Makes the months of a table from last month to some months ahead, in Asia/Shanghai whatever the zone of the session.
-- Older versions made them in the zone of the session: a month begins where its neighbour ends, so none overlaps.
-- SECURITY DEFINER, reviewed: makes partitions of the table it is given, nothing that a caller says is executed.
drop function app.ensure_months(text, int);
create function app.ensure_months(tbl text, ahead int, at timestamptz default now()) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  this_month timestamp := date_trunc('month', at at time zone 'Asia/Shanghai');
  month timestamp;
  from_at timestamptz;
  to_at timestamptz;
  child text;
  made int := 0;
begin
  -- Two workers that make the same month would both find it missing. A lock on the table also lets this session notice
  -- what the other has made, which an advisory lock does not.
  execute format('lock table only %I in share update exclusive mode', tbl);
  for month in
    select generate_series(this_month - interval '1 month', this_month + make_interval(months => ahead), interval '1 month')
  loop
    child := format('%s_%s', tbl, to_char(month, 'YYYYMM'));
    continue when to_regclass(child) is not null;
    from_at := month at time zone 'Asia/Shanghai';
    to_at := (month + interval '1 month') at time zone 'Asia/Shanghai';
    select
      coalesce(max(upper_at) filter (
        where lower_at < from_at and upper_at between from_at - interval '1 day' and from_at + interval '1 day'
      ), from_at),
      coalesce(min(lower_at) filter (
        where upper_at > to_at and lower_at between to_at - interval '1 day' and to_at + interval '1 day'
      ), to_at)
    into from_at, to_at
    from app.partition_bounds(tbl::regclass);
    perform app.make_month(tbl, child, from_at, to_at);
    made := made + 1;
  end loop;
  return made;
end $$;

-- SECURITY DEFINER, reviewed: makes partitions of the table it is given, nothing that a caller says is executed.
drop function app.ensure_id_months(text, int);
create function app.ensure_id_months(tbl text, ahead int, at timestamptz default now()) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  this_month timestamp := date_trunc('month', at at time zone 'Asia/Shanghai');
  month timestamp;
  made int := 0;
  child text;
begin
  execute format('lock table only %I in share update exclusive mode', tbl);
  for month in
    select generate_series(this_month - interval '1 month', this_month + make_interval(months => ahead), interval '1 month')
  loop
    child := format('%s_%s', tbl, to_char(month, 'YYYYMM'));
    continue when to_regclass(child) is not null;
    execute format(
      'create table %I partition of %I for values from (%s) to (%s)', child, tbl,
      app.message_id(month at time zone 'Asia/Shanghai'),
      app.message_id((month + interval '1 month') at time zone 'Asia/Shanghai')
    );
    made := made + 1;
  end loop;
  return made;
end $$;

-- SECURITY DEFINER, reviewed: makes and drops the days of these two tables, nothing that a caller says is executed.
drop function app.keep_days(text, int, int);
create function app.keep_days(parent text, ahead int, keep int, at timestamptz default now()) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date := (at at time zone 'Asia/Shanghai')::date;
  day date;
  child text;
  changed int := 0;
begin
  if parent not in ('device_message', 'device_command') then raise exception 'not partitioned by days'; end if;
  execute format('lock table only %I in share update exclusive mode', parent);
  for day in select generate_series(today - 1, today + ahead, interval '1 day')::date loop
    child := parent || '_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(child) is not null;
    execute format(
      'create table %I partition of %I for values from (%s) to (%s)', child, parent,
      app.message_id(day::timestamp at time zone 'Asia/Shanghai'),
      app.message_id((day + 1)::timestamp at time zone 'Asia/Shanghai')
    );
    changed := changed + 1;
  end loop;
  for child in
    select inhrelid::regclass::text
    from pg_inherits
    where inhparent = parent::regclass
      and inhrelid::regclass::text < parent || '_' || to_char(today - keep, 'YYYYMMDD')
  loop
    execute format('drop table %I', child);
    changed := changed + 1;
  end loop;
  return changed;
end $$;

-- How many whole days from a moment on have partitions without a gap.
create function app.partition_days_left(tbl text, at timestamptz default now()) returns int
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

revoke all on function
  app.partition_bounds, app.make_month, app.ensure_months, app.ensure_id_months, app.keep_days, app.partition_days_left
from public;
grant execute on function app.ensure_months, app.ensure_id_months, app.keep_days, app.partition_days_left to wattdeck_worker;

-- Down Migration

drop function app.partition_days_left(text, timestamptz);
drop function app.keep_days(text, int, int, timestamptz);
drop function app.ensure_id_months(text, int, timestamptz);
drop function app.ensure_months(text, int, timestamptz);
drop function app.make_month(text, text, timestamptz, timestamptz);
drop function app.partition_bounds(regclass);
