-- Up Migration

-- What the big screen shows and the figures of 0050 do not hold: months, so that a year or all of time is few rows; how many
-- devices have a service that ends or has ended; what single devices brought; the latest charges of every place.

-- Months are the sums of days, by a trigger: whatever is done to days is done to months. SECURITY DEFINER with the scope of the
-- system, as all of these, reviewed: see count_order of 0050.
create table stat_month (like stat_day including defaults including constraints including storage) with (fillfactor = 70);
alter table stat_month drop column day, add column month date not null check (extract(day from month) = 1),
  add primary key (kind, organise_id, agent_id, site_id, district, month, device_type_id);
create index stat_month_ranking on stat_month (kind, month, district);
create index stat_month_regions on stat_month (organise_id, kind, month) where kind in (2, 8, 9);
create index stat_month_sites on stat_month (organise_id, month) where kind = 5;
call app.secure_tenant_table('stat_month');
-- The sites of an organisation on one day, and named sites.
create index stat_day_sites on stat_day (organise_id, day) where kind = 5;
create index stat_day_site on stat_day (site_id, day) where kind = 5;

create function app.add_months() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
declare
  own constant text := 'kind, organise_id, agent_id, site_id, district, device_type_id';
  source constant text := case tg_op when 'INSERT' then 'select 1 as sign, * from is_now' when 'DELETE' then 'select -1 as sign, * from was'
    else 'select -1 as sign, * from was union all select 1, * from is_now' end;
  figures text;
  sums text;
  adds text;
