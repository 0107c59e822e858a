-- Up Migration

-- What lowered the price of an order, by kind, and the part of it that others than its site bear. Electricity, service
-- and total stay what the payer owes.
alter table charging_order
  add column benefits jsonb,
  add column discount_fen bigint not null default 0,
  add column coupon_fen bigint not null default 0,
  add column pass_fen bigint not null default 0,
  add column subsidy_fen bigint not null default 0;
alter table charging_order add constraint charging_order_discounts check (
  discount_fen >= 0 and coupon_fen >= 0 and pass_fen >= 0
  and subsidy_fen between 0 and discount_fen + coupon_fen + pass_fen
  and (status = 3 or discount_fen + coupon_fen + pass_fen = 0)
) not valid;

-- The part of a subsidy that returns to its funders with a refund.
alter table refund_order
  add column subsidy_fen bigint not null default 0,
  add column subsidies jsonb;
alter table refund_order add constraint refund_order_subsidy check (
  subsidy_fen >= 0 and (subsidy_fen > 0) = (subsidies is not null)
) not valid;

alter table stat_delta add column discount_fen bigint not null default 0;
alter table stat_hour add column discount_fen bigint not null default 0;
alter table stat_day add column discount_fen bigint not null default 0;
alter table stat_month add column discount_fen bigint not null default 0;

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
    stat_hour.visits,
    stat_hour.discount_fen
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
    delta.visits,
    delta.discount_fen
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
    stat_day.visits,
    stat_day.discount_fen
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
    delta.visits,
    delta.discount_fen
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
    stat_month.visits,
    stat_month.discount_fen
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
    delta.visits,
    delta.discount_fen
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
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, device_type_id, orders, released, seconds, energy_dwh, electricity_fen, service_fen, occupancy_fen, paid_fen, gift_fen, visits, discount_fen)
  select date_trunc('hour', case new.status when 3 then coalesce(new.ended_at, new.settled_at) else new.settled_at end), new.organise_id, new.agent_id, new.site_id,
    coalesce((select district_code from site where id = new.site_id), ''), new.device_type_id,
    (new.status = 3)::int, (new.status = 4)::int, case new.status when 3 then coalesce(new.duration_s, 0) else 0 end, case new.status when 3 then coalesce(new.energy_dwh, 0) else 0 end,
    new.electricity_fen, new.service_fen, new.occupancy_fen, new.paid_fen, new.gift_fen,
    (new.status = 3 and new.member_id is not null and coalesce(new.ended_at, new.settled_at) >= app.visits_since())::int,
    new.discount_fen + new.coupon_fen + new.pass_fen;
  return null;
end $$;

