-- Up Migration

-- Visits (人次): charges of a known member that were billed. Counted from the day after this migration on, because the
-- past would have to be read as a whole; an installation without orders counts from its first. The moment lies ahead, so
-- that no transaction under way can be on either side of it.
do $$
begin
  perform set_config('app.scope_level', '0', true), set_config('app.organise_id', '0', true),
    set_config('app.agent_ids', '{}', true), set_config('app.site_ids', '{}', true);
  execute format(
    'create function app.visits_since() returns timestamptz language sql immutable parallel safe as %L',
    format(
      'select %L::timestamptz',
      case
        when exists (select from charging_order) then (date_trunc('day', now(), 'Asia/Shanghai') + interval '1 day')::text
        else '-infinity'
      end
    )
  );
end $$;
grant execute on function app.visits_since() to wattdeck_api, wattdeck_worker;

alter table stat_delta add column visits bigint not null default 0;
alter table stat_hour add column visits bigint not null default 0;
alter table stat_day add column visits bigint not null default 0;
alter table stat_month add column visits bigint not null default 0;

create or replace view stat_hour_live WITH (security_invoker='true') AS
 SELECT stat_hour.hour,
    stat_hour.kind,
    stat_hour.organise_id,
    stat_hour.agent_id,
    stat_hour.site_id,
    stat_hour.district,
    stat_hour.device_type_id,
    stat_hour.orders,
    stat_hour.released,
    stat_hour.seconds,
    stat_hour.energy_dwh,
    stat_hour.electricity_fen,
    stat_hour.service_fen,
    stat_hour.occupancy_fen,
    stat_hour.paid_fen,
    stat_hour.gift_fen,
    stat_hour.refunds,
    stat_hour.refunded_fen,
    stat_hour.recharges,
    stat_hour.recharged_fen,
    stat_hour.recharge_gift_fen,
    stat_hour.recharge_refunds,
    stat_hour.recharge_refunded_fen,
    stat_hour.members,
    stat_hour.devices,
    stat_hour.faults,
    stat_hour.visits
   FROM public.stat_hour
UNION ALL
 SELECT delta.hour,
    place.kind,
    place.organise_id,
    place.agent_id,
    place.site_id,
    place.of_district AS district,
    delta.device_type_id,
    delta.orders,
    delta.released,
    delta.seconds,
    delta.energy_dwh,
    delta.electricity_fen,
    delta.service_fen,
    delta.occupancy_fen,
    delta.paid_fen,
    delta.gift_fen,
    delta.refunds,
    delta.refunded_fen,
    delta.recharges,
    delta.recharged_fen,
    delta.recharge_gift_fen,
    delta.recharge_refunds,
    delta.recharge_refunded_fen,
    delta.members,
    delta.devices,
    delta.faults,
    delta.visits
   FROM (public.stat_delta delta
     CROSS JOIN LATERAL app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, delta.district) place(kind, organise_id, agent_id, site_id, of_district));

create or replace view stat_day_live WITH (security_invoker='true') AS
 SELECT stat_day.day,
    stat_day.kind,
    stat_day.organise_id,
    stat_day.agent_id,
    stat_day.site_id,
    stat_day.district,
    stat_day.device_type_id,
    stat_day.orders,
    stat_day.released,
    stat_day.seconds,
    stat_day.energy_dwh,
    stat_day.electricity_fen,
    stat_day.service_fen,
    stat_day.occupancy_fen,
    stat_day.paid_fen,
    stat_day.gift_fen,
    stat_day.refunds,
    stat_day.refunded_fen,
    stat_day.recharges,
    stat_day.recharged_fen,
    stat_day.recharge_gift_fen,
    stat_day.recharge_refunds,
    stat_day.recharge_refunded_fen,
    stat_day.members,
    stat_day.devices,
    stat_day.faults,
    stat_day.visits
   FROM public.stat_day
UNION ALL
 SELECT ((delta.hour AT TIME ZONE 'Asia/Shanghai'::text))::date AS day,
    place.kind,
    place.organise_id,
    place.agent_id,
    place.site_id,
    place.of_district AS district,
    delta.device_type_id,
    delta.orders,
    delta.released,
    delta.seconds,
    delta.energy_dwh,
    delta.electricity_fen,
    delta.service_fen,
    delta.occupancy_fen,
    delta.paid_fen,
    delta.gift_fen,
    delta.refunds,
    delta.refunded_fen,
    delta.recharges,
    delta.recharged_fen,
    delta.recharge_gift_fen,
    delta.recharge_refunds,
    delta.recharge_refunded_fen,
    delta.members,
    delta.devices,
    delta.faults,
    delta.visits
   FROM (public.stat_delta delta
     CROSS JOIN LATERAL app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, delta.district) place(kind, organise_id, agent_id, site_id, of_district));