begin
  select string_agg(name, ', '), string_agg(format('sum(sign * %I)', name), ', '), string_agg(format('%1$I = kept.%1$I + excluded.%1$I', name), ', ')
    into figures, sums, adds from unnest(app.stat_figures('stat_day')) name;
  execute format('insert into stat_month as kept (month, %1$s, %2$s) select date_trunc(''month'', day::timestamp)::date, %1$s, %3$s from (%4$s) changed group by 1, %1$s
    on conflict (kind, organise_id, agent_id, site_id, district, month, device_type_id) do update set %5$s', own, figures, sums, source, adds);
  return null;
end $$;
create trigger add_months_made after insert on stat_day referencing new table as is_now for each statement execute function app.add_months();
create trigger add_months_changed after update on stat_day referencing old table as was new table as is_now for each statement execute function app.add_months();
create trigger add_months_gone after delete on stat_day referencing old table as was for each statement execute function app.add_months();

do $$
declare figures text := (select string_agg(name, ', ') from unnest(app.stat_figures('stat_day')) name);
begin
  execute format('create view stat_month_live with (security_invoker = true) as
    select month, kind, organise_id, agent_id, site_id, district, device_type_id, %1$s from stat_month
    union all
    select date_trunc(''month'', delta.hour at time zone ''Asia/Shanghai'')::date, place.kind, place.organise_id, place.agent_id, place.site_id, place.of_district, delta.device_type_id, %1$s
    from stat_delta delta cross join lateral app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, delta.district) place', figures);
end $$;

-- Devices by the state of their service, beside the others that stand there now.
alter table stat_now add column expiring bigint not null default 0, add column expired bigint not null default 0;
alter table stat_now_delta add column expiring bigint not null default 0, add column expired bigint not null default 0;
create index stat_now_site on stat_now (site_id) where kind = 5;
create index stat_now_members on stat_now (kind, district) where device_type_id = 0;
do $$
declare figures text := (select string_agg(name, ', ') from unnest(app.stat_figures('stat_now')) name);
begin
  execute format('create or replace view stat_now_live with (security_invoker = true) as
    select kind, organise_id, agent_id, site_id, district, device_type_id, %1$s from stat_now
    union all
    select place.kind, place.organise_id, place.agent_id, place.site_id, place.of_district, delta.device_type_id, %1$s
    from stat_now_delta delta cross join lateral app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, delta.district) place', figures);
end $$;
create or replace function app.stat_now_base() returns setof stat_now_delta language sql stable as $$
  select organise_id, agent_id, site_id, coalesce(district_code, ''), device_type_id, 1::bigint, online::int::bigint, port_count::bigint, case when online then port_count else 0 end::bigint, free_ports::bigint, working_ports::bigint,
    fault_ports::bigint, appointed_ports::bigint, connected_ports::bigint, warning_ports::bigint, down_ports::bigint, 0::bigint, 0::bigint, (service_status = 2)::int::bigint, (service_status = 3)::int::bigint
  from device where deleted_at is null
  union all
  select m.organise_id, m.agent_id, m.site_id, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0 from member m left join site on site.id = m.site_id
$$;
create function app.count_service() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  if tg_op = 'INSERT' then
    insert into stat_now_delta (organise_id, agent_id, site_id, district, device_type_id, expiring, expired)
    select organise_id, agent_id, site_id, coalesce(district_code, ''), device_type_id, (service_status = 2)::int, (service_status = 3)::int
    from is_now where deleted_at is null and service_status > 1;
    return null;
  end if;
  insert into stat_now_delta (organise_id, agent_id, site_id, district, device_type_id, expiring, expired)
  select d.organise_id, d.agent_id, d.site_id, coalesce(d.district_code, ''), d.device_type_id, sum(sign * (d.service_status = 2)::int), sum(sign * (d.service_status = 3)::int)
  from (select -1 as sign, was.* from was where was.service_status > 1 union all select 1, is_now.* from is_now where is_now.service_status > 1) d
  where d.deleted_at is null
  group by d.organise_id, d.agent_id, d.site_id, coalesce(d.district_code, ''), d.device_type_id
  having sum(sign * (d.service_status = 2)::int) <> 0 or sum(sign * (d.service_status = 3)::int) <> 0;
  return null;
end $$;
create trigger count_service_made after insert on device referencing new table as is_now for each statement execute function app.count_service();
create trigger count_service_changed after update on device referencing old table as was new table as is_now for each statement execute function app.count_service();

-- What a device brought at a place, today and yesterday (span 1), this month and the last (span 2). Every index ends with the
-- class and what was brought: the ten best of a place are found without looking at the others.
create table stat_device (
  span smallint not null check (span in (1, 2)), period date not null, organise_id bigint not null, agent_id bigint not null, site_id bigint not null, district text not null,
  category_id bigint not null, device_id bigint not null, orders bigint not null, turnover_fen bigint not null,
  primary key (span, period, device_id, organise_id, agent_id, site_id, category_id)
) with (fillfactor = 70);
create index stat_device_all on stat_device (span, period, category_id, turnover_fen desc, device_id);
create index stat_device_district on stat_device (district, span, period, category_id, turnover_fen desc, device_id);
create index stat_device_organise on stat_device (organise_id, span, period, category_id, turnover_fen desc, device_id);
create index stat_device_area on stat_device (organise_id, district, span, period, category_id, turnover_fen desc, device_id);
create index stat_device_agent on stat_device (organise_id, agent_id, span, period, category_id, turnover_fen desc, device_id);
create index stat_device_site on stat_device (organise_id, site_id, span, period, category_id, turnover_fen desc, device_id);
call app.secure_tenant_table('stat_device');
create table stat_device_delta (
  id bigint not null generated always as identity primary key, day date not null, organise_id bigint not null, agent_id bigint not null, site_id bigint not null,
  category_id bigint not null, device_id bigint not null, orders bigint not null, turnover_fen bigint not null
);
call app.secure_tenant_table('stat_device_delta');

-- The latest twenty bills of each class at each site of each agent: whatever place is asked for, its latest twenty are among
-- these. Those that twenty others have followed are removed when figures are added up.
create table stat_latest (
  order_id bigint not null primary key, settled_at timestamptz not null, organise_id bigint not null, agent_id bigint not null, site_id bigint not null, district text not null,
  category_id bigint not null, fresh boolean not null default true
);
create index stat_latest_all on stat_latest (category_id, settled_at desc, order_id desc);
create index stat_latest_district on stat_latest (district, category_id, settled_at desc, order_id desc);
create index stat_latest_organise on stat_latest (organise_id, category_id, settled_at desc, order_id desc);
create index stat_latest_area on stat_latest (organise_id, district, category_id, settled_at desc, order_id desc);
create index stat_latest_agent on stat_latest (organise_id, agent_id, category_id, settled_at desc, order_id desc);
create index stat_latest_site on stat_latest (organise_id, site_id, category_id, settled_at desc, order_id desc);
create index stat_latest_fresh on stat_latest (order_id) where fresh;
call app.secure_tenant_table('stat_latest');

create function app.rank_order() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
declare
  class bigint := (select category_id from device_type where id = new.device_type_id);
begin
  insert into stat_device_delta (day, organise_id, agent_id, site_id, category_id, device_id, orders, turnover_fen)
  values ((coalesce(new.ended_at, new.settled_at) at time zone 'Asia/Shanghai')::date, new.organise_id, coalesce(new.agent_id, 0), coalesce(new.site_id, 0), class, new.device_id, 1, new.total_fen);
  insert into stat_latest (order_id, settled_at, organise_id, agent_id, site_id, district, category_id)
  values (new.id, new.settled_at, new.organise_id, coalesce(new.agent_id, 0), coalesce(new.site_id, 0), coalesce((select district_code from site where id = new.site_id), ''), class);
  return null;
end $$;
create trigger rank_order_made after insert on charging_order for each row when (new.status = 3) execute function app.rank_order();
create trigger rank_order_ended after update of status on charging_order for each row when (new.status = 3 and old.status <> 3) execute function app.rank_order();

-- A site that is said to lie in another district takes these along.
create function app.move_rankings() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  update stat_device set district = coalesce(new.district_code, '') where organise_id = new.organise_id and site_id = new.id;
  update stat_latest set district = coalesce(new.district_code, '') where organise_id = new.organise_id and site_id = new.id;
  return null;
end $$;
create trigger move_rankings after update of district_code on site for each row when (old.district_code is distinct from new.district_code) execute function app.move_rankings();

create function app.fold_rankings() returns bigint language plpgsql as $$
declare
  today date := (now() at time zone 'Asia/Shanghai')::date;
  done bigint;
  seen bigint[];
begin
  if not pg_try_advisory_xact_lock(hashtext('fold_stats')) then return 0; end if;
  with taken as (delete from stat_device_delta where id in (select id from stat_device_delta order by id limit 50000) returning *), added as (
    insert into stat_device as kept (span, period, device_id, organise_id, agent_id, site_id, category_id, district, orders, turnover_fen)
    select spans.span, case spans.span when 1 then taken.day else date_trunc('month', taken.day::timestamp)::date end, taken.device_id, taken.organise_id, taken.agent_id, taken.site_id, taken.category_id,
      coalesce(max(site.district_code), ''), sum(taken.orders), sum(taken.turnover_fen)
    from taken cross join (values (1::smallint), (2::smallint)) spans (span) left join site on site.id = taken.site_id group by 1, 2, 3, 4, 5, 6, 7
    on conflict (span, period, device_id, organise_id, agent_id, site_id, category_id)
      do update set orders = kept.orders + excluded.orders, turnover_fen = kept.turnover_fen + excluded.turnover_fen, district = excluded.district
  ) select count(*) into done from taken;
  delete from stat_device where ctid in (select ctid from stat_device where span = 1 and period < today - 1 limit 20000);
  delete from stat_device where ctid in (select ctid from stat_device where span = 2 and period < date_trunc('month', today::timestamp)::date - interval '1 month' limit 20000);
  select array_agg(order_id) into seen from (select order_id from stat_latest where fresh limit 50000) few;
  if seen is null then return done; end if;
  delete from stat_latest where order_id in (
    select followed.order_id from (select distinct organise_id, agent_id, site_id, category_id from stat_latest where order_id = any(seen)) place
    cross join lateral (select order_id from stat_latest own where own.organise_id = place.organise_id and own.site_id = place.site_id and own.category_id = place.category_id and own.agent_id = place.agent_id
      order by settled_at desc, order_id desc offset 20) followed);
  update stat_latest set fresh = false where order_id = any(seen);
  return greatest(done, cardinality(seen));
end $$;

-- What orders say of devices, for the days of this month and the last.
create function app.rankings_base() returns table (day date, organise_id bigint, agent_id bigint, site_id bigint, category_id bigint, device_id bigint, orders bigint, turnover_fen bigint) language sql stable as $$
  select (coalesce(o.ended_at, o.settled_at) at time zone 'Asia/Shanghai')::date, o.organise_id, coalesce(o.agent_id, 0), coalesce(o.site_id, 0), type.category_id, o.device_id, count(*), sum(o.total_fen)::bigint
  from charging_order o join device_type type on type.id = o.device_type_id
  where o.status = 3 and coalesce(o.ended_at, o.settled_at) >= (date_trunc('month', now() at time zone 'Asia/Shanghai') - interval '1 month') at time zone 'Asia/Shanghai'
  group by 1, 2, 3, 4, 5, 6
$$;

-- Where months, rankings and the latest charges are not what days and orders say.
create function app.ranking_breaks(from_day date, upto_day date) returns table (what text, place text) language plpgsql stable as $$
declare
  own constant text := 'month, kind, organise_id, agent_id, site_id, district, device_type_id';
  today date := (now() at time zone 'Asia/Shanghai')::date;
begin
  return query execute format('with difference as (
      select %1$s, %2$s from stat_month_live where month >= date_trunc(''month'', $1::timestamp) and month < $2
      union all select date_trunc(''month'', day::timestamp)::date, kind, organise_id, agent_id, site_id, district, device_type_id, %3$s from stat_day_live
        where day >= date_trunc(''month'', $1::timestamp) and day < date_trunc(''month'', $2::timestamp - interval ''1 day'') + interval ''1 month'')
    select ''month'', concat_ws(''/'', %1$s) from difference group by %1$s having %4$s limit 100', own, array_to_string(app.stat_figures('stat_day'), ', '),
    (select string_agg('-' || name, ', ') from unnest(app.stat_figures('stat_day')) name),
    (select string_agg(format('sum(%I) <> 0', name), ' or ') from unnest(app.stat_figures('stat_day')) name)) using from_day, upto_day;
  return query with spans (span, period) as (values (1::smallint, today), (2::smallint, date_trunc('month', today::timestamp)::date)), difference as (
      select d.span, d.device_id, d.organise_id, d.agent_id, d.site_id, d.category_id, d.district, d.orders, d.turnover_fen from stat_device d join spans using (span, period)
      union all
      select s.span, b.device_id, b.organise_id, b.agent_id, b.site_id, b.category_id, coalesce(site.district_code, ''), b.sign * b.orders, b.sign * b.turnover_fen
      from spans s join (select -1 as sign, base.* from app.rankings_base() base union all select 1, delta.day, delta.organise_id, delta.agent_id, delta.site_id, delta.category_id, delta.device_id, delta.orders, delta.turnover_fen from stat_device_delta delta) b
        on b.day >= s.period and (s.span = 2 or b.day = s.period) and b.day < s.period + case s.span when 1 then interval '1 day' else interval '1 month' end
      left join site on site.id = b.site_id)
    select 'device', concat_ws('/', difference.span, difference.device_id, difference.organise_id, difference.agent_id, difference.site_id, difference.category_id, difference.district)
    from difference group by difference.span, difference.device_id, difference.organise_id, difference.agent_id, difference.site_id, difference.category_id, difference.district
    having sum(difference.orders) <> 0 or sum(difference.turnover_fen) <> 0 limit 100;
  return query select 'latest', o.id::text from charging_order o join device_type type on type.id = o.device_type_id
    where o.status = 3 and o.settled_at >= from_day::timestamp at time zone 'Asia/Shanghai' and o.settled_at < upto_day::timestamp at time zone 'Asia/Shanghai'
      and not exists (select from stat_latest l where l.order_id = o.id)
      and 20 > (select count(*) from (select from stat_latest l where l.organise_id = o.organise_id and l.agent_id = coalesce(o.agent_id, 0) and l.site_id = coalesce(o.site_id, 0) and l.category_id = type.category_id
        and (l.settled_at, l.order_id) > (o.settled_at, o.id) limit 20) later) limit 100;
  return query select 'latest', l.order_id::text from stat_latest l left join charging_order o on o.id = l.order_id and o.status = 3 left join device_type type on type.id = o.device_type_id left join site on site.id = o.site_id
    where (l.settled_at, l.organise_id, l.agent_id, l.site_id, l.district, l.category_id)
      is distinct from (o.settled_at, o.organise_id, coalesce(o.agent_id, 0), coalesce(o.site_id, 0), coalesce(site.district_code, ''), type.category_id) limit 100;
