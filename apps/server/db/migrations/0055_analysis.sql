-- Up Migration

-- What analysis needs beyond the figures of 0050 and the months of 0053: the time in which ports could not be used, and how
-- many of those who registered in a month charged in the months after.

-- Since when a device cannot be used, and why: 1 it is offline, with all of its ports; 2 it is online and says that ports are at
-- fault. How many ports that are does not change within a row; neither does whose the device is. One that was never installed
-- and one that was removed is not missed by anybody.
create table device_outage (
  id bigint primary key generated always as identity, organise_id bigint not null, agent_id bigint, site_id bigint, device_id bigint not null references device,
  device_type_id bigint not null, cause smallint not null check (cause in (1, 2)), ports smallint not null check (ports > 0), began_at timestamptz not null,
  ended_at timestamptz check (ended_at >= began_at)
);
create unique index device_outage_open on device_outage (device_id) where ended_at is null;
create index device_outage_running on device_outage (organise_id, agent_id, site_id) where ended_at is null;
call app.secure_tenant_table('device_outage');

-- Up to which full hour those that still go on are counted.
create table outage_mark (single boolean primary key default true check (single), counted_upto timestamptz not null);
call app.secure_platform_table('outage_mark');
create function app.ports_down(removed_at timestamptz, install_status smallint, online boolean, port_count smallint, fault_ports smallint)
returns smallint language sql immutable as $$
  select case when removed_at is not null or install_status <> 1 then 0 when not online then port_count else least(fault_ports, port_count) end::smallint
$$;

-- Whole seconds of each hour: those of two stretches that follow each other are those of both together.
create function app.outage_hours(from_at timestamptz, upto_at timestamptz) returns table (hour timestamptz, seconds bigint) language sql stable as $$
  select part.hour, part.seconds from (
    select h as hour, floor(extract(epoch from least(upto_at, h + interval '1 hour')))::bigint - floor(extract(epoch from greatest(from_at, h)))::bigint as seconds
    from generate_series(date_trunc('hour', from_at), upto_at, interval '1 hour') h) part
  where part.seconds > 0
$$;

-- SECURITY DEFINER with the scope of the system, as all of these, reviewed: see count_order of 0050.
create function app.watch_outages() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
declare changed bigint[]; mark timestamptz;
begin
  if tg_op = 'INSERT' then
    select array_agg(id) into changed from is_now where app.ports_down(deleted_at, install_status, online, port_count, fault_ports) > 0;
  else
    select array_agg(is_now.id) into changed from was join is_now using (id)
    where (app.ports_down(was.deleted_at, was.install_status, was.online, was.port_count, was.fault_ports), was.online, was.organise_id, was.agent_id, was.site_id, was.device_type_id)
      is distinct from (app.ports_down(is_now.deleted_at, is_now.install_status, is_now.online, is_now.port_count, is_now.fault_ports), is_now.online, is_now.organise_id, is_now.agent_id, is_now.site_id, is_now.device_type_id)
      and (app.ports_down(was.deleted_at, was.install_status, was.online, was.port_count, was.fault_ports) > 0
        or app.ports_down(is_now.deleted_at, is_now.install_status, is_now.online, is_now.port_count, is_now.fault_ports) > 0);
  end if;
  if changed is null then return null; end if;
  perform pg_advisory_xact_lock_shared(hashtext('outage_mark'));
  select counted_upto into mark from outage_mark;
  update device_outage set ended_at = greatest(now(), began_at, mark) where device_id = any (changed) and ended_at is null;
  insert into device_outage (organise_id, agent_id, site_id, device_id, device_type_id, cause, ports, began_at)
  select organise_id, agent_id, site_id, id, device_type_id, case when online then 2 else 1 end, app.ports_down(deleted_at, install_status, online, port_count, fault_ports), greatest(now(), mark)
  from is_now where id = any (changed) and app.ports_down(deleted_at, install_status, online, port_count, fault_ports) > 0;
  return null;
end $$;
create trigger watch_outages_made after insert on device referencing new table as is_now for each statement execute function app.watch_outages();
create trigger watch_outages_changed after update on device referencing old table as was new table as is_now for each statement execute function app.watch_outages();

