-- Up Migration

-- Figures that cost the same among a thousand orders as among a billion. What happens is written down as a difference in the
-- transaction in which it happens: so it counts exactly once, and nobody waits for a row that everybody changes. Once a second
-- a worker adds the differences up, by hour and by day, for everything that people look at: all, a region, an organisation,
-- an organisation in a region, an agent, a site. Whoever reads adds what is not yet added up: figures are exact at any moment.

-- kind: 0 all, 1 a district, 2 an organisation in a district, 3 an organisation, 4 an agent, 5 a site,
-- 6 a province, 7 a city, 8 an organisation in a province, 9 an organisation in a city.
-- What does not narrow a row is 0 or ''. Under district stands the code of the region, whatever its level; one that nobody knows is ''.
create table stat_day (
  day date not null,
  kind smallint not null check (kind between 0 and 9),
  organise_id bigint not null,
  agent_id bigint not null,
  site_id bigint not null,
  district text not null,
  device_type_id bigint not null,
  orders bigint not null default 0,
  released bigint not null default 0,
  seconds bigint not null default 0,
  energy_dwh bigint not null default 0,
  electricity_fen bigint not null default 0,
  service_fen bigint not null default 0,
  occupancy_fen bigint not null default 0,
  paid_fen bigint not null default 0,
  gift_fen bigint not null default 0,
  refunds bigint not null default 0,
  refunded_fen bigint not null default 0,
  recharges bigint not null default 0,
  recharged_fen bigint not null default 0,
  recharge_gift_fen bigint not null default 0,
  recharge_refunds bigint not null default 0,
  recharge_refunded_fen bigint not null default 0,
  members bigint not null default 0,
  devices bigint not null default 0,
  faults bigint not null default 0,
  primary key (kind, organise_id, agent_id, site_id, district, day, device_type_id)
) with (fillfactor = 70);
-- Rankings go over everybody, or everybody in one region, on few days; maps over the regions of one organisation.
create index stat_day_ranking on stat_day (kind, day, district);
create index stat_day_regions on stat_day (organise_id, kind, day) where kind in (2, 8, 9);
call app.secure_tenant_table('stat_day');

create table stat_hour (like stat_day including defaults including constraints including storage) with (fillfactor = 70);
alter table stat_hour drop column day, add column hour timestamptz not null,
  add primary key (kind, organise_id, agent_id, site_id, district, hour, device_type_id);
create index stat_hour_ranking on stat_hour (kind, hour);
call app.secure_tenant_table('stat_hour');

-- Differences that are not yet added up.
create table stat_delta (like stat_day including defaults including storage);
alter table stat_delta drop column day, drop column kind, add column hour timestamptz not null, add column id bigint not null generated always as identity primary key;
alter table stat_delta alter agent_id drop not null, alter site_id drop not null, alter district set default '', alter device_type_id set default 0;
call app.secure_tenant_table('stat_delta');

-- What stands there now, by the same places.
create table stat_now (
  kind smallint not null check (kind between 0 and 9),
  organise_id bigint not null,
  agent_id bigint not null,
  site_id bigint not null,
  district text not null,
  device_type_id bigint not null,
  devices bigint not null default 0,
  online bigint not null default 0,
  ports bigint not null default 0,
  online_ports bigint not null default 0,
  free_ports bigint not null default 0,
  working_ports bigint not null default 0,
  fault_ports bigint not null default 0,
  appointed_ports bigint not null default 0,
  connected_ports bigint not null default 0,
  warning_ports bigint not null default 0,
  down_ports bigint not null default 0,
  members bigint not null default 0,
  primary key (kind, organise_id, agent_id, site_id, district, device_type_id)
) with (fillfactor = 70);
call app.secure_tenant_table('stat_now');
create table stat_now_delta (like stat_now including defaults including storage);
alter table stat_now_delta drop column kind, add column id bigint not null generated always as identity primary key;
alter table stat_now_delta alter agent_id drop not null, alter site_id drop not null, alter district set default '', alter device_type_id set default 0;
call app.secure_tenant_table('stat_now_delta');