create or replace view stat_month_live WITH (security_invoker='true') AS
 SELECT stat_month.month,
    stat_month.kind,
    stat_month.organise_id,
    stat_month.agent_id,
    stat_month.site_id,
    stat_month.district,
    stat_month.device_type_id,
    stat_month.orders,
    stat_month.released,
    stat_month.seconds,
    stat_month.energy_dwh,
    stat_month.electricity_fen,
    stat_month.service_fen,
    stat_month.occupancy_fen,
    stat_month.paid_fen,
    stat_month.gift_fen,
    stat_month.refunds,
    stat_month.refunded_fen,
    stat_month.recharges,
    stat_month.recharged_fen,
    stat_month.recharge_gift_fen,
    stat_month.recharge_refunds,
    stat_month.recharge_refunded_fen,
    stat_month.members,
    stat_month.devices,
    stat_month.faults,
    stat_month.visits
   FROM public.stat_month
UNION ALL
 SELECT (date_trunc('month'::text, (delta.hour AT TIME ZONE 'Asia/Shanghai'::text)))::date AS month,
    place.kind,
    place.organise_id,
    place.agent_id,
    place.site_id,
    place.of_district AS district,
    delta.device_type_id,
    delta.orders,
    delta.released,
    delta.seconds,
    delta.energy_dwh,
    delta.electricity_fen,
    delta.service_fen,
    delta.occupancy_fen,
    delta.paid_fen,
    delta.gift_fen,
    delta.refunds,
    delta.refunded_fen,
    delta.recharges,
    delta.recharged_fen,
    delta.recharge_gift_fen,
    delta.recharge_refunds,
    delta.recharge_refunded_fen,
    delta.members,
    delta.devices,
    delta.faults,
    delta.visits
   FROM (public.stat_delta delta
     CROSS JOIN LATERAL app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, delta.district) place(kind, organise_id, agent_id, site_id, of_district));

create or replace function app.count_order() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, device_type_id, orders, released, seconds, energy_dwh, electricity_fen, service_fen, occupancy_fen, paid_fen, gift_fen, visits)
  select date_trunc('hour', case new.status when 3 then coalesce(new.ended_at, new.settled_at) else new.settled_at end), new.organise_id, new.agent_id, new.site_id,
    coalesce((select district_code from site where id = new.site_id), ''), new.device_type_id,
    (new.status = 3)::int, (new.status = 4)::int, case new.status when 3 then coalesce(new.duration_s, 0) else 0 end, case new.status when 3 then coalesce(new.energy_dwh, 0) else 0 end,
    new.electricity_fen, new.service_fen, new.occupancy_fen, new.paid_fen, new.gift_fen,
    (new.status = 3 and new.member_id is not null and coalesce(new.ended_at, new.settled_at) >= app.visits_since())::int;
  return null;
end $$;