-- The same time in seconds of ports, by hour; kinds of places as in 0050, without districts.
create table stat_outage (
  kind smallint not null check (kind in (0, 3, 4, 5)), organise_id bigint not null, agent_id bigint not null, site_id bigint not null, hour timestamptz not null,
  device_type_id bigint not null, offline_port_s bigint not null default 0, fault_port_s bigint not null default 0,
  primary key (kind, organise_id, agent_id, site_id, hour, device_type_id)
) with (fillfactor = 70);
call app.secure_tenant_table('stat_outage');
create table stat_outage_delta (
  id bigint not null generated always as identity primary key, organise_id bigint not null, agent_id bigint, site_id bigint, hour timestamptz not null,
  device_type_id bigint not null, offline_port_s bigint not null, fault_port_s bigint not null
);
call app.secure_tenant_table('stat_outage_delta');
create function app.count_outage() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
declare mark timestamptz;
begin
  perform pg_advisory_xact_lock_shared(hashtext('outage_mark'));
  select counted_upto into mark from outage_mark;
  insert into stat_outage_delta (hour, organise_id, agent_id, site_id, device_type_id, offline_port_s, fault_port_s)
  select part.hour, new.organise_id, new.agent_id, new.site_id, new.device_type_id,
    case new.cause when 1 then new.ports * part.seconds else 0 end, case new.cause when 2 then new.ports * part.seconds else 0 end
  from app.outage_hours(case tg_op when 'INSERT' then new.began_at else greatest(new.began_at, mark) end, coalesce(new.ended_at, mark)) part;
  return null;
end $$;
create trigger count_outage_made after insert on device_outage for each row execute function app.count_outage();
create trigger count_outage_ended after update of ended_at on device_outage for each row when (old.ended_at is null and new.ended_at is not null) execute function app.count_outage();

-- Counts those that still go on up to the last full hour, so that the end of a long one has little to count. It waits for nobody:
-- as long as somebody writes one down the mark stays where it is, and is tried again.
create function app.roll_outages() returns bigint language plpgsql as $$
declare upto timestamptz := date_trunc('hour', now()); mark timestamptz; made bigint;
begin
  select counted_upto into mark from outage_mark;
  if mark >= upto then return 0; end if;
  if not pg_try_advisory_xact_lock(hashtext('outage_mark')) then return 0; end if;
  select counted_upto into mark from outage_mark;
  if mark >= upto then return 0; end if;
  insert into stat_outage_delta (hour, organise_id, agent_id, site_id, device_type_id, offline_port_s, fault_port_s)
  select part.hour, o.organise_id, o.agent_id, o.site_id, o.device_type_id,
    sum(case o.cause when 1 then o.ports * part.seconds else 0 end), sum(case o.cause when 2 then o.ports * part.seconds else 0 end)
  from device_outage o cross join lateral app.outage_hours(greatest(o.began_at, mark), upto) part where o.ended_at is null group by 1, 2, 3, 4, 5;
  get diagnostics made = row_count;
  update outage_mark set counted_upto = upto;
  return made;
end $$;

-- What is added up, what is not yet, and what goes on since the mark, up to this moment. It is of no district, as rows of
-- these kinds are elsewhere.
create view stat_outage_live with (security_invoker = true) as
  select kind, organise_id, agent_id, site_id, ''::text as district, hour, device_type_id, offline_port_s, fault_port_s from stat_outage
  union all select place.kind, place.organise_id, place.agent_id, place.site_id, '', delta.hour, delta.device_type_id, delta.offline_port_s, delta.fault_port_s
  from stat_outage_delta delta cross join lateral app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, '') place where place.kind in (0, 3, 4, 5)
  union all select place.kind, place.organise_id, place.agent_id, place.site_id, '', part.hour, o.device_type_id,
    case o.cause when 1 then o.ports * part.seconds else 0 end, case o.cause when 2 then o.ports * part.seconds else 0 end
  from device_outage o cross join outage_mark cross join lateral app.outage_hours(greatest(o.began_at, outage_mark.counted_upto), now()) part
    cross join lateral app.stat_places(o.organise_id, o.agent_id, o.site_id, '') place where o.ended_at is null and place.kind in (0, 3, 4, 5);

-- Months in which a member has charged: the first charge of a month is written down, the others change nothing.
create table member_month (
  member_id bigint not null, month date not null, organise_id bigint not null, agent_id bigint check (agent_id is null), site_id bigint check (site_id is null),
  primary key (member_id, month)
);
call app.secure_tenant_table('member_month');

