-- Up Migration

-- A refund counts when it is decided: from then on the site does not have the money, wherever it is on its way.
-- SECURITY DEFINER with the scope of the system, reviewed: see count_order.
create function app.count_refund() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, device_type_id, refunds, refunded_fen)
  select date_trunc('hour', new.decided_at), new.organise_id, new.agent_id, new.site_id, coalesce(site.district_code, ''), o.device_type_id, 1, new.amount_fen
  from charging_order o left join site on site.id = new.site_id where o.id = new.order_id;
  return null;
end $$;
create trigger count_refund_made after insert on refund_order for each row when (new.status in (2, 4)) execute function app.count_refund();
create trigger count_refund_decided after update of status on refund_order for each row when (new.status in (2, 4) and old.status = 1) execute function app.count_refund();

-- The same differences, from the tables that they are of: what the figures must be.
create function app.stat_base(from_at timestamptz, upto_at timestamptz) returns setof stat_delta language sql stable as $$
  select organise_id, agent_id, site_id, district, device_type_id, orders, released, seconds, energy_dwh, electricity_fen, service_fen, occupancy_fen, paid_fen, gift_fen,
    refunds, refunded_fen, recharges, recharged_fen, recharge_gift_fen, recharge_refunds, recharge_refunded_fen, members, devices, faults, hour, 0::bigint as id
  from (
    select date_trunc('hour', case o.status when 3 then coalesce(o.ended_at, o.settled_at) else o.settled_at end) as hour, o.organise_id, o.agent_id, o.site_id, o.device_type_id, coalesce(site.district_code, '') as district,
      (o.status = 3)::int as orders, (o.status = 4)::int as released, case o.status when 3 then coalesce(o.duration_s, 0) else 0 end as seconds, case o.status when 3 then coalesce(o.energy_dwh, 0) else 0 end as energy_dwh,
      o.electricity_fen, o.service_fen, o.occupancy_fen, o.paid_fen, o.gift_fen, 0 as refunds, 0 as refunded_fen, 0 as recharges, 0 as recharged_fen, 0 as recharge_gift_fen,
      0 as recharge_refunds, 0 as recharge_refunded_fen, 0 as members, 0 as devices, 0 as faults
    from charging_order o left join site on site.id = o.site_id where o.status in (3, 4)
    union all
    select date_trunc('hour', r.decided_at), r.organise_id, r.agent_id, r.site_id, o.device_type_id, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, r.amount_fen, 0, 0, 0, 0, 0, 0, 0, 0
    from refund_order r join charging_order o on o.id = r.order_id left join site on site.id = r.site_id where r.status in (2, 4)
    union all
    select date_trunc('hour', r.paid_at), r.organise_id, r.agent_id, r.site_id, 0, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, r.amount_fen, r.gift_fen, 0, 0, 0, 0, 0
    from recharge_order r left join site on site.id = r.site_id where r.status = 2
    union all
    select date_trunc('hour', r.arrived_at), r.organise_id, r.agent_id, r.site_id, 0, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, r.amount_fen, 0, 0, 0
    from pay_refund r left join site on site.id = r.site_id where r.status = 3 and r.purpose = 1
    union all
    select date_trunc('hour', m.registered_at), m.organise_id, m.agent_id, m.site_id, 0, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0
    from member m left join site on site.id = m.site_id
    union all
    select date_trunc('hour', d.created_at), d.organise_id, d.agent_id, d.site_id, d.device_type_id, coalesce(d.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0 from device d
    union all
    select date_trunc('hour', a.created_at), a.organise_id, a.agent_id, a.site_id, d.device_type_id, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
    from alarm a join device d on d.id = a.device_id left join site on site.id = a.site_id
  ) base where hour >= from_at and hour < upto_at
$$;
create function app.stat_now_base() returns setof stat_now_delta language sql stable as $$
  select organise_id, agent_id, site_id, coalesce(district_code, ''), device_type_id, 1::bigint, online::int::bigint, port_count::bigint, case when online then port_count else 0 end::bigint, free_ports::bigint, working_ports::bigint,
    fault_ports::bigint, appointed_ports::bigint, connected_ports::bigint, warning_ports::bigint, down_ports::bigint, 0::bigint, 0::bigint from device where deleted_at is null
  union all
  select m.organise_id, m.agent_id, m.site_id, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0 from member m left join site on site.id = m.site_id
$$;

-- Where the figures are not what the tables say, for hours of days from `from_day` up to and without `upto_day`; and of what stands
-- there now. All in one snapshot.
create function app.stat_breaks(from_day date, upto_day date) returns table (what text, place text) language plpgsql stable as $$
declare
  sums text;
  differs text;
  from_at timestamptz := from_day::timestamp at time zone 'Asia/Shanghai';
  upto_at timestamptz := upto_day::timestamp at time zone 'Asia/Shanghai';
  places constant text := 'place.kind, place.organise_id, place.agent_id, place.site_id, place.of_district, base.device_type_id';
begin
  select string_agg(format('sum(%1$I)', name), ', '), string_agg(format('coalesce(sum(%1$I), 0) <> 0', name), ' or ') into sums, differs from unnest(app.stat_figures('stat_day')) name;
  return query execute format('with base as (select * from app.stat_base($1, $2)), difference as (
      select hour, kind, organise_id, agent_id, site_id, district, device_type_id, %1$s from stat_hour_live where hour >= $1 and hour < $2
      union all select hour, %2$s, %3$s from base cross join lateral app.stat_places(base.organise_id, base.agent_id, base.site_id, base.district) place)
    select ''hour'', concat_ws(''/'', hour, kind, organise_id, agent_id, site_id, district, device_type_id) from difference group by hour, kind, organise_id, agent_id, site_id, district, device_type_id having %4$s limit 100',
    array_to_string(app.stat_figures('stat_day'), ', '), places, (select string_agg('-' || name, ', ') from unnest(app.stat_figures('stat_day')) name), differs) using from_at, upto_at;
  return query execute format('with difference as (
      select day, kind, organise_id, agent_id, site_id, district, device_type_id, %1$s from stat_day_live where day >= $1 and day < $2
      union all select (hour at time zone ''Asia/Shanghai'')::date, kind, organise_id, agent_id, site_id, district, device_type_id, %2$s from stat_hour_live where hour >= $3 and hour < $4)
    select ''day'', concat_ws(''/'', day, kind, organise_id, agent_id, site_id, district, device_type_id) from difference group by day, kind, organise_id, agent_id, site_id, district, device_type_id having %3$s limit 100',
    array_to_string(app.stat_figures('stat_day'), ', '), (select string_agg('-' || name, ', ') from unnest(app.stat_figures('stat_day')) name), differs) using from_day, upto_day, from_at, upto_at;
  select string_agg(format('coalesce(sum(%1$I), 0) <> 0', name), ' or ') into differs from unnest(app.stat_figures('stat_now')) name;
  return query execute format('with base as (select * from app.stat_now_base()), difference as (
      select kind, organise_id, agent_id, site_id, district, device_type_id, %1$s from stat_now_live
      union all select %2$s, %3$s from base cross join lateral app.stat_places(base.organise_id, base.agent_id, base.site_id, base.district) place)
    select ''now'', concat_ws(''/'', kind, organise_id, agent_id, site_id, district, device_type_id) from difference group by kind, organise_id, agent_id, site_id, district, device_type_id having %4$s limit 100',
    array_to_string(app.stat_figures('stat_now'), ', '), places, (select string_agg('-' || name, ', ') from unnest(app.stat_figures('stat_now')) name), differs);