create or replace function app.stat_base(from_at timestamp with time zone, upto_at timestamp with time zone) RETURNS SETOF public.stat_delta
    LANGUAGE sql STABLE
    AS $$
  select organise_id, agent_id, site_id, district, device_type_id, orders, released, seconds, energy_dwh, electricity_fen, service_fen, occupancy_fen, paid_fen, gift_fen,
    refunds, refunded_fen, recharges, recharged_fen, recharge_gift_fen, recharge_refunds, recharge_refunded_fen, members, devices, faults, hour, 0::bigint as id, visits
  from (
    select date_trunc('hour', case o.status when 3 then coalesce(o.ended_at, o.settled_at) else o.settled_at end) as hour, o.organise_id, o.agent_id, o.site_id, o.device_type_id, coalesce(site.district_code, '') as district,
      (o.status = 3)::int as orders, (o.status = 4)::int as released, case o.status when 3 then coalesce(o.duration_s, 0) else 0 end as seconds, case o.status when 3 then coalesce(o.energy_dwh, 0) else 0 end as energy_dwh,
      o.electricity_fen, o.service_fen, o.occupancy_fen, o.paid_fen, o.gift_fen, 0 as refunds, 0 as refunded_fen, 0 as recharges, 0 as recharged_fen, 0 as recharge_gift_fen,
      0 as recharge_refunds, 0 as recharge_refunded_fen, 0 as members, 0 as devices, 0 as faults,
      (o.status = 3 and o.member_id is not null and coalesce(o.ended_at, o.settled_at) >= app.visits_since())::int as visits
    from charging_order o left join site on site.id = o.site_id where o.status in (3, 4)
    union all
    select date_trunc('hour', r.decided_at), r.organise_id, r.agent_id, r.site_id, o.device_type_id, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, r.amount_fen, 0, 0, 0, 0, 0, 0, 0, 0, 0
    from refund_order r join charging_order o on o.id = r.order_id left join site on site.id = r.site_id where r.status in (2, 4)
    union all
    select date_trunc('hour', r.paid_at), r.organise_id, r.agent_id, r.site_id, 0, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, r.amount_fen, r.gift_fen, 0, 0, 0, 0, 0, 0
    from recharge_order r left join site on site.id = r.site_id where r.status = 2
    union all
    select date_trunc('hour', r.arrived_at), r.organise_id, r.agent_id, r.site_id, 0, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, r.amount_fen, 0, 0, 0, 0
    from pay_refund r left join site on site.id = r.site_id where r.status = 3 and r.purpose = 1
    union all
    select date_trunc('hour', m.registered_at), m.organise_id, m.agent_id, m.site_id, 0, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0
    from member m left join site on site.id = m.site_id
    union all
    select date_trunc('hour', d.created_at), d.organise_id, d.agent_id, d.site_id, d.device_type_id, coalesce(d.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0 from device d
    union all
    select date_trunc('hour', a.created_at), a.organise_id, a.agent_id, a.site_id, d.device_type_id, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0
    from alarm a join device d on d.id = a.device_id left join site on site.id = a.site_id
  ) base where hour >= from_at and hour < upto_at
$$;

-- Down Migration
drop view stat_hour_live, stat_day_live, stat_month_live;
alter table stat_delta drop column visits;
alter table stat_hour drop column visits;
alter table stat_day drop column visits;
alter table stat_month drop column visits;
CREATE VIEW public.stat_hour_live WITH (security_invoker='true') AS
 SELECT stat_hour.hour,
    stat_hour.kind,
    stat_hour.organise_id,
    stat_hour.agent_id,
    stat_hour.site_id,
    stat_hour.district,
    stat_hour.device_type_id,
    stat_hour.orders,
    stat_hour.released,
    stat_hour.seconds,
    stat_hour.energy_dwh,
    stat_hour.electricity_fen,
    stat_hour.service_fen,
    stat_hour.occupancy_fen,
    stat_hour.paid_fen,
    stat_hour.gift_fen,
    stat_hour.refunds,
    stat_hour.refunded_fen,
    stat_hour.recharges,
    stat_hour.recharged_fen,
    stat_hour.recharge_gift_fen,
    stat_hour.recharge_refunds,
    stat_hour.recharge_refunded_fen,
    stat_hour.members,
    stat_hour.devices,
    stat_hour.faults
   FROM public.stat_hour
UNION ALL
 SELECT delta.hour,
    place.kind,
    place.organise_id,
    place.agent_id,
    place.site_id,
    place.of_district AS district,
    delta.device_type_id,
    delta.orders,
    delta.released,
    delta.seconds,
    delta.energy_dwh,
    delta.electricity_fen,
    delta.service_fen,
    delta.occupancy_fen,
    delta.paid_fen,
    delta.gift_fen,
    delta.refunds,
    delta.refunded_fen,
    delta.recharges,
    delta.recharged_fen,
    delta.recharge_gift_fen,
    delta.recharge_refunds,
    delta.recharge_refunded_fen,
    delta.members,
    delta.devices,
    delta.faults
   FROM (public.stat_delta delta
     CROSS JOIN LATERAL app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, delta.district) place(kind, organise_id, agent_id, site_id, of_district));