create or replace function app.stat_base(from_at timestamp with time zone, upto_at timestamp with time zone) RETURNS SETOF public.stat_delta
    LANGUAGE sql STABLE
    AS $$
  select organise_id, agent_id, site_id, district, device_type_id, orders, released, seconds, energy_dwh, electricity_fen, service_fen, occupancy_fen, paid_fen, gift_fen,
    refunds, refunded_fen, recharges, recharged_fen, recharge_gift_fen, recharge_refunds, recharge_refunded_fen, members, devices, faults, hour, 0::bigint as id, visits, discount_fen
  from (
    select date_trunc('hour', case o.status when 3 then coalesce(o.ended_at, o.settled_at) else o.settled_at end) as hour, o.organise_id, o.agent_id, o.site_id, o.device_type_id, coalesce(site.district_code, '') as district,
      (o.status = 3)::int as orders, (o.status = 4)::int as released, case o.status when 3 then coalesce(o.duration_s, 0) else 0 end as seconds, case o.status when 3 then coalesce(o.energy_dwh, 0) else 0 end as energy_dwh,
      o.electricity_fen, o.service_fen, o.occupancy_fen, o.paid_fen, o.gift_fen, 0 as refunds, 0 as refunded_fen, 0 as recharges, 0 as recharged_fen, 0 as recharge_gift_fen,
      0 as recharge_refunds, 0 as recharge_refunded_fen, 0 as members, 0 as devices, 0 as faults,
      (o.status = 3 and o.member_id is not null and coalesce(o.ended_at, o.settled_at) >= app.visits_since())::int as visits, o.discount_fen + o.coupon_fen + o.pass_fen as discount_fen
    from charging_order o left join site on site.id = o.site_id where o.status in (3, 4)
    union all
    select date_trunc('hour', r.decided_at), r.organise_id, r.agent_id, r.site_id, o.device_type_id, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, r.amount_fen, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    from refund_order r join charging_order o on o.id = r.order_id left join site on site.id = r.site_id where r.status in (2, 4)
    union all
    select date_trunc('hour', r.paid_at), r.organise_id, r.agent_id, r.site_id, 0, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, r.amount_fen, r.gift_fen, 0, 0, 0, 0, 0, 0, 0
    from recharge_order r left join site on site.id = r.site_id where r.status = 2
    union all
    select date_trunc('hour', r.arrived_at), r.organise_id, r.agent_id, r.site_id, 0, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, r.amount_fen, 0, 0, 0, 0, 0
    from pay_refund r left join site on site.id = r.site_id where r.status = 3 and r.purpose = 1
    union all
    select date_trunc('hour', m.registered_at), m.organise_id, m.agent_id, m.site_id, 0, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0
    from member m left join site on site.id = m.site_id
    union all
    select date_trunc('hour', d.created_at), d.organise_id, d.agent_id, d.site_id, d.device_type_id, coalesce(d.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0 from device d
    union all
    select date_trunc('hour', a.created_at), a.organise_id, a.agent_id, a.site_id, d.device_type_id, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0
    from alarm a join device d on d.id = a.device_id left join site on site.id = a.site_id
  ) base where hour >= from_at and hour < upto_at
$$;

create or replace procedure app.open_accounts(IN organises bigint[], IN kinds smallint[], IN owners bigint[])
    LANGUAGE plpgsql
    AS $$
begin
  insert into account (organise_id, agent_id, site_id, kind, owner_id, summed)
  select asked.organise, coalesce(member.agent_id, card.agent_id, site.agent_id, agent.id), coalesce(member.site_id, card.site_id, site.id), asked.kind, asked.owner_id,
    asked.kind in (21, 22, 23, 24, 42, 51, 52, 61, 62, 63, 64, 65)
  from (select distinct organise, kind, owner_id from unnest(organises, kinds, owners) as line (organise, kind, owner_id)) asked
  left join member on asked.kind between 1 and 9 and member.id = asked.owner_id and member.organise_id = asked.organise
  left join stored_card card on asked.kind between 11 and 14 and card.id = asked.owner_id and card.organise_id = asked.organise
  left join site on asked.kind in (21, 22, 23, 24, 33) and site.id = asked.owner_id and site.organise_id = asked.organise
  left join agent on asked.kind in (32, 65) and agent.id = asked.owner_id and agent.organise_id = asked.organise
  where case when asked.kind between 1 and 9 then member.id is not null when asked.kind between 11 and 14 then card.id is not null
    when asked.kind in (21, 22, 23, 24, 33) then site.id is not null when asked.kind in (32, 65) then agent.id is not null else true end
  order by asked.organise, asked.kind, asked.owner_id
  on conflict do nothing;
end $$;

create or replace function app.order_breaks(organise bigint DEFAULT NULL::bigint) RETURNS TABLE(organise_id bigint, what text, ref text)
    LANGUAGE sql STABLE
    AS $$
  with held as (
    select account.organise_id, case when account.kind in (3, 4) then 'member ' else 'card ' end || account.owner_id as payer, account.kind in (3, 13) as own, balance_fen as fen
    from account where account.kind in (3, 4, 13, 14) and (organise is null or account.organise_id = organise)
    union all
    select o.organise_id, coalesce('card ' || o.card_id, 'member ' || o.member_id), part.own, -part.fen
    from charging_order o, lateral (values (true, o.held_paid_fen), (false, o.held_gift_fen)) part (own, fen)
    where o.status in (1, 2, 5) and part.fen > 0 and (organise is null or o.organise_id = organise)
  ), subsidised as (
    -- What others than the site bear of each order: both sides of the posting.
    select entry.organise_id, entry.ref, sum(entry.amount_fen) filter (where account.kind = 24) as fen, -sum(entry.amount_fen) filter (where account.kind > 24) as borne
    from entry join account on account.id = entry.account_id
    where entry.kind = 5 and account.kind in (24, 63, 64, 65) and (organise is null or entry.organise_id = organise) group by 1, 2
  ), promised as (
    select o.organise_id, o.id::text as ref, o.subsidy_fen as fen from charging_order o where o.subsidy_fen > 0 and (organise is null or o.organise_id = organise)
  ), billed as (
    -- What sites got of each order.
    select entry.organise_id, entry.ref, sum(entry.amount_fen) as fen from entry join account on account.id = entry.account_id
    where entry.kind = 5 and account.kind in (21, 22, 23) and (organise is null or entry.organise_id = organise) group by 1, 2
  ), owed as (
    select o.organise_id, o.id::text as ref, o.total_fen as fen from charging_order o where o.status = 3 and o.total_fen > 0 and (organise is null or o.organise_id = organise)
  )
  select held.organise_id, 'held', payer from held group by 1, 3, own having sum(fen) <> 0
  union all
  select coalesce(billed.organise_id, owed.organise_id), 'bill', coalesce(billed.ref, owed.ref)
  from billed full join owed on owed.organise_id = billed.organise_id and owed.ref = billed.ref
  where billed.fen is distinct from owed.fen and coalesce(billed.fen, 0) <> coalesce(owed.fen, 0)
  union all
  select coalesce(subsidised.organise_id, promised.organise_id), 'subsidy', coalesce(subsidised.ref, promised.ref)
  from subsidised full join promised on promised.organise_id = subsidised.organise_id and promised.ref = subsidised.ref
  where coalesce(subsidised.fen, 0) <> coalesce(promised.fen, 0) or coalesce(subsidised.borne, 0) <> coalesce(promised.fen, 0)
$$;

create or replace function app.prove_orders(again boolean, slice integer) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
  mark ledger_proof;
  since bigint;
  goal bigint := app.message_id(now() - interval '2 days');
  last_id bigint;
  read bigint;
  breaks jsonb;
begin
  select * into mark from ledger_proof where id = 1 for update skip locked;
  if not found then return '{"more": false, "read": 0, "breaks": []}'; end if;
  if again then
    goal := mark.order_id;
    since := case when mark.again_order_id >= goal then 0 else mark.again_order_id end;
  else
    since := mark.order_id;
  end if;
  with checked as materialized (
    select id, charging_order.organise_id, status, total_fen, subsidy_fen
    from charging_order
    where id > since and id < goal
    order by id
    limit slice
  )
  select
    count(*),
    max(checked.id),
    coalesce(jsonb_agg(jsonb_build_object('organise_id', checked.organise_id, 'what', 'bill', 'ref', checked.id)) filter (
      where billed.fen <> case when checked.status = 3 then checked.total_fen else 0 end
        or billed.subsidy <> checked.subsidy_fen or billed.borne <> checked.subsidy_fen
    ), '[]')
  into read, last_id, breaks
  from checked
  cross join lateral (
    select coalesce(sum(entry.amount_fen) filter (where account.kind in (21, 22, 23)), 0) as fen,
      coalesce(sum(entry.amount_fen) filter (where account.kind = 24), 0) as subsidy,
      coalesce(-sum(entry.amount_fen) filter (where account.kind in (63, 64, 65)), 0) as borne
    from entry
    join account on account.id = entry.account_id
    where entry.ref = checked.id::text
      and entry.organise_id = checked.organise_id
      and entry.kind = 5
      and account.kind in (21, 22, 23, 24, 63, 64, 65)
  ) billed;
  if breaks = '[]' then
    update ledger_proof set
      order_id = case when again then order_id else coalesce(last_id, order_id) end,
      again_order_id = case when not again then again_order_id when read < slice then order_id else last_id end,
      proven_at = now()
    where id = 1;
  end if;
  return jsonb_build_object('more', breaks = '[]' and read = slice, 'read', read, 'breaks', breaks);
end $$;

-- Down Migration
drop view stat_hour_live, stat_day_live, stat_month_live;
alter table stat_delta drop column discount_fen;
alter table stat_hour drop column discount_fen;
alter table stat_day drop column discount_fen;
alter table stat_month drop column discount_fen;
create view stat_hour_live WITH (security_invoker='true') AS
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
GRANT SELECT ON TABLE public.stat_hour_live TO wattdeck_api;
GRANT SELECT ON TABLE public.stat_hour_live TO wattdeck_worker;
create view stat_day_live WITH (security_invoker='true') AS
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
GRANT SELECT ON TABLE public.stat_day_live TO wattdeck_api;
GRANT SELECT ON TABLE public.stat_day_live TO wattdeck_worker;
create view stat_month_live WITH (security_invoker='true') AS
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
GRANT SELECT ON TABLE public.stat_month_live TO wattdeck_api;
GRANT SELECT ON TABLE public.stat_month_live TO wattdeck_worker;
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
create or replace procedure app.open_accounts(IN organises bigint[], IN kinds smallint[], IN owners bigint[])
    LANGUAGE plpgsql
    AS $$
begin
  insert into account (organise_id, agent_id, site_id, kind, owner_id, summed)
  select asked.organise, coalesce(member.agent_id, card.agent_id, site.agent_id, agent.id), coalesce(member.site_id, card.site_id, site.id), asked.kind, asked.owner_id,
    asked.kind in (21, 22, 23, 42, 51, 52, 61, 62)
  from (select distinct organise, kind, owner_id from unnest(organises, kinds, owners) as line (organise, kind, owner_id)) asked
  left join member on asked.kind between 1 and 9 and member.id = asked.owner_id and member.organise_id = asked.organise
  left join stored_card card on asked.kind between 11 and 14 and card.id = asked.owner_id and card.organise_id = asked.organise
  left join site on asked.kind in (21, 22, 23, 33) and site.id = asked.owner_id and site.organise_id = asked.organise
  left join agent on asked.kind = 32 and agent.id = asked.owner_id and agent.organise_id = asked.organise
  where case when asked.kind between 1 and 9 then member.id is not null when asked.kind between 11 and 14 then card.id is not null
    when asked.kind in (21, 22, 23, 33) then site.id is not null when asked.kind = 32 then agent.id is not null else true end
  order by asked.organise, asked.kind, asked.owner_id
  on conflict do nothing;
end $$;
create or replace function app.order_breaks(organise bigint DEFAULT NULL::bigint) RETURNS TABLE(organise_id bigint, what text, ref text)
    LANGUAGE sql STABLE
    AS $$
  with held as (
    select account.organise_id, case when account.kind in (3, 4) then 'member ' else 'card ' end || account.owner_id as payer, account.kind in (3, 13) as own, balance_fen as fen
    from account where account.kind in (3, 4, 13, 14) and (organise is null or account.organise_id = organise)
    union all
    select o.organise_id, coalesce('card ' || o.card_id, 'member ' || o.member_id), part.own, -part.fen
    from charging_order o, lateral (values (true, o.held_paid_fen), (false, o.held_gift_fen)) part (own, fen)
    where o.status in (1, 2, 5) and part.fen > 0 and (organise is null or o.organise_id = organise)
  ), billed as (
    -- What sites got of each order.
    select entry.organise_id, entry.ref, sum(entry.amount_fen) as fen from entry join account on account.id = entry.account_id
    where entry.kind = 5 and account.kind in (21, 22, 23) and (organise is null or entry.organise_id = organise) group by 1, 2
  ), owed as (
    select o.organise_id, o.id::text as ref, o.total_fen as fen from charging_order o where o.status = 3 and o.total_fen > 0 and (organise is null or o.organise_id = organise)
  )
  select held.organise_id, 'held', payer from held group by 1, 3, own having sum(fen) <> 0
  union all
  select coalesce(billed.organise_id, owed.organise_id), 'bill', coalesce(billed.ref, owed.ref)
  from billed full join owed on owed.organise_id = billed.organise_id and owed.ref = billed.ref
  where billed.fen is distinct from owed.fen and coalesce(billed.fen, 0) <> coalesce(owed.fen, 0)
$$;
create or replace function app.prove_orders(again boolean, slice integer) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
  mark ledger_proof;
  since bigint;
  goal bigint := app.message_id(now() - interval '2 days');
  last_id bigint;
  read bigint;
  breaks jsonb;
begin
  select * into mark from ledger_proof where id = 1 for update skip locked;
  if not found then return '{"more": false, "read": 0, "breaks": []}'; end if;
  if again then
    goal := mark.order_id;
    since := case when mark.again_order_id >= goal then 0 else mark.again_order_id end;
  else
    since := mark.order_id;
  end if;
  with checked as materialized (
    select id, charging_order.organise_id, status, total_fen
    from charging_order
    where id > since and id < goal
    order by id
    limit slice
  )
  select
    count(*),
    max(checked.id),
    coalesce(jsonb_agg(jsonb_build_object('organise_id', checked.organise_id, 'what', 'bill', 'ref', checked.id)) filter (
      where billed.fen <> case when checked.status = 3 then checked.total_fen else 0 end
    ), '[]')
  into read, last_id, breaks
  from checked
  cross join lateral (
    select coalesce(sum(entry.amount_fen), 0) as fen
    from entry
    join account on account.id = entry.account_id
    where entry.ref = checked.id::text
      and entry.organise_id = checked.organise_id
      and entry.kind = 5
      and account.kind in (21, 22, 23)
  ) billed;
  if breaks = '[]' then
    update ledger_proof set
      order_id = case when again then order_id else coalesce(last_id, order_id) end,
      again_order_id = case when not again then again_order_id when read < slice then order_id else last_id end,
      proven_at = now()
    where id = 1;
  end if;
  return jsonb_build_object('more', breaks = '[]' and read = slice, 'read', read, 'breaks', breaks);
end $$;
alter table refund_order drop column subsidy_fen, drop column subsidies;
alter table charging_order drop column benefits, drop column discount_fen, drop column coupon_fen, drop column pass_fen, drop column subsidy_fen;
