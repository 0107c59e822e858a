-- Up Migration

-- Background work in slices: a backlog of any size is worked off by statements that each take a fraction of a second. The
-- worker calls again at once while a slice says that there is more, and takes smaller slices when they take long.

-- Seals the oldest postings that are not sealed, about as many as asked for, and adds up the accounts that only collect.
-- A slice ends between two transactions: those below pg_snapshot_xmin have ended, so nothing can be posted below the edge
-- that is set. One transaction is never divided, however much it posted. SECURITY DEFINER, reviewed, as in 0038.
drop function app.seal_ledger();
create function app.seal_ledger(slice int default 5000, out sealed bigint, out more boolean)
language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
declare
  since xid8;
  edge xid8;
  first_xid xid8;
  cut xid8;
begin
  sealed := 0;
  more := false;
  -- A second worker leaves the slice to the one that holds the edge.
  select upto into since from ledger_edge where id = 1 for update skip locked;
  if since is null then return; end if;
  edge := pg_snapshot_xmin(pg_current_snapshot());
  if edge <= since then return; end if;
  select xid into first_xid from posting where xid >= since and xid < edge order by xid limit 1;
  select xid into cut from posting where xid >= since and xid < edge order by xid offset slice limit 1;
  if cut is not null then
    more := true;
    edge := case when cut = first_xid then (cut::text::bigint + 1)::text::xid8 else cut end;
  end if;
  with fresh as (
    select
      organise_id,
      count(*) as postings,
      string_agg(digest, ''::bytea order by id) as digests
    from posting
    where xid >= since and xid < edge
    group by organise_id
  ), blocks as (
    insert into ledger_block (organise_id, no, from_xid, upto_xid, postings, prev_hash, hash)
    select
      fresh.organise_id,
      coalesce(last.no, 0) + 1,
      since,
      edge,
      fresh.postings,
      coalesce(last.hash, '\x00'),
      sha256(coalesce(last.hash, '\x00') || fresh.digests)
    from fresh
    left join lateral (
      select no, hash from ledger_block where ledger_block.organise_id = fresh.organise_id order by no desc limit 1
    ) last on true
    returning postings
  )
  select coalesce(sum(postings), 0) into sealed from blocks;
  insert into account_day (account_id, day, organise_id, agent_id, site_id, in_fen, out_fen, entries)
  select
    account_id,
    (posted_at at time zone 'Asia/Shanghai')::date,
    min(organise_id),
    min(agent_id),
    min(site_id),
    coalesce(sum(amount_fen) filter (where amount_fen > 0), 0),
    coalesce(-sum(amount_fen) filter (where amount_fen < 0), 0),
    count(*)
  from entry
  where later >= since and later < edge
  group by 1, 2
  order by 1, 2
  on conflict (account_id, day) do update set
    in_fen = account_day.in_fen + excluded.in_fen,
    out_fen = account_day.out_fen + excluded.out_fen,
    entries = account_day.entries + excluded.entries;
  update ledger_edge set upto = edge where id = 1;
end $$;

-- Adds up the oldest differences; whether there are more. A difference costs little when many share a place and an hour, and
-- up to thirty rows when it stands alone: a slice ends at so many distinct places, or at twenty times as many differences.
drop function app.fold_stats();
drop function app.fold_places();
create function app.fold_places(slice int) returns boolean language plpgsql as $$
declare
  figures text[];
  sums text;
  adds text;
  done bigint;
  seen bigint;
  more boolean := false;
  keys text;
  own constant text := 'kind, organise_id, agent_id, site_id, district, device_type_id';
  place constant text :=
    'place.kind, place.organise_id, place.agent_id, place.site_id, place.of_district, taken.device_type_id';
  taking constant text := 'first as materialized (
      select * from %1$I order by id limit %2$s
    ), counted as (
      select id, sum(is_first) over (order by id) as keys
      from (
        select id, (row_number() over (partition by %3$s order by id) = 1)::int as is_first from first
      ) marked
    ), taken as (
      delete from %1$I where id = any (array(select id from counted where keys <= %4$s)) returning *
    )';