-- How many of the members who registered in one month charged in another, by where the members stand.
create table stat_cohort (
  kind smallint not null check (kind in (0, 3, 4, 5)), organise_id bigint not null, agent_id bigint not null, site_id bigint not null, month date not null,
  cohort date not null, members bigint not null default 0, primary key (kind, organise_id, agent_id, site_id, month, cohort)
) with (fillfactor = 70);
create index stat_cohort_ranking on stat_cohort (kind, month);
call app.secure_tenant_table('stat_cohort');
create table stat_cohort_delta (
  id bigint not null generated always as identity primary key, organise_id bigint not null, agent_id bigint, site_id bigint, month date not null, cohort date not null,
  members bigint not null
);
call app.secure_tenant_table('stat_cohort_delta');
create function app.month_of(at timestamptz) returns date language sql immutable as $$ select date_trunc('month', at at time zone 'Asia/Shanghai')::date $$;
create function app.count_activity() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  insert into member_month (member_id, month, organise_id) values (new.member_id, app.month_of(coalesce(new.ended_at, new.settled_at)), new.organise_id) on conflict do nothing;
  if not found then return null; end if;
  insert into stat_cohort_delta (organise_id, agent_id, site_id, month, cohort, members)
  select organise_id, agent_id, site_id, app.month_of(coalesce(new.ended_at, new.settled_at)), app.month_of(registered_at), 1 from member where id = new.member_id;
  return null;
end $$;
create trigger count_activity_made after insert on charging_order for each row when (new.status = 3 and new.member_id is not null) execute function app.count_activity();
create trigger count_activity_ended after update of status on charging_order for each row when (new.status = 3 and old.status <> 3 and new.member_id is not null) execute function app.count_activity();
-- Whoever moves takes the months along.
create function app.move_activity() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  insert into stat_cohort_delta (organise_id, agent_id, site_id, month, cohort, members)
  select place.organise_id, place.agent_id, place.site_id, active.month, place.cohort, place.sign from member_month active,
    (values (old.organise_id, old.agent_id, old.site_id, app.month_of(old.registered_at), -1), (new.organise_id, new.agent_id, new.site_id, app.month_of(new.registered_at), 1)) place (organise_id, agent_id, site_id, cohort, sign)
  where active.member_id = new.id;
  return null;
end $$;
create trigger move_activity after update of organise_id, agent_id, site_id, registered_at on member for each row
  when ((old.organise_id, old.agent_id, old.site_id, old.registered_at) is distinct from (new.organise_id, new.agent_id, new.site_id, new.registered_at)) execute function app.move_activity();
create view stat_cohort_live with (security_invoker = true) as
  select kind, organise_id, agent_id, site_id, ''::text as district, month, cohort, members from stat_cohort
  union all select place.kind, place.organise_id, place.agent_id, place.site_id, '', delta.month, delta.cohort, delta.members
  from stat_cohort_delta delta cross join lateral app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, '') place where place.kind in (0, 3, 4, 5);

-- Adds up what is waiting, as fold_stats does.
create function app.fold_analysis() returns bigint language plpgsql as $$
declare done bigint; more bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('fold_stats')) then return 0; end if;
  with taken as (delete from stat_cohort_delta where id in (select id from stat_cohort_delta order by id limit 50000) returning *), added as (
    insert into stat_cohort as kept (kind, organise_id, agent_id, site_id, month, cohort, members)
    select place.kind, place.organise_id, place.agent_id, place.site_id, taken.month, taken.cohort, sum(taken.members)
    from taken cross join lateral app.stat_places(taken.organise_id, taken.agent_id, taken.site_id, '') place where place.kind in (0, 3, 4, 5) group by 1, 2, 3, 4, 5, 6
    on conflict (kind, organise_id, agent_id, site_id, month, cohort) do update set members = kept.members + excluded.members
  ) select count(*) into done from taken;
  with taken as (delete from stat_outage_delta where id in (select id from stat_outage_delta order by id limit 50000) returning *), added as (
    insert into stat_outage as kept (kind, organise_id, agent_id, site_id, hour, device_type_id, offline_port_s, fault_port_s)
    select place.kind, place.organise_id, place.agent_id, place.site_id, taken.hour, taken.device_type_id, sum(taken.offline_port_s), sum(taken.fault_port_s)
    from taken cross join lateral app.stat_places(taken.organise_id, taken.agent_id, taken.site_id, '') place where place.kind in (0, 3, 4, 5) group by 1, 2, 3, 4, 5, 6
    on conflict (kind, organise_id, agent_id, site_id, hour, device_type_id) do update set offline_port_s = kept.offline_port_s + excluded.offline_port_s, fault_port_s = kept.fault_port_s + excluded.fault_port_s
  ) select count(*) into more from taken;
  return done + more;