CREATE VIEW public.stat_day_live WITH (security_invoker='true') AS
 SELECT stat_day.day,
    stat_day.kind,
    stat_day.organise_id,
    stat_day.agent_id,
    stat_day.site_id,
    stat_day.district,
    stat_day.device_type_id,
    stat_day.orders,
    stat_day.released,
    stat_day.seconds,
    stat_day.energy_dwh,
    stat_day.electricity_fen,
    stat_day.service_fen,
    stat_day.occupancy_fen,
    stat_day.paid_fen,
    stat_day.gift_fen,
    stat_day.refunds,
    stat_day.refunded_fen,
    stat_day.recharges,
    stat_day.recharged_fen,
    stat_day.recharge_gift_fen,
    stat_day.recharge_refunds,
    stat_day.recharge_refunded_fen,
    stat_day.members,
    stat_day.devices,
    stat_day.faults
   FROM public.stat_day
UNION ALL
 SELECT ((delta.hour AT TIME ZONE 'Asia/Shanghai'::text))::date AS day,
    place.kind,
    place.organise_id,
    place.agent_id,
    place.site_id,
    place.of_district AS district,
    delta.device_type_id,
    delta.orders,
    delta.released,
    delta.seconds,
    delta.energy_dwh,
    delta.electricity_fen,
    delta.service_fen,
    delta.occupancy_fen,
    delta.paid_fen,
    delta.gift_fen,
    delta.refunds,
    delta.refunded_fen,
    delta.recharges,
    delta.recharged_fen,
    delta.recharge_gift_fen,
    delta.recharge_refunds,
    delta.recharge_refunded_fen,
    delta.members,
    delta.devices,
    delta.faults
   FROM (public.stat_delta delta
     CROSS JOIN LATERAL app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, delta.district) place(kind, organise_id, agent_id, site_id, of_district));

CREATE VIEW public.stat_month_live WITH (security_invoker='true') AS
 SELECT stat_month.month,
    stat_month.kind,
    stat_month.organise_id,
    stat_month.agent_id,
    stat_month.site_id,
    stat_month.district,
    stat_month.device_type_id,
    stat_month.orders,
    stat_month.released,
    stat_month.seconds,
    stat_month.energy_dwh,
    stat_month.electricity_fen,
    stat_month.service_fen,
    stat_month.occupancy_fen,
    stat_month.paid_fen,
    stat_month.gift_fen,
    stat_month.refunds,
    stat_month.refunded_fen,
    stat_month.recharges,
    stat_month.recharged_fen,
    stat_month.recharge_gift_fen,
    stat_month.recharge_refunds,
    stat_month.recharge_refunded_fen,
    stat_month.members,
    stat_month.devices,
    stat_month.faults
   FROM public.stat_month
UNION ALL
 SELECT (date_trunc('month'::text, (delta.hour AT TIME ZONE 'Asia/Shanghai'::text)))::date AS month,
    place.kind,
    place.organise_id,
    place.agent_id,
    place.site_id,
    place.of_district AS district,
    delta.device_type_id,
    delta.orders,
    delta.released,
    delta.seconds,
    delta.energy_dwh,
    delta.electricity_fen,
    delta.service_fen,
    delta.occupancy_fen,
    delta.paid_fen,
    delta.gift_fen,
    delta.refunds,
    delta.refunded_fen,
    delta.recharges,
    delta.recharged_fen,
    delta.recharge_gift_fen,
    delta.recharge_refunds,
    delta.recharge_refunded_fen,
    delta.members,
    delta.devices,
    delta.faults
   FROM (public.stat_delta delta
     CROSS JOIN LATERAL app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, delta.district) place(kind, organise_id, agent_id, site_id, of_district));
grant select on stat_hour_live, stat_day_live, stat_month_live to wattdeck_api, wattdeck_worker;

create or replace function app.count_order() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, device_type_id, orders, released, seconds, energy_dwh, electricity_fen, service_fen, occupancy_fen, paid_fen, gift_fen)
  select date_trunc('hour', case new.status when 3 then coalesce(new.ended_at, new.settled_at) else new.settled_at end), new.organise_id, new.agent_id, new.site_id,
    coalesce((select district_code from site where id = new.site_id), ''), new.device_type_id,
    (new.status = 3)::int, (new.status = 4)::int, case new.status when 3 then coalesce(new.duration_s, 0) else 0 end, case new.status when 3 then coalesce(new.energy_dwh, 0) else 0 end,
    new.electricity_fen, new.service_fen, new.occupancy_fen, new.paid_fen, new.gift_fen;
  return null;
end $$;

create or replace function app.stat_base(from_at timestamp with time zone, upto_at timestamp with time zone) RETURNS SETOF public.stat_delta
    LANGUAGE sql STABLE
    AS $$
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
drop function app.visits_since();