begin
  if not pg_try_advisory_xact_lock(hashtext('fold_stats')) then return false; end if;
  keys := 'organise_id, agent_id, site_id, district, device_type_id';

  figures := app.stat_figures('stat_day');
  select
    string_agg(format('sum(%I)', name), ', '),
    string_agg(format('%1$I = kept.%1$I + excluded.%1$I', name), ', ')
  into sums, adds from unnest(figures) name;
  execute format(
    'with ' || format(taking, 'stat_delta', slice * 20, 'hour, ' || keys, slice) || ', placed as materialized (
      select hour, %1$s, %2$s
      from taken
      cross join lateral app.stat_places(taken.organise_id, taken.agent_id, taken.site_id, taken.district) place
      group by hour, %1$s
    ), hours as (
      insert into stat_hour as kept (hour, %3$s, %4$s)
      select * from placed
      on conflict (kind, organise_id, agent_id, site_id, district, hour, device_type_id) do update set %5$s
    ), days as (
      insert into stat_day as kept (day, %3$s, %4$s)
      select (hour at time zone ''Asia/Shanghai'')::date, kind, organise_id, agent_id, site_id, of_district, device_type_id, %2$s
      from placed as placed (hour, kind, organise_id, agent_id, site_id, of_district, device_type_id, %4$s)
      group by 1, 2, 3, 4, 5, 6, 7
      on conflict (kind, organise_id, agent_id, site_id, district, day, device_type_id) do update set %5$s
    )
    select (select count(*) from taken), (select count(*) from first)',
    place, sums, own, array_to_string(figures, ', '), adds
  ) into done, seen;
  more := done < seen or seen = slice * 20;

  figures := app.stat_figures('stat_now');
  select
    string_agg(format('sum(%I)', name), ', '),
    string_agg(format('%1$I = kept.%1$I + excluded.%1$I', name), ', ')
  into sums, adds from unnest(figures) name;
  execute format(
    'with ' || format(taking, 'stat_now_delta', slice * 20, keys, slice) || ', rows_now as (
      insert into stat_now as kept (%3$s, %4$s)
      select %1$s, %2$s
      from taken
      cross join lateral app.stat_places(taken.organise_id, taken.agent_id, taken.site_id, taken.district) place
      group by %1$s
      on conflict (kind, organise_id, agent_id, site_id, district, device_type_id) do update set %5$s
    )
    select (select count(*) from taken), (select count(*) from first)',
    place, sums, own, array_to_string(figures, ', '), adds
  ) into done, seen;
  return more or done < seen or seen = slice * 20;
end $$;

drop function app.fold_rankings();
create function app.fold_rankings(slice int) returns boolean language plpgsql as $$
declare
  today date := (now() at time zone 'Asia/Shanghai')::date;
  this_month date := date_trunc('month', today::timestamp)::date;
  done bigint;
  gone bigint;
  seen bigint[];
  more boolean;
begin
  if not pg_try_advisory_xact_lock(hashtext('fold_stats')) then return false; end if;
  with taken as (
    delete from stat_device_delta
    where id = any (array(select id from stat_device_delta order by id limit slice))
    returning *
  ), added as (
    insert into stat_device as kept
      (span, period, device_id, organise_id, agent_id, site_id, category_id, district, orders, turnover_fen)
    select
      spans.span,
      case spans.span when 1 then taken.day else date_trunc('month', taken.day::timestamp)::date end,
      taken.device_id,
      taken.organise_id,
      taken.agent_id,
      taken.site_id,
      taken.category_id,
      coalesce(max(site.district_code), ''),
      sum(taken.orders),
      sum(taken.turnover_fen)
    from taken
    cross join (values (1::smallint), (2::smallint)) spans (span)
    left join site on site.id = taken.site_id
    group by 1, 2, 3, 4, 5, 6, 7
    on conflict (span, period, device_id, organise_id, agent_id, site_id, category_id) do update set
      orders = kept.orders + excluded.orders,
      turnover_fen = kept.turnover_fen + excluded.turnover_fen,
      district = excluded.district
  )
  select count(*) into done from taken;
  more := done = slice;
  delete from stat_device where ctid = any (array(
    select ctid from stat_device where span = 1 and period < today - 1 limit slice
  ));
  get diagnostics gone = row_count;
  more := more or gone = slice;
  delete from stat_device where ctid = any (array(
    select ctid from stat_device where span = 2 and period < this_month - interval '1 month' limit slice
  ));
  get diagnostics gone = row_count;
  more := more or gone = slice;
  select array_agg(order_id) into seen from (select order_id from stat_latest where fresh limit slice) few;
  if seen is null then return more; end if;
  delete from stat_latest where order_id = any (array(
    select followed.order_id
    from (
      select distinct organise_id, agent_id, site_id, category_id from stat_latest where order_id = any (seen)
    ) place
    cross join lateral (
      select order_id
      from stat_latest own
      where own.organise_id = place.organise_id
        and own.site_id = place.site_id
        and own.category_id = place.category_id
        and own.agent_id = place.agent_id
      order by settled_at desc, order_id desc
      offset 20
    ) followed
  ));
  update stat_latest set fresh = false where order_id = any (seen);
  return more or cardinality(seen) = slice;
end $$;

create function app.fold_stats(slice int default 2000) returns boolean language sql as $$
  -- Both, whatever the first says: OR does not promise to ask the second.
  select bool_or(more) from (values (app.fold_places(slice)), (app.fold_rankings(slice))) as folded (more)
$$;