end $$;

-- Makes the figures of these days, and of what stands there now, anew from the tables. In a transaction of its own that is
-- REPEATABLE READ: what it sees in the tables it takes out of the differences, what comes meanwhile stays one and is added later.
create function app.rebuild_stats(from_day date, upto_day date) returns void language plpgsql as $$
declare
  figures text := array_to_string(app.stat_figures('stat_day'), ', ');
  now_figures text := array_to_string(app.stat_figures('stat_now'), ', ');
  from_at timestamptz := from_day::timestamp at time zone 'Asia/Shanghai';
  upto_at timestamptz := upto_day::timestamp at time zone 'Asia/Shanghai';
begin
  if current_setting('transaction_isolation') <> 'repeatable read' then raise exception 'figures are made anew in a repeatable read transaction'; end if;
  delete from stat_delta where hour >= from_at and hour < upto_at;
  delete from stat_hour where hour >= from_at and hour < upto_at;
  delete from stat_day where day >= from_day and day < upto_day;
  execute format('insert into stat_delta (hour, organise_id, agent_id, site_id, district, device_type_id, %1$s) select hour, organise_id, agent_id, site_id, district, device_type_id, %2$s
    from app.stat_base($1, $2) group by hour, organise_id, agent_id, site_id, district, device_type_id', figures, (select string_agg(format('sum(%I)', name), ', ') from unnest(app.stat_figures('stat_day')) name)) using from_at, upto_at;
  delete from stat_now_delta;
  delete from stat_now;
  execute format('insert into stat_now_delta (organise_id, agent_id, site_id, district, device_type_id, %1$s) select organise_id, agent_id, site_id, district, device_type_id, %2$s
    from app.stat_now_base() group by organise_id, agent_id, site_id, district, device_type_id', now_figures, (select string_agg(format('sum(%I)', name), ', ') from unnest(app.stat_figures('stat_now')) name));
end $$;

-- What is there already counts, too.
do $$
declare
  own constant text := 'organise_id, agent_id, site_id, district, device_type_id';
  figures text := array_to_string(app.stat_figures('stat_day'), ', ');
  now_figures text := array_to_string(app.stat_figures('stat_now'), ', ');
begin
  perform set_config('app.scope_level', '0', true), set_config('app.organise_id', '0', true), set_config('app.agent_ids', '{}', true), set_config('app.site_ids', '{}', true);
  execute format('insert into stat_delta (hour, %1$s, %2$s) select hour, %1$s, %2$s from app.stat_base(''-infinity'', ''infinity'')', own, figures);
  execute format('insert into stat_now_delta (%1$s, %2$s) select %1$s, %2$s from app.stat_now_base()', own, now_figures);
end $$;

revoke all on function app.stat_base, app.stat_now_base, app.stat_breaks, app.rebuild_stats from public;
grant execute on function app.stat_base, app.stat_now_base, app.stat_breaks, app.rebuild_stats to wattdeck_worker;

-- Down Migration
drop function app.rebuild_stats, app.stat_breaks, app.stat_now_base, app.stat_base;
drop function app.count_refund cascade;