-- The columns that are figures, of one of these tables.
create function app.stat_figures(of_table regclass) returns text[] language sql stable as $$
  select array_agg(attname::text order by attnum) from pg_attribute
  where attrelid = of_table and attnum > 0 and not attisdropped and attname not in ('id', 'day', 'hour', 'kind', 'organise_id', 'agent_id', 'site_id', 'district', 'device_type_id')
$$;

-- The regions of a district; '' of ''. Hong Kong and Macao are one city each, whose number does not begin those of its districts.
create function app.province_of(district text) returns text language sql immutable as $$ select case when district = '' then '' else left(district, 2) || '0000' end $$;
create function app.city_of(district text) returns text language sql immutable as $$
  select case when district = '' then '' when left(district, 2) in ('81', '82') then left(district, 2) || '0100' else left(district, 4) || '00' end $$;
-- The rows in which a difference counts.
create function app.stat_places(organise bigint, agent bigint, site bigint, district text)
returns table (kind smallint, organise_id bigint, agent_id bigint, site_id bigint, of_district text) language sql immutable as $$
  select * from (values
    (0::smallint, 0::bigint, 0::bigint, 0::bigint, ''),
    (1::smallint, 0::bigint, 0::bigint, 0::bigint, district),
    (2::smallint, organise, 0::bigint, 0::bigint, district),
    (3::smallint, organise, 0::bigint, 0::bigint, ''),
    (4::smallint, organise, agent, 0::bigint, ''),
    (5::smallint, organise, coalesce(agent, 0), site, ''),
    (6::smallint, 0::bigint, 0::bigint, 0::bigint, app.province_of(district)),
    (7::smallint, 0::bigint, 0::bigint, 0::bigint, app.city_of(district)),
    (8::smallint, organise, 0::bigint, 0::bigint, app.province_of(district)),
    (9::smallint, organise, 0::bigint, 0::bigint, app.city_of(district))) places (kind, organise_id, agent_id, site_id, of_district)
  where agent_id is not null and site_id is not null
$$;

-- Read these, not the tables: they hold what was not added up yet.
do $$
declare figures text := (select string_agg(name, ', ') from unnest(app.stat_figures('stat_day')) name);
  now_figures text := (select string_agg(name, ', ') from unnest(app.stat_figures('stat_now')) name);
begin
  execute format('create view stat_day_live with (security_invoker = true) as
    select day, kind, organise_id, agent_id, site_id, district, device_type_id, %1$s from stat_day
    union all
    select (delta.hour at time zone ''Asia/Shanghai'')::date, place.kind, place.organise_id, place.agent_id, place.site_id, place.of_district, delta.device_type_id, %1$s
    from stat_delta delta cross join lateral app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, delta.district) place', figures);
  execute format('create view stat_hour_live with (security_invoker = true) as
    select hour, kind, organise_id, agent_id, site_id, district, device_type_id, %1$s from stat_hour
    union all
    select delta.hour, place.kind, place.organise_id, place.agent_id, place.site_id, place.of_district, delta.device_type_id, %1$s
    from stat_delta delta cross join lateral app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, delta.district) place', figures);
  execute format('create view stat_now_live with (security_invoker = true) as
    select kind, organise_id, agent_id, site_id, district, device_type_id, %1$s from stat_now
    union all
    select place.kind, place.organise_id, place.agent_id, place.site_id, place.of_district, delta.device_type_id, %1$s
    from stat_now_delta delta cross join lateral app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, delta.district) place', now_figures);
end $$;

-- Adds up what is waiting; how much of it. One at a time: whoever comes second finds nothing to do.
create function app.fold_stats() returns bigint language plpgsql as $$
declare
  figures text[] := app.stat_figures('stat_day');
  now_figures text[] := app.stat_figures('stat_now');
  sums text;
  adds text;
  done bigint;
  more bigint;
  place constant text := 'place.kind, place.organise_id, place.agent_id, place.site_id, place.of_district, taken.device_type_id';
  own constant text := 'kind, organise_id, agent_id, site_id, district, device_type_id';