drop function app.fold_analysis();
create function app.fold_analysis(slice int default 2000) returns boolean language plpgsql as $$
declare
  done bigint;
  more boolean;
begin
  if not pg_try_advisory_xact_lock(hashtext('fold_stats')) then return false; end if;
  with taken as (
    delete from stat_cohort_delta
    where id = any (array(select id from stat_cohort_delta order by id limit slice))
    returning *
  ), added as (
    insert into stat_cohort as kept (kind, organise_id, agent_id, site_id, month, cohort, members)
    select
      place.kind,
      place.organise_id,
      place.agent_id,
      place.site_id,
      taken.month,
      taken.cohort,
      sum(taken.members)
    from taken
    cross join lateral app.stat_places(taken.organise_id, taken.agent_id, taken.site_id, '') place
    where place.kind in (0, 3, 4, 5)
    group by 1, 2, 3, 4, 5, 6
    on conflict (kind, organise_id, agent_id, site_id, month, cohort) do update set members = kept.members + excluded.members
  )
  select count(*) into done from taken;
  more := done = slice;
  with taken as (
    delete from stat_outage_delta
    where id = any (array(select id from stat_outage_delta order by id limit slice))
    returning *
  ), added as (
    insert into stat_outage as kept
      (kind, organise_id, agent_id, site_id, hour, device_type_id, offline_port_s, fault_port_s)
    select
      place.kind,
      place.organise_id,
      place.agent_id,
      place.site_id,
      taken.hour,
      taken.device_type_id,
      sum(taken.offline_port_s),
      sum(taken.fault_port_s)
    from taken
    cross join lateral app.stat_places(taken.organise_id, taken.agent_id, taken.site_id, '') place
    where place.kind in (0, 3, 4, 5)
    group by 1, 2, 3, 4, 5, 6
    on conflict (kind, organise_id, agent_id, site_id, hour, device_type_id) do update set
      offline_port_s = kept.offline_port_s + excluded.offline_port_s,
      fault_port_s = kept.fault_port_s + excluded.fault_port_s
  )
  select count(*) into done from taken;
  return more or done = slice;
end $$;

revoke all on function app.seal_ledger, app.fold_places, app.fold_rankings, app.fold_stats, app.fold_analysis from public;
grant execute on function app.seal_ledger, app.fold_places, app.fold_rankings, app.fold_stats, app.fold_analysis
to wattdeck_worker;

-- Down Migration
drop function app.fold_stats(int);
drop function app.fold_analysis(int);
drop function app.fold_rankings(int);
drop function app.fold_places(int);
drop function app.seal_ledger(int);
create function app.seal_ledger() returns bigint language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
declare
  since xid8;
  edge xid8;
  sealed bigint;
begin
  select upto into strict since from ledger_edge where id = 1 for update;
  -- Whatever is older has ended, and is seen.
  edge := pg_snapshot_xmin(pg_current_snapshot());
  if edge <= since then return 0; end if;
  with fresh as (
    select organise_id, count(*) as postings, string_agg(digest, ''::bytea order by id) as digests
    from posting where xid >= since and xid < edge group by organise_id
  ), blocks as (
    insert into ledger_block (organise_id, no, from_xid, upto_xid, postings, prev_hash, hash)
    select fresh.organise_id, coalesce(last.no, 0) + 1, since, edge, fresh.postings, coalesce(last.hash, '\x00'),
      sha256(coalesce(last.hash, '\x00') || fresh.digests)
    from fresh left join lateral (select no, hash from ledger_block where ledger_block.organise_id = fresh.organise_id order by no desc limit 1) last on true
    returning postings
  )
  select coalesce(sum(postings), 0) into sealed from blocks;
  insert into account_day (account_id, day, organise_id, agent_id, site_id, in_fen, out_fen, entries)
  select account_id, (posted_at at time zone 'Asia/Shanghai')::date, min(organise_id), min(agent_id), min(site_id),
    coalesce(sum(amount_fen) filter (where amount_fen > 0), 0), coalesce(-sum(amount_fen) filter (where amount_fen < 0), 0), count(*)
  from entry where later >= since and later < edge group by 1, 2 order by 1, 2
  on conflict (account_id, day) do update set in_fen = account_day.in_fen + excluded.in_fen,
    out_fen = account_day.out_fen + excluded.out_fen, entries = account_day.entries + excluded.entries;
  update ledger_edge set upto = edge where id = 1;
  return sealed;
end $$;
create function app.fold_places() returns bigint language plpgsql as $$
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
create function app.fold_stats() returns bigint language sql as $$ select greatest(app.fold_places(), app.fold_rankings()) $$;
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
revoke all on function app.seal_ledger, app.fold_places, app.fold_rankings, app.fold_stats, app.fold_analysis from public;
grant execute on function app.seal_ledger, app.fold_places, app.fold_rankings, app.fold_stats, app.fold_analysis
to wattdeck_worker;