end $$;

create function app.rebuild_rankings(from_day date, upto_day date) returns void language plpgsql as $$
declare
  own constant text := 'kind, organise_id, agent_id, site_id, district, device_type_id';
begin
  delete from stat_month where month >= date_trunc('month', from_day::timestamp) and month < upto_day;
  execute format('insert into stat_month (month, %1$s, %2$s) select date_trunc(''month'', day::timestamp)::date, %1$s, %3$s from stat_day
    where day >= date_trunc(''month'', $1::timestamp) and day < date_trunc(''month'', $2::timestamp - interval ''1 day'') + interval ''1 month'' group by 1, %1$s', own,
    array_to_string(app.stat_figures('stat_day'), ', '), (select string_agg(format('sum(%I)', name), ', ') from unnest(app.stat_figures('stat_day')) name)) using from_day, upto_day;
  delete from stat_device_delta;
  delete from stat_device;
  insert into stat_device_delta (day, organise_id, agent_id, site_id, category_id, device_id, orders, turnover_fen) select * from app.rankings_base();
  delete from stat_latest;
  insert into stat_latest (order_id, settled_at, organise_id, agent_id, site_id, district, category_id)
  select id, settled_at, organise_id, agent_id, site_id, district, category_id from (
    select o.id, o.settled_at, o.organise_id, coalesce(o.agent_id, 0) as agent_id, coalesce(o.site_id, 0) as site_id, coalesce(site.district_code, '') as district, type.category_id,
      row_number() over (partition by o.organise_id, o.agent_id, o.site_id, type.category_id order by o.settled_at desc, o.id desc) as place
    from charging_order o join device_type type on type.id = o.device_type_id left join site on site.id = o.site_id where o.status = 3) ranked where place <= 20;