end $$;

-- What must be counted of each outage: up to its end, or to the mark.
create function app.outage_base(from_at timestamptz, upto_at timestamptz)
returns table (hour timestamptz, organise_id bigint, agent_id bigint, site_id bigint, device_type_id bigint, offline_port_s bigint, fault_port_s bigint) language sql stable as $$
  select part.hour, o.organise_id, o.agent_id, o.site_id, o.device_type_id, case o.cause when 1 then o.ports * part.seconds else 0 end, case o.cause when 2 then o.ports * part.seconds else 0 end
  from device_outage o cross join outage_mark cross join lateral app.outage_hours(o.began_at, coalesce(o.ended_at, outage_mark.counted_upto)) part
  where part.hour >= from_at and part.hour < upto_at
$$;
-- Who charged in which month, by the orders.
create function app.activity_base(from_month date, upto_month date) returns table (member_id bigint, month date, organise_id bigint) language sql stable as $$
  select distinct o.member_id, app.month_of(coalesce(o.ended_at, o.settled_at)), o.organise_id from charging_order o
  where o.status = 3 and o.member_id is not null and app.month_of(coalesce(o.ended_at, o.settled_at)) >= from_month and app.month_of(coalesce(o.ended_at, o.settled_at)) < upto_month
$$;

-- Where cohorts and outages are not what the tables say. All in one snapshot, as stat_breaks.
create function app.analysis_breaks(from_day date, upto_day date) returns table (what text, place text) language plpgsql stable as $$
declare
  -- Whole months, also where the last day lies within one.
  from_month date := date_trunc('month', from_day)::date; upto_month date := (date_trunc('month', upto_day - 1) + interval '1 month')::date;
  from_at timestamptz := from_day::timestamp at time zone 'Asia/Shanghai'; upto_at timestamptz := upto_day::timestamp at time zone 'Asia/Shanghai';
begin
  return query select 'cohort', concat_ws('/', d.month, d.cohort, d.kind, d.organise_id, d.agent_id, d.site_id) from (
      select c.month, c.cohort, c.kind, c.organise_id, c.agent_id, c.site_id, c.members from stat_cohort_live c where c.month >= from_month and c.month < upto_month
      union all select base.month, app.month_of(m.registered_at), p.kind, p.organise_id, p.agent_id, p.site_id, -1
      from app.activity_base(from_month, upto_month) base join member m on m.id = base.member_id cross join lateral app.stat_places(m.organise_id, m.agent_id, m.site_id, '') p where p.kind in (0, 3, 4, 5)) d
    group by d.month, d.cohort, d.kind, d.organise_id, d.agent_id, d.site_id having sum(d.members) <> 0 limit 100;
  return query select 'outage hour', concat_ws('/', d.hour, d.kind, d.organise_id, d.agent_id, d.site_id, d.device_type_id) from (
      select s.hour, s.kind, s.organise_id, s.agent_id, s.site_id, s.device_type_id, s.offline_port_s, s.fault_port_s from stat_outage s where s.hour >= from_at and s.hour < upto_at
      union all select base.hour, p.kind, p.organise_id, p.agent_id, p.site_id, base.device_type_id, base.sign * base.offline_port_s, base.sign * base.fault_port_s from (
        select 1 as sign, w.hour, w.organise_id, w.agent_id, w.site_id, w.device_type_id, w.offline_port_s, w.fault_port_s from stat_outage_delta w where w.hour >= from_at and w.hour < upto_at
        union all select -1, b.* from app.outage_base(from_at, upto_at) b) base
      cross join lateral app.stat_places(base.organise_id, base.agent_id, base.site_id, '') p where p.kind in (0, 3, 4, 5)) d
    group by d.hour, d.kind, d.organise_id, d.agent_id, d.site_id, d.device_type_id having sum(d.offline_port_s) <> 0 or sum(d.fault_port_s) <> 0 limit 100;
  return query select 'outage', d.id::text from device d left join device_outage o on o.device_id = d.id and o.ended_at is null
    where (app.ports_down(d.deleted_at, d.install_status, d.online, d.port_count, d.fault_ports), case when d.online then 2 else 1 end, d.organise_id, d.agent_id, d.site_id, d.device_type_id)
      is distinct from (coalesce(o.ports, 0), o.cause, o.organise_id, o.agent_id, o.site_id, o.device_type_id)
      and (o.id is not null or app.ports_down(d.deleted_at, d.install_status, d.online, d.port_count, d.fault_ports) > 0) limit 100;