begin
  if not pg_try_advisory_xact_lock(hashtext('fold_stats')) then return 0; end if;
  select string_agg(format('sum(%I)', name), ', '), string_agg(format('%1$I = kept.%1$I + excluded.%1$I', name), ', ') into sums, adds from unnest(figures) name;
  execute format('with taken as (delete from stat_delta where id in (select id from stat_delta order by id limit 50000) returning *), placed as materialized (
      select hour, %1$s, %2$s from taken cross join lateral app.stat_places(taken.organise_id, taken.agent_id, taken.site_id, taken.district) place group by hour, %1$s
    ), hours as (
      insert into stat_hour as kept (hour, %3$s, %4$s) select * from placed on conflict (kind, organise_id, agent_id, site_id, district, hour, device_type_id) do update set %5$s
    ), days as (
      insert into stat_day as kept (day, %3$s, %4$s)
      select (hour at time zone ''Asia/Shanghai'')::date, kind, organise_id, agent_id, site_id, of_district, device_type_id, %6$s from placed as placed (hour, kind, organise_id, agent_id, site_id, of_district, device_type_id, %4$s) group by 1, 2, 3, 4, 5, 6, 7
      on conflict (kind, organise_id, agent_id, site_id, district, day, device_type_id) do update set %5$s
    ) select count(*) from taken', place, sums, own, array_to_string(figures, ', '), adds, sums) into done;
  select string_agg(format('sum(%I)', name), ', '), string_agg(format('%1$I = kept.%1$I + excluded.%1$I', name), ', ') into sums, adds from unnest(now_figures) name;
  execute format('with taken as (delete from stat_now_delta where id in (select id from stat_now_delta order by id limit 50000) returning *), rows_now as (
      insert into stat_now as kept (%3$s, %4$s)
      select %1$s, %2$s from taken cross join lateral app.stat_places(taken.organise_id, taken.agent_id, taken.site_id, taken.district) place group by %1$s
      on conflict (kind, organise_id, agent_id, site_id, district, device_type_id) do update set %5$s
    ) select count(*) from taken', place, sums, own, array_to_string(now_figures, ', '), adds) into more;
  return done + more;
end $$;

-- A charge counts in the hour in which it ended, also when its bill comes later; one that never began in that in which it was
-- let go. SECURITY DEFINER with the scope of the system, as all of these, reviewed: they only add to the differences what the
-- trigger hands them, and look up the district of its site.
create function app.count_order() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, device_type_id, orders, released, seconds, energy_dwh, electricity_fen, service_fen, occupancy_fen, paid_fen, gift_fen)
  select date_trunc('hour', case new.status when 3 then coalesce(new.ended_at, new.settled_at) else new.settled_at end), new.organise_id, new.agent_id, new.site_id,
    coalesce((select district_code from site where id = new.site_id), ''), new.device_type_id,
    (new.status = 3)::int, (new.status = 4)::int, case new.status when 3 then coalesce(new.duration_s, 0) else 0 end, case new.status when 3 then coalesce(new.energy_dwh, 0) else 0 end,
    new.electricity_fen, new.service_fen, new.occupancy_fen, new.paid_fen, new.gift_fen;
  return null;
end $$;
create trigger count_order_made after insert on charging_order for each row when (new.status in (3, 4)) execute function app.count_order();
create trigger count_order_ended after update of status on charging_order for each row when (new.status in (3, 4) and old.status <> new.status) execute function app.count_order();
-- One that was let go and whose bill came after all is looked at by a person: it does not count as let go any more.
create function app.uncount_order() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, device_type_id, released)
  select date_trunc('hour', old.settled_at), old.organise_id, old.agent_id, old.site_id, coalesce((select district_code from site where id = old.site_id), ''), old.device_type_id, -1;
  return null;
end $$;
create trigger uncount_order after update of status on charging_order for each row when (old.status = 4 and new.status = 5) execute function app.uncount_order();

create function app.count_recharge() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, recharges, recharged_fen, recharge_gift_fen)
  values (date_trunc('hour', new.paid_at), new.organise_id, new.agent_id, new.site_id, coalesce((select district_code from site where id = new.site_id), ''), 1, new.amount_fen, new.gift_fen);
  return null;
end $$;
create trigger count_recharge_made after insert on recharge_order for each row when (new.status = 2) execute function app.count_recharge();
create trigger count_recharge_paid after update of status on recharge_order for each row when (new.status = 2 and old.status <> 2) execute function app.count_recharge();