end $$;

-- They are added up, proven and made anew with the other figures.
alter function app.fold_stats rename to fold_places;
create function app.fold_stats() returns bigint language sql as $$ select greatest(app.fold_places(), app.fold_rankings()) $$;
alter function app.stat_breaks rename to place_breaks;
create function app.stat_breaks(from_day date, upto_day date) returns table (what text, place text) language sql stable as $$
  select * from app.place_breaks(from_day, upto_day) union all select * from app.ranking_breaks(from_day, upto_day)
$$;
alter function app.rebuild_stats rename to rebuild_places;
create function app.rebuild_stats(from_day date, upto_day date) returns void language sql as $$
  select app.rebuild_places(from_day, upto_day);
  select app.rebuild_rankings(from_day, upto_day);
$$;

-- Devices and sites of a district, whoever's they are.
create index device_in_district on device (district_code, id) where deleted_at is null;
create index site_in_district on site (district_code, id);

-- What is there already counts, too.
do $$
begin
  perform set_config('app.scope_level', '0', true), set_config('app.organise_id', '0', true), set_config('app.agent_ids', '{}', true), set_config('app.site_ids', '{}', true);
  insert into stat_now_delta (organise_id, agent_id, site_id, district, device_type_id, expiring, expired)
  select organise_id, agent_id, site_id, coalesce(district_code, ''), device_type_id, (service_status = 2)::int, (service_status = 3)::int from device where deleted_at is null and service_status > 1;
  perform app.rebuild_rankings('2000-01-01', '2100-01-01');