end $$;

-- Makes outages of these days and cohorts of their months anew, in the transaction of rebuild_stats; months of figures follow
-- their days by themselves.
create function app.rebuild_analysis(from_day date, upto_day date) returns void language plpgsql as $$
declare
  from_month date := date_trunc('month', from_day)::date; upto_month date := (date_trunc('month', upto_day - 1) + interval '1 month')::date;
  from_at timestamptz := from_day::timestamp at time zone 'Asia/Shanghai'; upto_at timestamptz := upto_day::timestamp at time zone 'Asia/Shanghai';
begin
  if current_setting('transaction_isolation') <> 'repeatable read' then raise exception 'figures are made anew in a repeatable read transaction'; end if;
  delete from member_month m where m.month >= from_month and m.month < upto_month and not exists (select from app.activity_base(from_month, upto_month) base where base.member_id = m.member_id and base.month = m.month);
  insert into member_month (member_id, month, organise_id) select member_id, month, organise_id from app.activity_base(from_month, upto_month) on conflict do nothing;
  delete from stat_cohort_delta where month >= from_month and month < upto_month;
  delete from stat_cohort where month >= from_month and month < upto_month;
  insert into stat_cohort_delta (organise_id, agent_id, site_id, month, cohort, members)
  select m.organise_id, m.agent_id, m.site_id, active.month, app.month_of(m.registered_at), count(*) from member_month active join member m on m.id = active.member_id
  where active.month >= from_month and active.month < upto_month group by 1, 2, 3, 4, 5;
  delete from stat_outage_delta where hour >= from_at and hour < upto_at;
  delete from stat_outage where hour >= from_at and hour < upto_at;
  insert into stat_outage_delta (hour, organise_id, agent_id, site_id, device_type_id, offline_port_s, fault_port_s)
  select hour, organise_id, agent_id, site_id, device_type_id, sum(offline_port_s), sum(fault_port_s) from app.outage_base(from_at, upto_at) group by 1, 2, 3, 4, 5;
end $$;

-- What is there already counts, too. Nobody knows since when devices have been down: from now on.
do $$
begin
  perform set_config('app.scope_level', '0', true), set_config('app.organise_id', '0', true), set_config('app.agent_ids', '{}', true), set_config('app.site_ids', '{}', true);
  insert into outage_mark (counted_upto) values (date_trunc('hour', now()));
  insert into member_month (member_id, month, organise_id) select member_id, month, organise_id from app.activity_base('2000-01-01', '2100-01-01');
  insert into stat_cohort_delta (organise_id, agent_id, site_id, month, cohort, members)
  select m.organise_id, m.agent_id, m.site_id, active.month, app.month_of(m.registered_at), count(*) from member_month active join member m on m.id = active.member_id group by 1, 2, 3, 4, 5;
  insert into device_outage (organise_id, agent_id, site_id, device_id, device_type_id, cause, ports, began_at)
  select organise_id, agent_id, site_id, id, device_type_id, case when online then 2 else 1 end, app.ports_down(deleted_at, install_status, online, port_count, fault_ports), now()
  from device where app.ports_down(deleted_at, install_status, online, port_count, fault_ports) > 0;
end $$;
grant select on device_outage, outage_mark, stat_outage, stat_outage_delta, stat_outage_live, stat_cohort, stat_cohort_delta, stat_cohort_live to wattdeck_api, wattdeck_worker;
grant insert, update, delete on stat_cohort, stat_cohort_delta, stat_outage, stat_outage_delta, outage_mark to wattdeck_worker;
revoke all on function app.roll_outages, app.fold_analysis, app.outage_base, app.activity_base, app.analysis_breaks, app.rebuild_analysis from public;
grant execute on function app.roll_outages, app.fold_analysis, app.outage_base, app.activity_base, app.analysis_breaks to wattdeck_worker;

-- Down Migration
drop function app.rebuild_analysis, app.analysis_breaks, app.activity_base, app.outage_base, app.fold_analysis, app.roll_outages;
drop view stat_cohort_live, stat_outage_live;
drop function app.move_activity, app.count_activity, app.count_outage, app.watch_outages cascade;
drop table stat_cohort_delta, stat_cohort, member_month, stat_outage_delta, stat_outage, outage_mark, device_outage;
drop function app.month_of, app.outage_hours, app.ports_down;