create function app.count_recharge_refund() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, recharge_refunds, recharge_refunded_fen)
  values (date_trunc('hour', new.arrived_at), new.organise_id, new.agent_id, new.site_id, coalesce((select district_code from site where id = new.site_id), ''), 1, new.amount_fen);
  return null;
end $$;
create trigger count_refund_made after insert on pay_refund for each row when (new.status = 3 and new.purpose = 1) execute function app.count_recharge_refund();
create trigger count_refund_arrived after update of status on pay_refund for each row when (new.status = 3 and old.status <> 3 and new.purpose = 1) execute function app.count_recharge_refund();

-- A member counts where the member stands, in the hour of registering; one who moves takes both along.
create function app.count_member() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  if tg_op = 'UPDATE' then
    insert into stat_delta (hour, organise_id, agent_id, site_id, district, members)
    values (date_trunc('hour', old.registered_at), old.organise_id, old.agent_id, old.site_id, coalesce((select district_code from site where id = old.site_id), ''), -1);
    insert into stat_now_delta (organise_id, agent_id, site_id, district, members)
    values (old.organise_id, old.agent_id, old.site_id, coalesce((select district_code from site where id = old.site_id), ''), -1);
  end if;
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, members)
  values (date_trunc('hour', new.registered_at), new.organise_id, new.agent_id, new.site_id, coalesce((select district_code from site where id = new.site_id), ''), 1);
  insert into stat_now_delta (organise_id, agent_id, site_id, district, members)
  values (new.organise_id, new.agent_id, new.site_id, coalesce((select district_code from site where id = new.site_id), ''), 1);
  return null;
end $$;
create trigger count_member_made after insert on member for each row execute function app.count_member();
create trigger count_member_moved after update of organise_id, agent_id, site_id, registered_at on member for each row when ((old.organise_id, old.agent_id, old.site_id, old.registered_at) is distinct from (new.organise_id, new.agent_id, new.site_id, new.registered_at)) execute function app.count_member();

-- Devices and their ports. One statement changes many of them, so the differences of a statement are taken together.
create function app.count_devices() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  if tg_op = 'INSERT' then
    insert into stat_delta (hour, organise_id, agent_id, site_id, district, device_type_id, devices)
    select date_trunc('hour', created_at), organise_id, agent_id, site_id, coalesce(district_code, ''), device_type_id, 1 from is_now;
    insert into stat_now_delta (organise_id, agent_id, site_id, district, device_type_id, devices, online, ports, online_ports, free_ports, working_ports, fault_ports, appointed_ports, connected_ports, warning_ports, down_ports)
    select organise_id, agent_id, site_id, coalesce(district_code, ''), device_type_id, 1, online::int, port_count, case when online then port_count else 0 end,
      free_ports, working_ports, fault_ports, appointed_ports, connected_ports, warning_ports, down_ports
    from is_now where deleted_at is null;
    return null;
  end if;
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, device_type_id, devices)
  select date_trunc('hour', d.created_at), d.organise_id, d.agent_id, d.site_id, coalesce(d.district_code, ''), d.device_type_id, d.sign
  from was join is_now using (id), lateral (values (-1, was.created_at, was.organise_id, was.agent_id, was.site_id, was.district_code, was.device_type_id),
    (1, is_now.created_at, is_now.organise_id, is_now.agent_id, is_now.site_id, is_now.district_code, is_now.device_type_id)) d (sign, created_at, organise_id, agent_id, site_id, district_code, device_type_id)
  where (was.created_at, was.organise_id, was.agent_id, was.site_id, was.district_code, was.device_type_id)
    is distinct from (is_now.created_at, is_now.organise_id, is_now.agent_id, is_now.site_id, is_now.district_code, is_now.device_type_id);
  insert into stat_now_delta (organise_id, agent_id, site_id, district, device_type_id, devices, online, ports, online_ports, free_ports, working_ports, fault_ports, appointed_ports, connected_ports, warning_ports, down_ports)
  select d.organise_id, d.agent_id, d.site_id, coalesce(d.district_code, ''), d.device_type_id, sum(sign), sum(sign * d.online::int), sum(sign * d.port_count), sum(case when d.online then sign * d.port_count else 0 end),
    sum(sign * d.free_ports), sum(sign * d.working_ports), sum(sign * d.fault_ports), sum(sign * d.appointed_ports), sum(sign * d.connected_ports), sum(sign * d.warning_ports), sum(sign * d.down_ports)
  from (select -1 as sign, was.* from was join is_now using (id) where was.* is distinct from is_now.* union all select 1, is_now.* from is_now join was using (id) where was.* is distinct from is_now.*) d
  where d.deleted_at is null
  group by d.organise_id, d.agent_id, d.site_id, coalesce(d.district_code, ''), d.device_type_id
  having sum(sign) <> 0 or sum(sign * d.online::int) <> 0 or sum(sign * d.port_count) <> 0 or sum(sign * d.free_ports) <> 0 or sum(sign * d.working_ports) <> 0 or sum(sign * d.fault_ports) <> 0
    or sum(sign * d.appointed_ports) <> 0 or sum(sign * d.connected_ports) <> 0 or sum(sign * d.warning_ports) <> 0 or sum(sign * d.down_ports) <> 0
    or sum(case when d.online then sign * d.port_count else 0 end) <> 0;
  return null;