end $$;

revoke all on function app.fold_places, app.fold_rankings, app.fold_stats, app.rankings_base, app.ranking_breaks, app.rebuild_rankings, app.stat_breaks, app.rebuild_stats from public;
grant execute on function app.fold_places, app.fold_rankings, app.fold_stats, app.rankings_base, app.ranking_breaks, app.rebuild_rankings, app.stat_breaks, app.rebuild_stats to wattdeck_worker;
grant select on stat_month, stat_month_live, stat_device, stat_device_delta, stat_latest to wattdeck_api, wattdeck_worker;
grant insert, update, delete on stat_device, stat_device_delta, stat_latest to wattdeck_worker;

-- Down Migration
drop index site_in_district, device_in_district;
drop function app.rebuild_stats, app.stat_breaks, app.fold_stats;
alter function app.rebuild_places rename to rebuild_stats;
alter function app.place_breaks rename to stat_breaks;
alter function app.fold_places rename to fold_stats;
drop function app.rebuild_rankings, app.ranking_breaks, app.rankings_base, app.fold_rankings;
drop function app.move_rankings, app.rank_order, app.count_service, app.add_months cascade;
drop table stat_latest, stat_device_delta, stat_device;
drop view stat_month_live;
drop table stat_month;
drop index stat_now_members, stat_now_site, stat_day_site, stat_day_sites;
drop view stat_now_live;
alter table stat_now drop column expiring, drop column expired;
alter table stat_now_delta drop column expiring, drop column expired;
do $$
declare figures text := (select string_agg(name, ', ') from unnest(app.stat_figures('stat_now')) name);
begin
  execute format('create view stat_now_live with (security_invoker = true) as
    select kind, organise_id, agent_id, site_id, district, device_type_id, %1$s from stat_now
    union all
    select place.kind, place.organise_id, place.agent_id, place.site_id, place.of_district, delta.device_type_id, %1$s
    from stat_now_delta delta cross join lateral app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, delta.district) place', figures);
  execute 'grant select on stat_now_live to wattdeck_api, wattdeck_worker';
end $$;
create or replace function app.stat_now_base() returns setof stat_now_delta language sql stable as $$
  select organise_id, agent_id, site_id, coalesce(district_code, ''), device_type_id, 1::bigint, online::int::bigint, port_count::bigint, case when online then port_count else 0 end::bigint, free_ports::bigint, working_ports::bigint,
    fault_ports::bigint, appointed_ports::bigint, connected_ports::bigint, warning_ports::bigint, down_ports::bigint, 0::bigint, 0::bigint from device where deleted_at is null
  union all
  select m.organise_id, m.agent_id, m.site_id, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0 from member m left join site on site.id = m.site_id
$$;