end $$;
create trigger count_devices_made after insert on device referencing new table as is_now for each statement execute function app.count_devices();
create trigger count_devices_changed after update on device referencing old table as was new table as is_now for each statement execute function app.count_devices();

create function app.count_faults() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, device_type_id, faults)
  select date_trunc('hour', raised.created_at), raised.organise_id, raised.agent_id, raised.site_id, coalesce(site.district_code, ''), device.device_type_id, 1
  from raised join device on device.id = raised.device_id left join site on site.id = raised.site_id;
  return null;
end $$;
create trigger count_faults after insert on alarm referencing new table as raised for each statement execute function app.count_faults();

-- A site that is said to lie in another district takes its figures along. Devices do so by themselves.
create function app.move_stats() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
declare
  figures text[] := array_remove(app.stat_figures('stat_day'), 'devices');
begin
  execute format('insert into stat_delta (hour, organise_id, agent_id, site_id, district, device_type_id, %s)
    select hour, organise_id, nullif(agent_id, 0), site_id, place.district, device_type_id, %s from stat_hour_live, (values (-1, $2), (1, $3)) place (sign, district)
    where kind = 5 and organise_id = $4 and site_id = $1', array_to_string(figures, ', '), (select string_agg(format('place.sign * %I', name), ', ') from unnest(figures) name))
  using new.id, coalesce(old.district_code, ''), coalesce(new.district_code, ''), new.organise_id;
  insert into stat_now_delta (organise_id, agent_id, site_id, district, members)
  select organise_id, nullif(agent_id, 0), site_id, place.district, place.sign * members from stat_now_live, (values (-1, coalesce(old.district_code, '')), (1, coalesce(new.district_code, ''))) place (sign, district)
  where kind = 5 and organise_id = new.organise_id and site_id = new.id and members <> 0;
  return null;
end $$;
create trigger move_stats after update of district_code on site for each row when (old.district_code is distinct from new.district_code) execute function app.move_stats();

revoke all on function app.fold_stats from public;
grant select on stat_day, stat_hour, stat_delta, stat_now, stat_now_delta, stat_day_live, stat_hour_live, stat_now_live to wattdeck_api, wattdeck_worker;
grant insert, update, delete on stat_day, stat_hour, stat_delta, stat_now, stat_now_delta to wattdeck_worker;
grant execute on function app.fold_stats to wattdeck_worker;

-- Down Migration
-- Their triggers go with them.
drop function app.move_stats, app.count_faults, app.count_devices, app.count_member, app.count_recharge_refund, app.count_recharge, app.uncount_order, app.count_order, app.fold_stats cascade;
drop view stat_now_live, stat_hour_live, stat_day_live;
drop function app.stat_places, app.city_of, app.province_of, app.stat_figures;
drop table stat_now_delta, stat_now, stat_delta, stat_hour, stat_day;
