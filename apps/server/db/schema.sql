CREATE SCHEMA app;

CREATE FUNCTION app.account_balance(asked bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return (
    select case when account.summed then
        coalesce((select sum(in_fen - out_fen) from account_day where account_day.account_id = account.id), 0)
        + coalesce((select sum(amount_fen) from entry where later >= (select upto from ledger_edge) and entry.account_id = account.id), 0)
      else account.balance_fen end
    from account where id = asked
  );
end $$;

CREATE FUNCTION app.account_breaks(accounts bigint[]) RETURNS TABLE(organise_id bigint, what text, ref text)
    LANGUAGE sql STABLE
    AS $$
  select account.organise_id, 'balance', account.id::text
  from account
  left join lateral (
    select entry.seq, entry.balance_fen
    from entry
    where entry.account_id = account.id
    order by entry.posted_at desc, entry.seq desc
    limit 1
  ) newest on true
  where account.id = any (accounts)
    and not account.summed
    and (account.balance_fen, account.seq) is distinct from (coalesce(newest.balance_fen, 0), coalesce(newest.seq, 0))
  union all
  select whole.organise_id, 'gift lots', 'member ' || whole.owner_id
  from (
    select distinct account.organise_id, account.owner_id
    from account
    where account.id = any (accounts) and account.kind in (2, 4, 6)
  ) whole
  where exists (
      select from gift_lot where gift_lot.organise_id = whole.organise_id and gift_lot.member_id = whole.owner_id
    )
    and (
      select sum(gift_lot.left_fen)
      from gift_lot
      where gift_lot.organise_id = whole.organise_id and gift_lot.member_id = whole.owner_id
    ) <> (
      select sum(account.balance_fen)
      from account
      where account.organise_id = whole.organise_id and account.kind in (2, 4, 6) and account.owner_id = whole.owner_id
    )
$$;

CREATE FUNCTION app.activity_base(from_month date, upto_month date) RETURNS TABLE(member_id bigint, month date, organise_id bigint)
    LANGUAGE sql STABLE
    AS $$
  select distinct o.member_id, app.month_of(coalesce(o.ended_at, o.settled_at)), o.organise_id from charging_order o
  where o.status = 3 and o.member_id is not null and app.month_of(coalesce(o.ended_at, o.settled_at)) >= from_month and app.month_of(coalesce(o.ended_at, o.settled_at)) < upto_month
$$;

CREATE FUNCTION app.add_gift(organise bigint, member bigint, fen bigint, source text, valid_days integer, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  remaining bigint := fen;
  part bigint;
  used record;
begin
  for used in
    select gift_lot_use.lot_id, gift_lot_use.fen
    from gift_lot_use
    join gift_lot on gift_lot.id = gift_lot_use.lot_id
    where gift_lot_use.member_id = member and gift_lot_use.ref = source and gift_lot_use.organise_id = organise
    order by gift_lot.ends_at desc nulls first, gift_lot.id desc
  loop
    exit when remaining = 0;
    part := least(remaining, used.fen);
    update gift_lot set left_fen = left_fen + part where id = used.lot_id;
    if part = used.fen then
      delete from gift_lot_use where member_id = member and ref = source and lot_id = used.lot_id;
    else
      update gift_lot_use set fen = gift_lot_use.fen - part where member_id = member and ref = source and lot_id = used.lot_id;
    end if;
    remaining := remaining - part;
  end loop;
  if remaining > 0 then
    insert into gift_lot (organise_id, member_id, source_ref, granted_fen, left_fen, ends_at)
    values (organise, member, source, remaining, remaining,
      ((at at time zone 'Asia/Shanghai')::date + valid_days + 1)::timestamp at time zone 'Asia/Shanghai');
  end if;
end $$;

CREATE FUNCTION app.add_months() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $_$
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
end $_$;

CREATE FUNCTION app.agent_ids() RETURNS bigint[]
    LANGUAGE sql STABLE
    AS $$ select app.setting('app.agent_ids')::bigint[] $$;

CREATE FUNCTION app.agents_below(top bigint) RETURNS bigint[]
    LANGUAGE sql STABLE
    AS $$
  with recursive below as (
    select id from agent where id = top
    union
    select agent.id from agent join below on agent.parent_agent_id = below.id
  )
  select coalesce(array_agg(id), '{}') from below
$$;

CREATE FUNCTION app.alarms_follow_device() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if new.deleted_at is not null then
    update alarm set status = 3, closed_by = '系统', closed_at = now(), close_reason = '设备已删除'
    where device_id = new.id and status < 3;
  else
    update alarm set organise_id = new.organise_id, agent_id = new.agent_id, site_id = new.site_id,
      incident_id = case when new.organise_id = organise_id then incident_id end
    where device_id = new.id and status < 3;
  end if;
  return null;
end $$;

CREATE FUNCTION app.analysis_breaks(from_day date, upto_day date) RETURNS TABLE(what text, place text)
    LANGUAGE plpgsql STABLE
    AS $$
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

CREATE FUNCTION app.attributes_follow() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update device_attribute set organise_id = new.organise_id, agent_id = new.agent_id, site_id = new.site_id where device_id = new.id;
  return null;
end $$;

CREATE FUNCTION app.audit_append(entry jsonb) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  head audit_chain;
  made audit_log;
  devices bigint[];
begin
  insert into audit_chain values ((entry ->> 'organise_id')::bigint, 0, '\x00') on conflict do nothing;
  select * into strict head from audit_chain where organise_id = (entry ->> 'organise_id')::bigint for update;
  made := jsonb_populate_record(null::audit_log, entry);
  made.at := clock_timestamp();
  with taken as (delete from audit_pending where txid = pg_current_xact_id() returning id, change, device_id)
  select coalesce(jsonb_agg(change order by id) filter (where change is not null), '[]'), array_agg(distinct device_id) filter (where device_id is not null)
    into made.changes, devices from taken;
  made.seq := head.seq + 1;
  made.prev_hash := head.hash;
  made.hash := app.audit_hash(head.hash, made);
  insert into audit_log (at, organise_id, agent_id, site_id, user_id, user_name, login_name, module, kind, content, path, ip, duration_ms, result, reason, request_id, changes, seq, prev_hash, hash)
  values (made.at, made.organise_id, made.agent_id, made.site_id, made.user_id, made.user_name, made.login_name, made.module, made.kind, made.content, made.path, made.ip, made.duration_ms, made.result, made.reason, made.request_id, made.changes, made.seq, made.prev_hash, made.hash)
  returning id into made.id;
  if devices is not null then
    insert into audit_device (device_id, at, audit_id, organise_id, agent_id, site_id)
    select device, made.at, made.id, made.organise_id, made.agent_id, made.site_id from unnest(devices) device;
  end if;
  update audit_chain set seq = made.seq, hash = made.hash where organise_id = made.organise_id;
  return made.id;
end $$;

CREATE FUNCTION app.audit_breaks() RETURNS TABLE(organise_id bigint, seq bigint, what text)
    LANGUAGE sql STABLE
    AS $$
  with walk as (
    select entry.organise_id, entry.seq, entry.prev_hash, entry.hash, app.audit_hash(entry.prev_hash, entry) as own,
      lag(entry.hash) over chain as before_hash, lag(entry.seq) over chain as before_seq
    from audit_log entry
    window chain as (partition by entry.organise_id order by entry.seq)
  )
  select organise_id, seq, 'changed' from walk where own is distinct from hash
  union all
  select organise_id, seq, 'gap' from walk where coalesce(before_seq, 0) <> seq - 1 or (before_seq is not null and before_hash is distinct from prev_hash)
  union all
  select chain.organise_id, chain.seq, 'cut' from audit_chain chain
  where not exists (select from audit_log entry where entry.organise_id = chain.organise_id and entry.seq = chain.seq and entry.hash = chain.hash)
$$;

CREATE TABLE public.audit_log (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    user_id bigint,
    user_name text,
    login_name text,
    module text NOT NULL,
    kind text NOT NULL,
    content text NOT NULL,
    path text NOT NULL,
    ip inet,
    duration_ms integer NOT NULL,
    result smallint NOT NULL,
    reason text,
    request_id text NOT NULL,
    changes jsonb DEFAULT '[]'::jsonb NOT NULL,
    seq bigint NOT NULL,
    prev_hash bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_log_result_check CHECK ((result = ANY (ARRAY[0, 1])))
)
PARTITION BY RANGE (at);

ALTER TABLE ONLY public.audit_log FORCE ROW LEVEL SECURITY;

CREATE FUNCTION app.audit_hash(prev bytea, entry public.audit_log) RETURNS bytea
    LANGUAGE sql STABLE
    AS $$
  select sha256(prev || convert_to(jsonb_build_array(
    entry.organise_id, entry.agent_id, entry.site_id, entry.seq, entry.duration_ms, (extract(epoch from entry.at) * 1000000)::bigint, entry.user_id, entry.user_name, entry.login_name,
    entry.module, entry.kind, entry.content, entry.path, host(entry.ip), entry.result, entry.reason, entry.request_id, entry.changes
  )::text, 'UTF8'))
$$;

CREATE PROCEDURE app.audit_table(IN tbl regclass)
    LANGUAGE plpgsql
    AS $$
begin
  execute format('create trigger capture_change after insert or update or delete on %s for each row execute function app.capture_change()', tbl);
end $$;

CREATE FUNCTION app.capture_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  secrets text[] := array['password_hash', 'totp_secret', 'token_hash', 'code_hash', 'avatar', 'params'];
  noise text[] := array['updated_at', 'last_seen_at'];
  was jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  now_is jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
  before jsonb := '{}';
  after jsonb := '{}';
  device_key text := case when tg_table_name = 'device' then 'id' else 'device_id' end;
  field text;
begin
  -- Migrations and seeds are no actions of anybody.
  if coalesce(current_setting('app.audited', true), '') <> 'on' then return null; end if;
  for field in select jsonb_object_keys(was || now_is) loop
    -- A column that is empty in a new row has not changed.
    continue when field = any (noise) or nullif(was -> field, 'null') is not distinct from nullif(now_is -> field, 'null');
    if field = any (secrets) or field like '%sealed%' then
      before := before || jsonb_build_object(field, case when jsonb_typeof(was -> field) <> 'null' then '******' end);
      after := after || jsonb_build_object(field, case when jsonb_typeof(now_is -> field) <> 'null' then '******' end);
    else
      before := before || jsonb_build_object(field, was -> field);
      after := after || jsonb_build_object(field, now_is -> field);
    end if;
  end loop;
  if before <> '{}' or after <> '{}' then
    insert into audit_pending (txid, change, device_id) values (pg_current_xact_id(), jsonb_build_object(
      'table', coalesce((select whole.relname from pg_inherits join pg_class whole on whole.oid = inhparent where inhrelid = tg_relid), tg_table_name),
      'rowId', coalesce(now_is ->> 'id', was ->> 'id', ''), 'before', before, 'after', after),
      coalesce(now_is ->> device_key, was ->> device_key)::bigint);
  end if;
  return null;
end $$;

CREATE FUNCTION app.capture_device() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if coalesce(current_setting('app.audited', true), '') = 'on' then
    insert into audit_pending (txid, device_id) values (pg_current_xact_id(), new.device_id);
  end if;
  return null;
end $$;

CREATE FUNCTION app.card_in_use(card bigint) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
  with recursive chain as (
    select id, replaced_by_id from stored_card where id = card
    union all
    select stored_card.id, stored_card.replaced_by_id from chain join stored_card on stored_card.id = chain.replaced_by_id
  )
  select id from chain where replaced_by_id is null
$$;

CREATE FUNCTION app.city_of(district text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  select case when district = '' then '' when left(district, 2) in ('81', '82') then left(district, 2) || '0100' else left(district, 4) || '00' end $$;

CREATE FUNCTION app.close_coupon(for_order bigint, organise bigint, off bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
  update coupon_grant set
    status = case when off > 0 then 3 else 1 end,
    off_fen = nullif(off, 0),
    used_at = case when off > 0 then now() end,
    order_id = case when off > 0 then order_id end
  where order_id = for_order and organise_id = organise and status = 2
$$;

CREATE FUNCTION app.codes_follow_device() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update qr_code set organise_id = new.organise_id, agent_id = new.agent_id, site_id = new.site_id,
    device_id = case when new.deleted_at is null then new.id end,
    bound_at = case when new.deleted_at is null then bound_at end,
    bound_by = case when new.deleted_at is null then bound_by end
  where device_id = new.id;
  return null;
end $$;

CREATE FUNCTION app.command_id() RETURNS bigint
    LANGUAGE sql
    AS $$
  select app.message_id(clock_timestamp()) | (nextval('device_command_count') & 4194303)
$$;

CREATE FUNCTION app.count_activity() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  insert into member_month (member_id, month, organise_id) values (new.member_id, app.month_of(coalesce(new.ended_at, new.settled_at)), new.organise_id) on conflict do nothing;
  if not found then return null; end if;
  insert into stat_cohort_delta (organise_id, agent_id, site_id, month, cohort, members)
  select organise_id, agent_id, site_id, app.month_of(coalesce(new.ended_at, new.settled_at)), app.month_of(registered_at), 1 from member where id = new.member_id;
  return null;
end $$;

CREATE FUNCTION app.count_devices() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
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

CREATE FUNCTION app.count_faults() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, device_type_id, faults)
  select date_trunc('hour', raised.created_at), raised.organise_id, raised.agent_id, raised.site_id, coalesce(site.district_code, ''), device.device_type_id, 1
  from raised join device on device.id = raised.device_id left join site on site.id = raised.site_id;
  return null;
end $$;

CREATE FUNCTION app.count_member() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
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

CREATE FUNCTION app.count_order() RETURNS trigger
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

CREATE FUNCTION app.count_outage() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
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

CREATE FUNCTION app.count_recharge() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, recharges, recharged_fen, recharge_gift_fen)
  values (date_trunc('hour', new.paid_at), new.organise_id, new.agent_id, new.site_id, coalesce((select district_code from site where id = new.site_id), ''), 1, new.amount_fen, new.gift_fen);
  return null;
end $$;

CREATE FUNCTION app.count_recharge_refund() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, recharge_refunds, recharge_refunded_fen)
  values (date_trunc('hour', new.arrived_at), new.organise_id, new.agent_id, new.site_id, coalesce((select district_code from site where id = new.site_id), ''), 1, new.amount_fen);
  return null;
end $$;

CREATE FUNCTION app.count_refund() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, device_type_id, refunds, refunded_fen)
  select date_trunc('hour', new.decided_at), new.organise_id, new.agent_id, new.site_id, coalesce(site.district_code, ''), o.device_type_id, 1, new.amount_fen
  from charging_order o left join site on site.id = new.site_id where o.id = new.order_id;
  return null;
end $$;

CREATE FUNCTION app.count_service() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
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

CREATE TABLE public.coupon_grant (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    coupon_id bigint NOT NULL,
    member_id bigint NOT NULL,
    name text NOT NULL,
    terms jsonb NOT NULL,
    funder smallint NOT NULL,
    valid_from date NOT NULL,
    valid_until date NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    source smallint NOT NULL,
    order_id bigint,
    off_fen integer,
    granted_by_id bigint,
    granted_by text,
    granted_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone,
    voided_by text,
    void_reason text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT coupon_grant_check CHECK ((valid_until >= valid_from)),
    CONSTRAINT coupon_grant_check1 CHECK (((status = ANY (ARRAY[2, 3])) = (order_id IS NOT NULL))),
    CONSTRAINT coupon_grant_check2 CHECK (((status = 3) = ((off_fen IS NOT NULL) AND (used_at IS NOT NULL)))),
    CONSTRAINT coupon_grant_check3 CHECK (((status = 4) = (void_reason IS NOT NULL))),
    CONSTRAINT coupon_grant_check4 CHECK (((source = 1) = (granted_by_id IS NOT NULL))),
    CONSTRAINT coupon_grant_off_fen_check CHECK ((off_fen > 0)),
    CONSTRAINT coupon_grant_source_check CHECK ((source = ANY (ARRAY[1, 2]))),
    CONSTRAINT coupon_grant_status_check CHECK (((status >= 1) AND (status <= 4))),
    CONSTRAINT coupon_grant_void_reason_check CHECK (((length(void_reason) >= 1) AND (length(void_reason) <= 200)))
);

ALTER TABLE ONLY public.coupon_grant FORCE ROW LEVEL SECURITY;

CREATE FUNCTION app.coupon_offers(organise bigint, agent bigint, site bigint, member bigint, locks boolean) RETURNS SETOF public.coupon_grant
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
declare
  today date := (now() at time zone 'Asia/Shanghai')::date;
begin
  if locks then
    perform from coupon_grant held
    where held.member_id = member and held.organise_id = organise and status = 1 and today between valid_from and valid_until
    order by id for no key update;
  end if;
  return query
  select held.* from coupon_grant held
  where held.member_id = member and held.organise_id = organise and status = 1 and today between valid_from and valid_until
    and case
      when held.site_id is not null then held.site_id = site
      when held.agent_id is not null then held.agent_id in (
        with recursive line (id) as (
          select agent
          union all
          select above.parent_agent_id from agent above join line on line.id = above.id
        )
        select id from line
      )
      else true
    end
  order by valid_until, held.id
  limit 50;
end $$;

CREATE FUNCTION app.credentials_follow_device() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update device_credential set organise_id = new.organise_id, agent_id = new.agent_id, site_id = new.site_id where device_id = new.id;
  if new.deleted_at is not null then
    update device_credential set state = 2, revoked_at = now(), revoke_reason = '设备已删除' where device_id = new.id and state <> 2;
  end if;
  return null;
end $$;

CREATE FUNCTION app.credentials_linked(one bigint, other bigint) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
  select exists (
    select from credential_change
    where created_at > now() - interval '24 hours'
      and ((user_id = one and changed_by = other) or (user_id = other and changed_by = one))
  )
$$;

CREATE FUNCTION app.device_barred() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update device set barred = state.barred
  from (select bool_or(state = 2) and not bool_or(state <> 2) as barred from device_credential where device_id = new.device_id) state
  where device.id = new.device_id and device.barred <> state.barred;
  return null;
end $$;

CREATE FUNCTION app.device_copies() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if new.site_id is null then
    new.province_code := null; new.city_code := null; new.district_code := null;
  else
    select province_code, city_code, district_code into new.province_code, new.city_code, new.district_code
    from site where id = new.site_id;
  end if;
  select type.category_id, type.small_category_id, coalesce(protocol.adapter, new.adapter)
  into new.category_id, new.small_category_id, new.adapter
  from device_type type join dtu_protocol protocol on protocol.id = type.protocol_id where type.id = new.device_type_id;
  -- Until it says otherwise.
  if tg_op = 'INSERT' then new.free_ports := new.port_count; end if;
  return new;
end $$;

CREATE FUNCTION app.device_parts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'INSERT' then
    insert into device_state (device_id, organise_id, agent_id, site_id) values (new.id, new.organise_id, new.agent_id, new.site_id);
    insert into port (device_id, port_no, organise_id, agent_id, site_id)
    select new.id, n, new.organise_id, new.agent_id, new.site_id from generate_series(1, new.port_count) n;
  else
    update device_state set organise_id = new.organise_id, agent_id = new.agent_id, site_id = new.site_id where device_id = new.id;
    update port set organise_id = new.organise_id, agent_id = new.agent_id, site_id = new.site_id where device_id = new.id;
    insert into port (device_id, port_no, organise_id, agent_id, site_id)
    select new.id, n, new.organise_id, new.agent_id, new.site_id from generate_series(1, new.port_count) n on conflict do nothing;
  end if;
  return null;
end $$;

CREATE FUNCTION app.device_service() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.service_status := app.service_status(new.service_until);
  return new;
end $$;

CREATE FUNCTION app.devices_follow_site() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update device set province_code = new.province_code, city_code = new.city_code, district_code = new.district_code,
    agent_id = new.agent_id
  where site_id = new.id;
  return null;
end $$;

CREATE FUNCTION app.ensure_id_months(tbl text, ahead integer, at timestamp with time zone DEFAULT now()) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION app.ensure_months(tbl text, ahead integer, at timestamp with time zone DEFAULT now()) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION app.expire_gift(organise bigint, member bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
declare
  free_fen bigint;
  reserved_fen bigint;
  due_fen bigint;
  due_ref text;
  fen bigint;
begin
  perform from account where organise_id = organise and kind in (2, 4, 6) and owner_id = member order by id for no key update;
  select coalesce(sum(balance_fen) filter (where kind = 2), 0), coalesce(sum(balance_fen) filter (where kind <> 2), 0)
  into free_fen, reserved_fen
  from account
  where organise_id = organise and kind in (2, 4, 6) and owner_id = member;
  select coalesce(sum(left_fen), 0), (array_agg(source_ref order by ends_at, id))[1]
  into due_fen, due_ref
  from gift_lot
  where organise_id = organise and member_id = member and left_fen > 0 and ends_at <= clock_timestamp();
  fen := least(free_fen, due_fen - reserved_fen);
  if fen <= 0 then return 0; end if;
  perform app.post(jsonb_build_array(jsonb_build_object(
    'key', 'gift/' || member || '/expire/' || pg_current_xact_id(), 'keyAt', clock_timestamp(),
    'organiseId', organise, 'agentId', person.agent_id, 'siteId', person.site_id,
    'kind', 10, 'ref', coalesce(due_ref, person.id::text),
    'lines', jsonb_build_array(jsonb_build_array(2, member, -fen), jsonb_build_array(61, 0, fen)))))
  from member person
  where person.id = expire_gift.member and person.organise_id = organise;
  return fen;
end $$;

CREATE FUNCTION app.fold_analysis(slice integer DEFAULT 2000) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION app.fold_places(slice integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $_$
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
end $_$;

CREATE FUNCTION app.fold_rankings(slice integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION app.fold_stats(slice integer DEFAULT 2000) RETURNS boolean
    LANGUAGE sql
    AS $$
  -- Both, whatever the first says: OR does not promise to ask the second.
  select bool_or(more) from (values (app.fold_places(slice)), (app.fold_rankings(slice))) as folded (more)
$$;

CREATE FUNCTION app.forget_guesses(keys text[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
  delete from attempt where key = any(keys)
$$;

CREATE FUNCTION app.guard_shift_cash() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
declare
  shift_status smallint;
begin
  select status into shift_status from desk_shift where id = new.shift_id for share;
  if tg_op = 'INSERT' then
    if shift_status is distinct from 1 then raise exception 'cash enters an open shift only'; end if;
  elsif new.status = 4 and shift_status <> 1 then
    raise exception 'cash of a closed shift is never withdrawn';
  else
    new.after_shift := new.status = 3 and shift_status <> 1;
  end if;
  return new;
end $$;

CREATE FUNCTION app.held_breaks() RETURNS TABLE(organise_id bigint, what text, ref text)
    LANGUAGE sql STABLE
    AS $$
  with held as (
    select
      account.organise_id,
      case when account.kind in (3, 4) then 'member ' else 'card ' end || account.owner_id as payer,
      account.kind in (3, 13) as own,
      balance_fen as fen
    from account
    where account.kind in (3, 4, 13, 14) and balance_fen <> 0
    union all
    select o.organise_id, coalesce('card ' || o.card_id, 'member ' || o.member_id), part.own, -part.fen
    from charging_order o
    cross join lateral (values (true, o.held_paid_fen), (false, o.held_gift_fen)) part (own, fen)
    where o.status in (1, 2, 5) and part.fen > 0
  )
  select held.organise_id, 'held', payer from held group by held.organise_id, payer, own having sum(fen) <> 0
$$;

CREATE FUNCTION app.hold_coupon(coupon_grant_id bigint, organise bigint, for_order bigint) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
  with held as (
    update coupon_grant set status = 2, order_id = for_order
    where id = coupon_grant_id and organise_id = organise and status = 1 returning 1
  )
  select exists (select from held)
$$;

CREATE FUNCTION app.keep_adjustment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'what was asked for is never changed';
end $$;

CREATE FUNCTION app.keep_audit_resource() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  if exists (
    select
    from role_resource held
    join role on role.id = held.role_id
    where held.resource_id = new.id and role.audit_only
  ) then
    raise exception 'an audit role reads and exports only' using errcode = '23514', constraint = 'audit_role_reads';
  end if;
  return new;
end $$;

CREATE FUNCTION app.keep_auditor_apart() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  -- Two assignments at the same time must see each other.
  perform from user_account where id = new.user_id for no key update;
  if exists (
    select
    from user_role held
    join role other on other.id = held.role_id
    join role given on given.id = new.role_id
    where held.user_id = new.user_id and other.audit_only <> given.audit_only
  ) then
    raise exception 'an audit role is the only kind of role of its holder' using errcode = '23514', constraint = 'audit_role_apart';
  end if;
  return new;
end $$;

CREATE FUNCTION app.keep_auditor_reading() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  if exists (
    select
    from role, resource
    where role.id = new.role_id and role.audit_only and resource.id = new.resource_id and resource.action <> 'export'
  ) then
    raise exception 'an audit role reads and exports only' using errcode = '23514', constraint = 'audit_role_reads';
  end if;
  return new;
end $$;

CREATE FUNCTION app.keep_block() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'a block is lifted once, and otherwise never changed';
end $$;

CREATE FUNCTION app.keep_break() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'a difference is never made another one';
end $$;

CREATE FUNCTION app.keep_card() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'a card stays the card it is, and a cancelled one stays cancelled';
end $$;

CREATE FUNCTION app.keep_days(parent text, ahead integer, keep integer, at timestamp with time zone DEFAULT now()) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION app.keep_desk_shift() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'a shift is never changed after it is closed';
end $$;

CREATE PROCEDURE app.keep_flow(IN tbl regclass, IN col name, IN moves text[])
    LANGUAGE plpgsql
    AS $_$
begin
  execute format('create trigger keep_flow before update on %1$s for each row '
    'when (old.%2$I <> new.%2$I and old.%2$I || ''>'' || new.%2$I <> all (%3$L::text[])) execute function app.refuse_move()',
    tbl, col, moves);
end $_$;

CREATE FUNCTION app.keep_offline_recharge() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'an offline recharge is never changed after its request';
end $$;

CREATE FUNCTION app.keep_outbox_days(ahead integer, keep integer, at timestamp with time zone DEFAULT now()) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
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

CREATE FUNCTION app.keep_payment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin raise exception 'a payment goes forward only, and what was asked for is never changed'; end $$;

CREATE FUNCTION app.keep_refund() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'a refund goes forward only, and what was asked for is never changed';
end $$;

CREATE FUNCTION app.keep_role_kind() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'a role does not change its kind' using errcode = '23514', constraint = 'audit_role_kind';
end $$;

CREATE FUNCTION app.keep_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 0 then raise exception 'a version that was published is kept'; end if;
    return old;
  end if;
  if old.state <> 0 and row(old.rules, old.display_text, old.no, old.tariff_id) is distinct from row(new.rules, new.display_text, new.no, new.tariff_id) then
    raise exception 'a version that was published says what it says';
  end if;
  return new;
end $$;

CREATE FUNCTION app.ledger_breaks(organise bigint DEFAULT NULL::bigint) RETURNS TABLE(organise_id bigint, what text, ref text)
    LANGUAGE sql STABLE
    AS $$
  select * from app.ledger_breaks_of_entries(organise)
  union all
  select min(part.organise_id), 'sums', part.account_id::text from (
    select account_id, agent_id, site_id, organise_id, fen from account_sum
    union all
    select account_id, agent_id, site_id, organise_id, out_fen - in_fen from account_day
  ) part where organise is null or part.organise_id = organise
  group by part.account_id, part.agent_id, part.site_id having sum(part.fen) <> 0
  union all
  select lot.organise_id, 'gift lots', 'member ' || lot.member_id
  from (
    select gift_lot.organise_id, gift_lot.member_id, sum(gift_lot.left_fen) as fen
    from gift_lot
    where organise is null or gift_lot.organise_id = organise
    group by gift_lot.organise_id, gift_lot.member_id
  ) lot
  where lot.fen is distinct from (
    select sum(account.balance_fen)
    from account
    where account.organise_id = lot.organise_id and account.kind in (2, 4, 6) and account.owner_id = lot.member_id
  )
$$;

CREATE FUNCTION app.ledger_breaks_between(since xid8, upto xid8) RETURNS TABLE(organise_id bigint, what text, ref text)
    LANGUAGE sql STABLE
    AS $$
  with made as materialized (
    select * from posting where posting.xid >= since and posting.xid < upto
  ), booked as materialized (
    select entry.*
    from made
    join entry on entry.posting_id = made.id and entry.posted_at = made.posted_at
  ), lines as materialized (
    select
      posting_id,
      jsonb_agg(jsonb_build_array(account_id, amount_fen) order by line) as lines,
      sum(amount_fen) as total,
      min(booked.organise_id) as organise_id,
      min(booked.organise_id) <> max(booked.organise_id) as mixed
    from booked
    group by posting_id
  ), placed as materialized (
    select made.organise_id, made.key, made.id, made.digest, block.no
    from made
    left join lateral (
      select last.no, last.upto_xid
      from ledger_block last
      where last.organise_id = made.organise_id and last.from_xid <= made.xid
      order by last.from_xid desc
      limit 1
    ) block on made.xid < block.upto_xid
  ), sealed as materialized (
    select placed.organise_id, placed.no, string_agg(placed.digest, ''::bytea order by placed.id) as digests
    from placed
    group by placed.organise_id, placed.no
  )
  select lines.organise_id, 'unbalanced', posting_id::text from lines where total <> 0 or mixed
  union all
  select made.organise_id, case when lines.posting_id is null then 'no entries' else 'changed' end, made.key
  from made
  left join lines on lines.posting_id = made.id
  where lines.posting_id is null
    or lines.organise_id <> made.organise_id
    or made.digest <> app.posting_digest(
      made.id, made.organise_id, made.key, made.kind, made.ref, made.memo, made.posted_by, made.posted_at, lines.lines
    )
  union all
  select block.organise_id, 'block', block.no::text
  from ledger_block block
  left join ledger_block before on before.organise_id = block.organise_id and before.no = block.no - 1
  left join sealed on sealed.organise_id = block.organise_id and sealed.no = block.no
  where block.from_xid >= since
    and block.from_xid < upto
    and (
      block.no > 1 and before.no is null
      or block.prev_hash <> coalesce(before.hash, '\x00')
      or block.hash is distinct from sha256(block.prev_hash || sealed.digests)
    )
  union all
  select placed.organise_id, 'not sealed', placed.key from placed where placed.no is null
  union all
  select booked.organise_id, 'statement', booked.account_id || '/' || booked.seq
  from booked
  left join lateral (
    select entry.seq, entry.balance_fen
    from entry
    where entry.account_id = booked.account_id
      and (entry.posted_at, entry.seq) < (booked.posted_at, booked.seq)
    order by entry.posted_at desc, entry.seq desc
    limit 1
  ) before on true
  where booked.later is null
    and (
      booked.seq <> coalesce(before.seq, 0) + 1
      or booked.balance_fen - booked.amount_fen <> coalesce(before.balance_fen, 0)
    )
  union all
  select fault.* from app.account_breaks(array(select distinct booked.account_id from booked where booked.later is null)) fault
$$;

CREATE FUNCTION app.ledger_breaks_of_entries(organise bigint DEFAULT NULL::bigint) RETURNS TABLE(organise_id bigint, what text, ref text)
    LANGUAGE sql STABLE
    AS $$
  with edge as materialized (select upto from ledger_edge), booked as materialized (
    select entry.* from entry where organise is null or entry.organise_id = organise
  ), made as materialized (
    select posting.* from posting where organise is null or posting.organise_id = organise
  ), blocks as materialized (
    select block.* from ledger_block block where organise is null or block.organise_id = organise
  ), placed as materialized (
    -- Walked together by their transactions: a posting lies in the block that began last, unless that had ended.
    select walked.organise_id, walked.key, walked.xid, walked.id, walked.digest, block.no from (
      select mark.*, max(mark.began) over (partition by mark.organise_id order by mark.xid, mark.began rows unbounded preceding) as last_began
      from (
        select made.organise_id, made.xid, made.id, made.key, made.digest, null::bigint as began from made
        union all
        select blocks.organise_id, blocks.from_xid, null, null, null, blocks.no from blocks
      ) mark
    ) walked
    left join blocks block on block.organise_id = walked.organise_id and block.no = walked.last_began and walked.xid < block.upto_xid
    where walked.id is not null
  ), sealed as materialized (
    select placed.organise_id, placed.no, string_agg(placed.digest, ''::bytea order by placed.id) as digests from placed group by placed.organise_id, placed.no
  ), lines as materialized (
    select posting_id, jsonb_agg(jsonb_build_array(account_id, amount_fen) order by line) as lines, sum(amount_fen) as total, min(organise_id) as organise_id,
      min(organise_id) <> max(organise_id) as mixed
    from booked group by posting_id
  ), totals as materialized (
    select account_id, sum(amount_fen) as fen, count(*) as entries, coalesce(max(seq), 0) as seq,
      sum(amount_fen) filter (where later < (select upto from edge)) as folded_fen
    from booked group by account_id
  ), walk as (
    select account_id, seq, organise_id, balance_fen - amount_fen as before, lag(balance_fen, 1, 0::bigint) over chain as last_balance, lag(seq, 1, 0::bigint) over chain as last_seq
    from booked where later is null window chain as (partition by account_id order by seq)
  )
  select organise_id, 'unbalanced', posting_id::text from lines where total <> 0 or mixed
  union all
  select coalesce(made.organise_id, lines.organise_id), case when lines.posting_id is null then 'no entries' when made.id is null then 'no posting' else 'changed' end,
    coalesce(made.key, lines.posting_id::text)
  from made full join lines on lines.posting_id = made.id
  where made.id is null or lines.posting_id is null or app.posting_digest(made.id, made.organise_id, made.key, made.kind, made.ref, made.memo, made.posted_by, made.posted_at, lines.lines) <> made.digest or lines.organise_id <> made.organise_id
  union all
  select account.organise_id, 'balance', account.id::text from account left join totals on totals.account_id = account.id
  where (organise is null or account.organise_id = organise) and not summed
    and (account.balance_fen <> coalesce(totals.fen, 0) or account.seq <> coalesce(totals.entries, 0) or account.seq <> coalesce(totals.seq, 0))
  union all
  select organise_id, 'statement', account_id || '/' || seq from walk where before <> last_balance or seq <> last_seq + 1
  union all
  select account.organise_id, 'days', account.id::text from account left join totals on totals.account_id = account.id
  where (organise is null or account.organise_id = organise) and summed
    and coalesce(totals.folded_fen, 0) <> coalesce((select sum(in_fen - out_fen) from account_day where account_day.account_id = account.id), 0)
  union all
  select block.organise_id, 'block', block.no::text from (
    select own.*, lag(own.hash, 1, '\x00'::bytea) over chain as last_hash, lag(own.no, 1, 0::bigint) over chain as last_no, sealed.digests
    from blocks own left join sealed on sealed.organise_id = own.organise_id and sealed.no = own.no
    window chain as (partition by own.organise_id order by own.no)
  ) block
  where block.no <> block.last_no + 1 or block.prev_hash <> block.last_hash or block.hash is distinct from sha256(block.prev_hash || block.digests)
  union all
  -- A block cut off at the end takes its postings out of the chain.
  select placed.organise_id, 'not sealed', placed.key from placed where placed.no is null and placed.xid < (select upto from edge)
$$;

CREATE FUNCTION app.live_menus() RETURNS TABLE(id bigint, menu_key text, always_visible boolean)
    LANGUAGE sql STABLE
    AS $$
  with recursive live as (
    select menu.id, menu.menu_key, menu.always_visible from menu where parent_id is null and status = 1
    union all
    select menu.id, menu.menu_key, menu.always_visible from menu join live on menu.parent_id = live.id where menu.status = 1
  )
  select * from live
$$;

CREATE FUNCTION app.lock_card_in_use(card bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
declare
  last_id bigint := card;
  next_id bigint;
begin
  loop
    select replaced_by_id into next_id from stored_card where id = last_id for share;
    exit when next_id is null;
    last_id := next_id;
  end loop;
  return last_id;
end $$;

CREATE FUNCTION app.make_month(tbl text, child text, from_at timestamp with time zone, to_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $_$
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
end $_$;

CREATE FUNCTION app.members_of_phone(asked text, organise bigint) RETURNS bigint[]
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
  select coalesce(array_agg(id), '{}') from (select id from member where phone = asked and (organise is null or organise_id = organise) limit 200) found
$$;

CREATE FUNCTION app.message_id(at timestamp with time zone) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select ((extract(epoch from at) * 1000)::bigint - 1735689600000) << 22
$$;

CREATE FUNCTION app.message_time(id bigint) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select to_timestamp(((id >> 22) + 1735689600000) / 1000.0)
$$;

CREATE FUNCTION app.month_of(at timestamp with time zone) RETURNS date
    LANGUAGE sql IMMUTABLE
    AS $$ select date_trunc('month', at at time zone 'Asia/Shanghai')::date $$;

CREATE FUNCTION app.move_accounts() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  update account set agent_id = new.agent_id where organise_id = new.organise_id and site_id = new.id;
  return null;
end $$;

CREATE FUNCTION app.move_activity() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  insert into stat_cohort_delta (organise_id, agent_id, site_id, month, cohort, members)
  select place.organise_id, place.agent_id, place.site_id, active.month, place.cohort, place.sign from member_month active,
    (values (old.organise_id, old.agent_id, old.site_id, app.month_of(old.registered_at), -1), (new.organise_id, new.agent_id, new.site_id, app.month_of(new.registered_at), 1)) place (organise_id, agent_id, site_id, cohort, sign)
  where active.member_id = new.id;
  return null;
end $$;

CREATE FUNCTION app.move_member() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  update member_identity set agent_id = new.agent_id, site_id = new.site_id where member_id = new.id;
  update account set agent_id = new.agent_id, site_id = new.site_id
  where organise_id = new.organise_id and kind between 1 and 9 and owner_id = new.id;
  update balance_adjustment set agent_id = new.agent_id, site_id = new.site_id where member_id = new.id;
  return null;
end $$;

CREATE FUNCTION app.move_member_blocks() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  update member_block set agent_id = new.agent_id, site_id = new.site_id where member_id = new.id;
  return null;
end $$;

CREATE FUNCTION app.move_members() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
declare
  audited text := coalesce(current_setting('app.audited', true), '');
begin
  perform set_config('app.audited', 'off', true);
  update member set agent_id = new.agent_id where organise_id = new.organise_id and site_id = new.id;
  update member_identity set agent_id = new.agent_id where organise_id = new.organise_id and site_id = new.id;
  update balance_adjustment set agent_id = new.agent_id where organise_id = new.organise_id and site_id = new.id;
  update recharge_plan set agent_id = new.agent_id where organise_id = new.organise_id and site_id = new.id;
  update stored_card set agent_id = new.agent_id where organise_id = new.organise_id and site_id = new.id;
  perform set_config('app.audited', audited, true);
  return null;
end $$;

CREATE FUNCTION app.move_rankings() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  update stat_device set district = coalesce(new.district_code, '') where organise_id = new.organise_id and site_id = new.id;
  update stat_latest set district = coalesce(new.district_code, '') where organise_id = new.organise_id and site_id = new.id;
  return null;
end $$;

CREATE FUNCTION app.move_site_blocks() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
declare
  audited text := coalesce(current_setting('app.audited', true), '');
begin
  perform set_config('app.audited', 'off', true);
  update member_block set agent_id = new.agent_id
  where organise_id = new.organise_id and site_id = new.id and agent_id is distinct from new.agent_id;
  perform set_config('app.audited', audited, true);
  return null;
end $$;

CREATE FUNCTION app.move_stats() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $_$
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
end $_$;

CREATE FUNCTION app.next_code(prefix text, sequence regclass) RETURNS text
    LANGUAGE sql
    AS $$
  select prefix || lpad(number::text, greatest(6, length(number::text)), '0') from nextval(sequence) number
$$;

CREATE PROCEDURE app.open_accounts(IN organises bigint[], IN kinds smallint[], IN owners bigint[])
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

CREATE FUNCTION app.open_gift_lots(gift_accounts bigint[]) RETURNS void
    LANGUAGE sql
    AS $$
  insert into gift_lot (organise_id, member_id, granted_fen, left_fen)
  select account.organise_id, account.owner_id, sum(account.balance_fen), sum(account.balance_fen)
  from account
  where account.id = any (gift_accounts)
    and not exists (
      select from gift_lot where gift_lot.organise_id = account.organise_id and gift_lot.member_id = account.owner_id
    )
  group by account.organise_id, account.owner_id
  having sum(account.balance_fen) > 0
$$;

CREATE FUNCTION app.order_breaks(organise bigint DEFAULT NULL::bigint) RETURNS TABLE(organise_id bigint, what text, ref text)
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

CREATE FUNCTION app.order_id() RETURNS bigint
    LANGUAGE sql
    AS $$
  select app.message_id(clock_timestamp()) | (nextval('charging_order_count') & 4194303)
$$;

CREATE FUNCTION app.order_payer(asked bigint, OUT nickname text, OUT phone text) RETURNS record
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
  select nickname, phone from member where id = asked
$$;

CREATE FUNCTION app.order_tariff(asked bigint, OUT name text, OUT no integer, OUT display_text text) RETURNS record
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
  select tariff.name, version.no, version.display_text from tariff_version version join tariff on tariff.id = version.tariff_id where version.id = asked
$$;

CREATE FUNCTION app.organise_id() RETURNS bigint
    LANGUAGE sql STABLE
    AS $$ select app.setting('app.organise_id')::bigint $$;

CREATE FUNCTION app.organise_stays() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'whether an organisation is for tests never changes' using errcode = 'check_violation';
end $$;

CREATE FUNCTION app.outage_base(from_at timestamp with time zone, upto_at timestamp with time zone) RETURNS TABLE(hour timestamp with time zone, organise_id bigint, agent_id bigint, site_id bigint, device_type_id bigint, offline_port_s bigint, fault_port_s bigint)
    LANGUAGE sql STABLE
    AS $$
  select part.hour, o.organise_id, o.agent_id, o.site_id, o.device_type_id, case o.cause when 1 then o.ports * part.seconds else 0 end, case o.cause when 2 then o.ports * part.seconds else 0 end
  from device_outage o cross join outage_mark cross join lateral app.outage_hours(o.began_at, coalesce(o.ended_at, outage_mark.counted_upto)) part
  where part.hour >= from_at and part.hour < upto_at
$$;

CREATE FUNCTION app.outage_hours(from_at timestamp with time zone, upto_at timestamp with time zone) RETURNS TABLE(hour timestamp with time zone, seconds bigint)
    LANGUAGE sql STABLE
    AS $$
  select part.hour, part.seconds from (
    select h as hour, floor(extract(epoch from least(upto_at, h + interval '1 hour')))::bigint - floor(extract(epoch from greatest(from_at, h)))::bigint as seconds
    from generate_series(date_trunc('hour', from_at), upto_at, interval '1 hour') h) part
  where part.seconds > 0
$$;

CREATE FUNCTION app.partition_bounds(parent regclass) RETURNS TABLE(child regclass, lower_at timestamp with time zone, upper_at timestamp with time zone)
    LANGUAGE sql STABLE
    AS $$
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

CREATE FUNCTION app.partition_days_left(tbl text, at timestamp with time zone DEFAULT now()) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS $$
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

CREATE FUNCTION app.pass_breaks(organise bigint DEFAULT NULL::bigint) RETURNS TABLE(organise_id bigint, what text, ref text)
    LANGUAGE sql STABLE
    AS $$
  select coalesce(pass.organise_id, deferred.organise_id), 'pass', coalesce(pass.id, deferred.owner_id)::text
  from member_plan pass
  full join (select account.organise_id, owner_id, balance_fen from account where kind = 54) deferred
    on deferred.organise_id = pass.organise_id and deferred.owner_id = pass.id
  where (pass_breaks.organise is null or coalesce(pass.organise_id, deferred.organise_id) = pass_breaks.organise)
    and coalesce(deferred.balance_fen, 0) is distinct from pass.price_fen - pass.price_fen * pass.income_days / (pass.to_on - pass.from_on + 1)
  union all
  select pass.organise_id, 'pass late', pass.id::text
  from member_plan pass
  where (pass_breaks.organise is null or pass.organise_id = pass_breaks.organise)
    and pass.income_fen < pass.price_fen
    and pass.income_days < least(pass.to_on - pass.from_on + 1, (now() at time zone 'Asia/Shanghai')::date - pass.from_on - 9)
$$;

CREATE FUNCTION app.pay_id() RETURNS bigint
    LANGUAGE sql
    AS $$ select app.message_id(clock_timestamp()) | (nextval('pay_count') & 4194303) $$;

CREATE FUNCTION app.place_breaks(from_day date, upto_day date) RETURNS TABLE(what text, place text)
    LANGUAGE plpgsql STABLE
    AS $_$
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
end $_$;

CREATE FUNCTION app.ports_down(removed_at timestamp with time zone, install_status smallint, online boolean, port_count smallint, fault_ports smallint) RETURNS smallint
    LANGUAGE sql IMMUTABLE
    AS $$
  select case when removed_at is not null or install_status <> 1 then 0 when not online then port_count else least(fault_ports, port_count) end::smallint
$$;

CREATE FUNCTION app.post(asked jsonb) RETURNS TABLE(posted_key text, posting_id bigint, repeated boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
declare
  -- One element a line.
  nos int[];
  lines int[];
  organises bigint[];
  kinds smallint[];
  owners bigint[];
  amounts bigint[];
  accounts bigint[];
  later_ones boolean[];
  -- One element a posting that is new.
  fresh_nos int[];
  fresh_ids bigint[];
  fresh_kinds smallint[];
  fresh_refs text[];
  moment timestamptz;
  before jsonb;
  known record;
  -- The gift accounts of the members whose gift money moves; their lots change under the lock of these accounts.
  gift_accounts bigint[] := '{}';
  gift record;
begin
  if jsonb_array_length(asked) not between 1 and 200 then raise exception 'between 1 and 200 postings at once'; end if;
  select array_agg(no), array_agg(line), array_agg(organise), array_agg(kind), array_agg(owner_id), array_agg(fen)
  into nos, lines, organises, kinds, owners, amounts
  from (select p.no, l.line, (p.value ->> 'organiseId')::bigint as organise, (l.value ->> 0)::smallint as kind, (l.value ->> 1)::bigint as owner_id, (l.value ->> 2)::bigint as fen
    from jsonb_array_elements(asked) with ordinality as p (value, no), jsonb_array_elements(p.value -> 'lines') with ordinality as l (value, line)
    order by p.no, l.line) every_line;

  for attempt in 1 .. 2 loop
    select array_agg(id), array_agg(summed) into accounts, later_ones
    from (select account.id, account.summed from unnest(organises, kinds, owners) with ordinality as l (organise, kind, owner_id, i)
      left join account on account.organise_id = l.organise and account.kind = l.kind and account.owner_id = l.owner_id order by i) found_ones;
    exit when array_position(accounts, null) is null;
    if attempt = 2 then raise exception 'no such account in %', asked; end if;
    call app.open_accounts(organises, kinds, owners);
  end loop;

  if kinds && '{2,4,6}'::smallint[] then
    gift_accounts := array(
      select account.id
      from (
        select distinct organise, owner_id
        from unnest(organises, kinds, owners) as l (organise, kind, owner_id)
        where kind in (2, 4, 6)
      ) moved
      join account on account.organise_id = moved.organise and account.kind in (2, 4, 6) and account.owner_id = moved.owner_id
    );
  end if;
  -- Lock first, then read, then decide: all accounts at once, in one order. Then the keys, in one order, too.
  perform from account where id = any (accounts || gift_accounts) and not summed order by id for no key update;
  if gift_accounts <> '{}' then perform app.open_gift_lots(gift_accounts); end if;
  moment := clock_timestamp();
  with made as (
    insert into posting (id, key, key_at, organise_id, agent_id, site_id, kind, ref, memo, posted_by, input_hash, digest, xid, posted_at)
    overriding system value
    select p.id, p.key, p."keyAt", p."organiseId", p."agentId", p."siteId", p.kind, p.ref, p.memo, p.by, app.posting_input(p.value),
      app.posting_digest(p.id, p."organiseId", p.key, p.kind, p.ref, p.memo, p.by, moment,
        (select jsonb_agg(jsonb_build_array(a, f) order by l) from unnest(nos, lines, accounts, amounts) as own (n, l, a, f) where n = p.no)),
      pg_current_xact_id(), moment
    from (select every_one.*, asked -> (every_one.no - 1)::int as value, nextval('posting_id_seq') as id
      from rows from (jsonb_to_recordset(asked) as (key text, "keyAt" timestamptz, "organiseId" bigint, "agentId" bigint, "siteId" bigint, kind smallint, ref text, memo text, by text))
        with ordinality as every_one (key, "keyAt", "organiseId", "agentId", "siteId", kind, ref, memo, by, no)
      order by every_one.key) p
    on conflict (key, key_at) do nothing
    returning id, key, kind, ref
  )
  select array_agg(p.no), array_agg(made.id), array_agg(made.kind), array_agg(made.ref) into fresh_nos, fresh_ids, fresh_kinds, fresh_refs
  from made join jsonb_array_elements(asked) with ordinality as p (value, no) on p.value ->> 'key' = made.key;

  if fresh_nos is not null then
    with own as materialized (
      select n, l, a, f, s, id, kind, ref from unnest(nos, lines, accounts, amounts, later_ones) as line (n, l, a, f, s)
      join unnest(fresh_nos, fresh_ids, fresh_kinds, fresh_refs) as new (no, id, kind, ref) on new.no = line.n
    ), moved as (
      update account set balance_fen = account.balance_fen + change.fen, seq = account.seq + change.entries
      from (select a, sum(f)::bigint as fen, count(*) as entries from own where not s group by a) change
      where account.id = change.a
      returning account.id, account.balance_fen - change.fen as balance_fen, account.seq - change.entries as seq
    )
    insert into entry (posting_id, line, account_id, organise_id, agent_id, site_id, amount_fen, balance_fen, seq, later, kind, ref, posted_at)
    select own.id, own.l, account.id, account.organise_id, account.agent_id, account.site_id, own.f,
      moved.balance_fen + sum(own.f) over of_account, moved.seq + row_number() over of_account,
      case when own.s then pg_current_xact_id() end, own.kind, own.ref, moment
    from own join account on account.id = own.a left join moved on moved.id = own.a
    window of_account as (partition by own.a order by own.n, own.l);

    if gift_accounts <> '{}' then
      for gift in
        select l.n, l.organise, l.owner_id, new.kind, new.ref, asked -> (l.n - 1) as posting, sum(l.f)::bigint as fen
        from unnest(nos, organises, kinds, owners, amounts) as l (n, organise, kind, owner_id, f)
        join unnest(fresh_nos, fresh_kinds, fresh_refs) as new (no, kind, ref) on new.no = l.n
        where l.kind in (2, 4, 6)
        group by l.n, l.organise, l.owner_id, new.kind, new.ref
        having sum(l.f) <> 0
        order by l.n, l.organise, l.owner_id
      loop
        if gift.fen > 0 then
          perform app.add_gift(gift.organise, gift.owner_id, gift.fen, gift.ref, (gift.posting ->> 'giftValidDays')::int, moment);
        else
          perform app.use_gift(gift.organise, gift.owner_id, -gift.fen, gift.kind, gift.ref, gift.posting ->> 'giftFrom');
        end if;
      end loop;
    end if;
  end if;
  return query select asked -> (no - 1) ->> 'key', id, false from unnest(fresh_nos, fresh_ids) as new (no, id);

  -- The rest was posted before. One by one: a join would read the whole month.
  for before in select p.value from jsonb_array_elements(asked) with ordinality as p (value, no)
    where coalesce(not p.no = any (fresh_nos), true) loop
    select id, input_hash into strict known from posting where key = before ->> 'key' and key_at = (before ->> 'keyAt')::timestamptz;
    if known.input_hash <> app.posting_input(before) then
      raise exception 'the key % was used for another posting', before ->> 'key' using errcode = 'WD002';
    end if;
    return query select before ->> 'key', known.id, true;
  end loop;
end $$;

CREATE FUNCTION app.posting_digest(id bigint, organise bigint, key text, kind smallint, ref text, memo text, posted_by text, posted_at timestamp with time zone, lines jsonb) RETURNS bytea
    LANGUAGE sql STABLE
    AS $$
  select sha256(convert_to(jsonb_build_array(id, organise, key, kind, ref, memo, posted_by, (extract(epoch from posted_at) * 1000000)::bigint, lines)::text, 'UTF8'))
$$;

CREATE FUNCTION app.posting_input(asked jsonb) RETURNS bytea
    LANGUAGE sql STABLE
    AS $$ select sha256(convert_to(asked::text, 'UTF8')) $$;

CREATE FUNCTION app.prove_accounts(slice integer) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
  mark ledger_proof;
  accounts bigint[];
  breaks jsonb;
begin
  select * into mark from ledger_proof where id = 1 for update skip locked;
  if not found then return '{"more": false, "read": 0, "breaks": []}'; end if;
  accounts := array(select id from account where id > mark.account_id order by id limit slice);
  select coalesce(jsonb_agg(to_jsonb(fault)), '[]') into breaks
  from (
    select * from app.account_breaks(accounts)
    union all
    select * from app.sum_breaks(accounts)
    limit 100
  ) fault;
  if breaks = '[]' then
    update ledger_proof
    set account_id = case when cardinality(accounts) < slice then 0 else accounts[slice] end, proven_at = now()
    where id = 1;
  end if;
  return jsonb_build_object(
    'more', breaks = '[]' and cardinality(accounts) = slice, 'read', cardinality(accounts), 'breaks', breaks
  );
end $$;

CREATE FUNCTION app.prove_audit(organise bigint, again boolean, slice integer) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
  mark audit_proof;
  head audit_chain;
  since bigint;
  since_hash bytea;
  upto bigint;
  upto_hash bytea;
  goal bigint;
  read bigint;
  breaks jsonb;
begin
  insert into audit_proof (organise_id) values (organise) on conflict do nothing;
  select * into mark from audit_proof where organise_id = organise for update skip locked;
  if not found then return '{"more": false, "read": 0, "breaks": []}'; end if;
  select * into head from audit_chain where organise_id = organise;
  if again then
    -- From the beginning when the end is reached.
    if mark.again_seq >= mark.seq then
      mark.again_seq := 0;
      mark.again_hash := '\x00';
    end if;
    since := mark.again_seq;
    since_hash := mark.again_hash;
    goal := mark.seq;
  else
    since := mark.seq;
    since_hash := mark.hash;
    goal := coalesce(head.seq, 0);
  end if;
  upto := least(since + slice, goal);
  with walk as materialized (
    select
      entry.seq,
      entry.hash,
      entry.prev_hash,
      app.audit_hash(entry.prev_hash, entry) as own,
      lag(entry.hash, 1, since_hash) over chain as before_hash,
      lag(entry.seq, 1, since) over chain as before_seq
    from audit_log entry
    where entry.organise_id = organise
      and entry.seq > since
      and entry.seq <= upto
    window chain as (order by entry.seq)
  ), fault as (
    select walk.seq, 'changed' as what from walk where walk.own is distinct from walk.hash
    union all
    select walk.seq, 'gap' from walk where walk.before_seq <> walk.seq - 1 or walk.before_hash is distinct from walk.prev_hash
    union all
    select upto, 'cut' where upto > since and not exists (select from walk where walk.seq = upto)
    union all
    -- The entry that was proven last is still the one that was proven.
    select mark.seq, 'rewritten'
    where mark.seq > 0
      and not exists (
        select from audit_log entry where entry.organise_id = organise and entry.seq = mark.seq and entry.hash = mark.hash
      )
    union all
    select head.seq, 'cut'
    where head.seq > 0
      and not exists (
        select from audit_log entry where entry.organise_id = organise and entry.seq = head.seq and entry.hash = head.hash
      )
  )
  select
    (select count(*) from walk),
    (select walk.hash from walk where walk.seq = upto limit 1),
    coalesce((select jsonb_agg(jsonb_build_object('seq', fault.seq, 'what', fault.what)) from (select distinct * from fault limit 100) fault), '[]')
  into read, upto_hash, breaks;
  if breaks = '[]' and upto > since then
    update audit_proof set
      seq = case when again then mark.seq else upto end,
      hash = case when again then mark.hash else upto_hash end,
      again_seq = case when again then upto else mark.again_seq end,
      again_hash = case when again then upto_hash else mark.again_hash end,
      proven_at = now()
    where organise_id = organise;
  end if;
  return jsonb_build_object('more', breaks = '[]' and upto < goal, 'read', read, 'breaks', breaks);
end $$;

CREATE FUNCTION app.prove_days(again boolean) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
  mark ledger_proof;
  next_day date;
  goal date;
  read bigint;
  breaks jsonb;
begin
  select * into mark from ledger_proof where id = 1 for update skip locked;
  if not found then return '{"more": false, "read": 0, "breaks": []}'; end if;
  if again then
    goal := mark.day;
    if mark.again_day >= goal then mark.again_day := '2000-01-01'; end if;
    select min(day) into next_day from ledger_proof_day where day > mark.again_day and day <= goal;
  else
    goal := (coalesce(
      (select posted_at from entry where later >= mark.upto order by later limit 1), now()
    ) at time zone 'Asia/Shanghai')::date - 2;
    select min(day) into next_day from ledger_proof_day where day > mark.day and day <= goal;
  end if;
  if next_day is null then
    if again then update ledger_proof set again_day = goal where id = 1; end if;
    return '{"more": false, "read": 0, "breaks": []}';
  end if;
  with compared as (
    select account_day.organise_id, coalesce(account_day.account_id, proven.account_id) as account_id,
      account_day.in_fen - account_day.out_fen = proven.fen and account_day.entries = proven.entries as equal
    from (select * from account_day where day = next_day) account_day
    full join (select * from ledger_proof_day where day = next_day) proven using (account_id)
  )
  select
    count(*),
    coalesce(jsonb_agg(jsonb_build_object('organise_id', organise_id, 'what', 'days', 'ref', account_id)) filter (
      where equal is not true
    ), '[]')
  into read, breaks
  from compared;
  if breaks = '[]' then
    update ledger_proof set
      day = case when again then day else next_day end,
      again_day = case when again then next_day else again_day end,
      proven_at = now()
    where id = 1;
  end if;
  return jsonb_build_object('more', breaks = '[]' and next_day < goal, 'read', read, 'breaks', breaks);
end $$;

CREATE FUNCTION app.prove_orders(again boolean, slice integer) RETURNS jsonb
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

CREATE FUNCTION app.prove_postings(again boolean, slice integer) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
  mark ledger_proof;
  since xid8;
  goal xid8;
  cut xid8;
  read bigint;
  breaks jsonb;
begin
  select * into mark from ledger_proof where id = 1 for update skip locked;
  if not found then return '{"more": false, "read": 0, "breaks": []}'; end if;
  if again then
    goal := mark.upto;
    since := case when mark.again_upto >= goal then '0'::xid8 else mark.again_upto end;
  else
    select ledger_edge.upto into strict goal from ledger_edge where id = 1;
    since := mark.upto;
  end if;
  -- A slice ends where blocks end.
  select min(upto_xid) into cut
  from (
    select upto_xid, sum(postings) over (order by from_xid, organise_id) as postings
    from (
      select from_xid, upto_xid, organise_id, postings
      from ledger_block
      where from_xid >= since and from_xid < goal
      order by from_xid
      limit slice
    ) block
  ) counted
  where postings >= slice;
  if cut is null or cut <= since or cut > goal then
    select case when count(*) < slice then goal else max(from_xid) end into cut
    from (select from_xid from ledger_block where from_xid >= since and from_xid < goal order by from_xid limit slice) block;
    if cut <= since then cut := goal; end if;
  end if;
  select count(*) into read from posting where xid >= since and xid < cut;
  select coalesce(jsonb_agg(to_jsonb(fault)), '[]') into breaks
  from (
    select * from app.ledger_breaks_between(since, cut)
    union all
    -- The block that was proven last is still the one that was proven.
    select head.organise_id, 'rewritten', head.no::text
    from ledger_proof_head head
    where not exists (
      select from ledger_block block
      where block.organise_id = head.organise_id and block.no = head.no and block.hash = head.hash
    )
    limit 100
  ) fault;
  if breaks = '[]' then
    if again then
      update ledger_proof set again_upto = cut, proven_at = now() where id = 1;
    else
      insert into ledger_proof_head as head (organise_id, no, hash)
      select distinct on (organise_id) organise_id, no, hash
      from ledger_block
      where from_xid >= since and from_xid < cut
      order by organise_id, no desc
      on conflict (organise_id) do update set no = excluded.no, hash = excluded.hash;
      insert into ledger_proof_day as kept (account_id, day, fen, entries)
      select account_id, (posted_at at time zone 'Asia/Shanghai')::date, sum(amount_fen), count(*)
      from entry
      where later >= since and later < cut
      group by 1, 2
      on conflict (account_id, day) do update set
        fen = kept.fen + excluded.fen,
        entries = kept.entries + excluded.entries;
      update ledger_proof set upto = cut, proven_at = now() where id = 1;
    end if;
  end if;
  return jsonb_build_object('more', breaks = '[]' and cut < goal, 'read', read, 'breaks', breaks);
end $$;

CREATE FUNCTION app.province_of(district text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ select case when district = '' then '' else left(district, 2) || '0000' end $$;

CREATE FUNCTION app.rank_order() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
declare
  class bigint := (select category_id from device_type where id = new.device_type_id);
begin
  insert into stat_device_delta (day, organise_id, agent_id, site_id, category_id, device_id, orders, turnover_fen)
  values ((coalesce(new.ended_at, new.settled_at) at time zone 'Asia/Shanghai')::date, new.organise_id, coalesce(new.agent_id, 0), coalesce(new.site_id, 0), class, new.device_id, 1, new.total_fen);
  insert into stat_latest (order_id, settled_at, organise_id, agent_id, site_id, district, category_id)
  values (new.id, new.settled_at, new.organise_id, coalesce(new.agent_id, 0), coalesce(new.site_id, 0), coalesce((select district_code from site where id = new.site_id), ''), class);
  return null;
end $$;

CREATE FUNCTION app.ranking_breaks(from_day date, upto_day date) RETURNS TABLE(what text, place text)
    LANGUAGE plpgsql STABLE
    AS $_$
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
end $_$;

CREATE FUNCTION app.rankings_base() RETURNS TABLE(day date, organise_id bigint, agent_id bigint, site_id bigint, category_id bigint, device_id bigint, orders bigint, turnover_fen bigint)
    LANGUAGE sql STABLE
    AS $$
  select (coalesce(o.ended_at, o.settled_at) at time zone 'Asia/Shanghai')::date, o.organise_id, coalesce(o.agent_id, 0), coalesce(o.site_id, 0), type.category_id, o.device_id, count(*), sum(o.total_fen)::bigint
  from charging_order o join device_type type on type.id = o.device_type_id
  where o.status = 3 and coalesce(o.ended_at, o.settled_at) >= (date_trunc('month', now() at time zone 'Asia/Shanghai') - interval '1 month') at time zone 'Asia/Shanghai'
  group by 1, 2, 3, 4, 5, 6
$$;

CREATE FUNCTION app.rebuild_analysis(from_day date, upto_day date) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION app.rebuild_places(from_day date, upto_day date) RETURNS void
    LANGUAGE plpgsql
    AS $_$
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
end $_$;

CREATE FUNCTION app.rebuild_rankings(from_day date, upto_day date) RETURNS void
    LANGUAGE plpgsql
    AS $_$
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
end $_$;

CREATE FUNCTION app.rebuild_stats(from_day date, upto_day date) RETURNS void
    LANGUAGE sql
    AS $$
  select app.rebuild_places(from_day, upto_day);
  select app.rebuild_rankings(from_day, upto_day);
$$;

CREATE FUNCTION app.refund_step(was text, becomes text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  select case was when 'AUDITING' then becomes in ('APPROVALING', 'AUDIT_FAILED', 'AUDIT_CANCEL')
    when 'APPROVALING' then becomes in ('APPROVALING_FINISH', 'APPROVAL_FAILED', 'AUDIT_CANCEL')
    when 'APPROVALING_FINISH' then becomes in ('FINISH', 'AUDIT_CANCEL') else false end
$$;

CREATE FUNCTION app.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception '% is never changed: a correction is an opposite posting', tg_table_name;
end $$;

CREATE FUNCTION app.refuse_move() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if current_user not in ('wattdeck_api', 'wattdeck_worker') then return new; end if;
  raise exception 'a state of % does not move so', tg_table_name;
end $$;

CREATE FUNCTION app.refuse_unbalanced() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare unbalanced bigint;
begin
  select posting_id into unbalanced from added group by posting_id having sum(amount_fen) <> 0 limit 1;
  if unbalanced is not null then raise exception 'posting % does not add up to nothing', unbalanced; end if;
  return null;
end $$;

CREATE FUNCTION app.return_coupon(of_order bigint, organise bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
  update coupon_grant set status = 1, off_fen = null, used_at = null, order_id = null
  where order_id = of_order and organise_id = organise and status = 3
    and valid_until >= (now() at time zone 'Asia/Shanghai')::date
    and (select coalesce(sum(paid_fen + gift_fen), 0) from refund_order where order_id = of_order and status in (2, 4))
      >= (select total_fen from charging_order where id = of_order)
$$;

CREATE FUNCTION app.roll_outages() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION app.scope_level() RETURNS integer
    LANGUAGE sql STABLE
    AS $$ select app.setting('app.scope_level')::int $$;

CREATE FUNCTION app.seal_ledger(slice integer DEFAULT 5000, OUT sealed bigint, OUT more boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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

CREATE PROCEDURE app.secure_organise_table(IN tbl regclass)
    LANGUAGE plpgsql
    AS $$
declare
  rule text := 'case (select app.scope_level()) when 0 then true when 1 then organise_id = (select app.organise_id()) else false end';
begin
  execute format('alter table %s enable row level security', tbl);
  execute format('alter table %s force row level security', tbl);
  execute format('create policy tenant on %s using (%s) with check (%s)', tbl, rule, rule);
end $$;

CREATE PROCEDURE app.secure_platform_table(IN tbl regclass)
    LANGUAGE plpgsql
    AS $$
begin
  execute format('alter table %s enable row level security', tbl);
  execute format('alter table %s force row level security', tbl);
  execute format('create policy reading on %s for select using ((select app.scope_level()) >= 0)', tbl);
  execute format('create policy adding on %s for insert with check ((select app.scope_level()) = 0)', tbl);
  execute format('create policy changing on %s for update using ((select app.scope_level()) = 0)', tbl);
  execute format('create policy removing on %s for delete using ((select app.scope_level()) = 0)', tbl);
end $$;

CREATE PROCEDURE app.secure_tenant_table(IN tbl regclass)
    LANGUAGE plpgsql
    AS $$
declare
  rule text :=
    'case (select app.scope_level()) when 0 then true'
    ' when 1 then organise_id = (select app.organise_id())'
    ' when 2 then organise_id = (select app.organise_id()) and agent_id = any ((select app.agent_ids())::bigint[])'
    ' when 3 then organise_id = (select app.organise_id()) and site_id = any ((select app.site_ids())::bigint[])'
    ' else false end';
begin
  execute format('alter table %s enable row level security', tbl);
  execute format('alter table %s force row level security', tbl);
  execute format('create policy tenant on %s using (%s) with check (%s)', tbl, rule, rule);
end $$;

CREATE FUNCTION app.service_status(until date) RETURNS smallint
    LANGUAGE sql STABLE
    AS $$
  select case when until < (now() at time zone 'Asia/Shanghai')::date then 3
    when until <= (now() at time zone 'Asia/Shanghai')::date + 30 then 2 else 1 end::smallint
$$;

CREATE FUNCTION app.setting(name text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare value text := current_setting(name, true);
begin
  if value is null or value = '' then
    raise exception 'no scope: % is not set', name using errcode = 'insufficient_privilege';
  end if;
  return value;
end $$;

CREATE FUNCTION app.settlement_stopped(organise bigint) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  select exists (select from recon_break where recon_break.organise_id = organise and recon_break.status = 1)
$$;

CREATE FUNCTION app.sim_carrier(iccid text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case
    when left(iccid, 6) in ('898600', '898602', '898604', '898607', '898608', '898613') then '中国移动'
    when left(iccid, 6) in ('898601', '898606', '898609') then '中国联通'
    when left(iccid, 6) in ('898603', '898611') then '中国电信'
  end
$$;

CREATE FUNCTION app.site_ids() RETURNS bigint[]
    LANGUAGE sql STABLE
    AS $$ select app.setting('app.site_ids')::bigint[] $$;

CREATE TABLE public.stat_delta (
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    district text DEFAULT ''::text NOT NULL,
    device_type_id bigint DEFAULT 0 NOT NULL,
    orders bigint DEFAULT 0 NOT NULL,
    released bigint DEFAULT 0 NOT NULL,
    seconds bigint DEFAULT 0 NOT NULL,
    energy_dwh bigint DEFAULT 0 NOT NULL,
    electricity_fen bigint DEFAULT 0 NOT NULL,
    service_fen bigint DEFAULT 0 NOT NULL,
    occupancy_fen bigint DEFAULT 0 NOT NULL,
    paid_fen bigint DEFAULT 0 NOT NULL,
    gift_fen bigint DEFAULT 0 NOT NULL,
    refunds bigint DEFAULT 0 NOT NULL,
    refunded_fen bigint DEFAULT 0 NOT NULL,
    recharges bigint DEFAULT 0 NOT NULL,
    recharged_fen bigint DEFAULT 0 NOT NULL,
    recharge_gift_fen bigint DEFAULT 0 NOT NULL,
    recharge_refunds bigint DEFAULT 0 NOT NULL,
    recharge_refunded_fen bigint DEFAULT 0 NOT NULL,
    members bigint DEFAULT 0 NOT NULL,
    devices bigint DEFAULT 0 NOT NULL,
    faults bigint DEFAULT 0 NOT NULL,
    hour timestamp with time zone NOT NULL,
    id bigint NOT NULL,
    visits bigint DEFAULT 0 NOT NULL,
    discount_fen bigint DEFAULT 0 NOT NULL
);

ALTER TABLE ONLY public.stat_delta FORCE ROW LEVEL SECURITY;

CREATE FUNCTION app.stat_base(from_at timestamp with time zone, upto_at timestamp with time zone) RETURNS SETOF public.stat_delta
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

CREATE FUNCTION app.stat_breaks(from_day date, upto_day date) RETURNS TABLE(what text, place text)
    LANGUAGE sql STABLE
    AS $$
  select * from app.place_breaks(from_day, upto_day) union all select * from app.ranking_breaks(from_day, upto_day)
$$;

CREATE FUNCTION app.stat_figures(of_table regclass) RETURNS text[]
    LANGUAGE sql STABLE
    AS $$
  select array_agg(attname::text order by attnum) from pg_attribute
  where attrelid = of_table and attnum > 0 and not attisdropped and attname not in ('id', 'day', 'hour', 'kind', 'organise_id', 'agent_id', 'site_id', 'district', 'device_type_id')
$$;

CREATE TABLE public.stat_now_delta (
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    district text DEFAULT ''::text NOT NULL,
    device_type_id bigint DEFAULT 0 NOT NULL,
    devices bigint DEFAULT 0 NOT NULL,
    online bigint DEFAULT 0 NOT NULL,
    ports bigint DEFAULT 0 NOT NULL,
    online_ports bigint DEFAULT 0 NOT NULL,
    free_ports bigint DEFAULT 0 NOT NULL,
    working_ports bigint DEFAULT 0 NOT NULL,
    fault_ports bigint DEFAULT 0 NOT NULL,
    appointed_ports bigint DEFAULT 0 NOT NULL,
    connected_ports bigint DEFAULT 0 NOT NULL,
    warning_ports bigint DEFAULT 0 NOT NULL,
    down_ports bigint DEFAULT 0 NOT NULL,
    members bigint DEFAULT 0 NOT NULL,
    id bigint NOT NULL,
    expiring bigint DEFAULT 0 NOT NULL,
    expired bigint DEFAULT 0 NOT NULL
);

ALTER TABLE ONLY public.stat_now_delta FORCE ROW LEVEL SECURITY;

CREATE FUNCTION app.stat_now_base() RETURNS SETOF public.stat_now_delta
    LANGUAGE sql STABLE
    AS $$
  select organise_id, agent_id, site_id, coalesce(district_code, ''), device_type_id, 1::bigint, online::int::bigint, port_count::bigint, case when online then port_count else 0 end::bigint, free_ports::bigint, working_ports::bigint,
    fault_ports::bigint, appointed_ports::bigint, connected_ports::bigint, warning_ports::bigint, down_ports::bigint, 0::bigint, 0::bigint, (service_status = 2)::int::bigint, (service_status = 3)::int::bigint
  from device where deleted_at is null
  union all
  select m.organise_id, m.agent_id, m.site_id, coalesce(site.district_code, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0 from member m left join site on site.id = m.site_id
$$;

CREATE FUNCTION app.stat_places(organise bigint, agent bigint, site bigint, district text) RETURNS TABLE(kind smallint, organise_id bigint, agent_id bigint, site_id bigint, of_district text)
    LANGUAGE sql IMMUTABLE
    AS $$
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

CREATE FUNCTION app.sum_account_days() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'INSERT' then
    insert into account_sum (account_id, organise_id, agent_id, site_id, fen)
    select account_id, min(organise_id), agent_id, site_id, sum(in_fen - out_fen) from is_now
    group by account_id, agent_id, site_id order by account_id
    on conflict (account_id, agent_id, site_id) do update set fen = account_sum.fen + excluded.fen;
  else
    insert into account_sum (account_id, organise_id, agent_id, site_id, fen)
    select account_id, min(organise_id), agent_id, site_id, sum(sign * (in_fen - out_fen))
    from (select 1 as sign, is_now.* from is_now union all select -1, was.* from was) change
    group by account_id, agent_id, site_id order by account_id
    on conflict (account_id, agent_id, site_id) do update set fen = account_sum.fen + excluded.fen;
  end if;
  return null;
end $$;

CREATE FUNCTION app.sum_breaks(accounts bigint[]) RETURNS TABLE(organise_id bigint, what text, ref text)
    LANGUAGE sql STABLE
    AS $$
  select min(part.organise_id), 'sums', part.account_id::text
  from (
    select account_id, agent_id, site_id, account_sum.organise_id, fen from account_sum where account_id = any (accounts)
    union all
    select account_id, agent_id, site_id, account_day.organise_id, out_fen - in_fen
    from account_day
    where account_id = any (accounts)
  ) part
  group by part.account_id, part.agent_id, part.site_id
  having sum(part.fen) <> 0
$$;

CREATE FUNCTION app.tell_pay_work() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin perform pg_notify('pay_work', ''); return null; end $$;

CREATE FUNCTION app.tell_piles() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  if tg_table_name = 'device' then
    insert into tariff_push_due (device_id) values (new.id);
  elsif tg_table_name = 'site' then
    insert into tariff_push_due (device_id)
    select id from device
    where organise_id = new.organise_id and site_id = new.id and tariff_id is null and adapter = 'ykc' and deleted_at is null;
  else
    insert into tariff_push_due (device_id)
    select id from device where tariff_id = new.id and adapter = 'ykc' and deleted_at is null
    union all
    select device.id from site join device on device.organise_id = site.organise_id and device.site_id = site.id
    where site.tariff_id = new.id and device.tariff_id is null and device.adapter = 'ykc' and device.deleted_at is null;
  end if;
  return null;
end $$;

CREATE FUNCTION app.touch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.updated_at := now();
  return new;
end $$;

CREATE FUNCTION app.uncount_order() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
begin
  insert into stat_delta (hour, organise_id, agent_id, site_id, district, device_type_id, released)
  select date_trunc('hour', old.settled_at), old.organise_id, old.agent_id, old.site_id, coalesce((select district_code from site where id = old.site_id), ''), old.device_type_id, -1;
  return null;
end $$;

CREATE FUNCTION app.use_gift(organise bigint, member bigint, fen bigint, kind smallint, ref text, granted_by text) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  taken bigint;
begin
  with open_lot as (
    select id, left_fen, coalesce(sum(left_fen) over earlier, 0)::bigint as before
    from gift_lot
    where organise_id = organise and member_id = member and left_fen > 0
    window earlier as (
      order by coalesce(source_ref = granted_by, false) desc, ends_at, id
      rows between unbounded preceding and 1 preceding
    )
  ), part as (
    select id, least(left_fen, use_gift.fen - before) as fen from open_lot where before < use_gift.fen
  ), moved as (
    update gift_lot set left_fen = gift_lot.left_fen - part.fen from part where gift_lot.id = part.id
  ), noted as (
    insert into gift_lot_use (member_id, ref, lot_id, organise_id, fen)
    select member, use_gift.ref, part.id, organise, part.fen from part where kind in (5, 6)
    on conflict on constraint gift_lot_use_pkey do update set fen = gift_lot_use.fen + excluded.fen
  )
  select sum(part.fen) into taken from part;
  if taken is distinct from fen then
    raise exception 'the gift lots of member % do not cover % fen', member, fen;
  end if;
end $$;

CREATE FUNCTION app.user_rights(person bigint) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
begin
  return (
    with recursive roles as (
      select role.* from user_role join role on role.id = user_role.role_id
      where user_role.user_id = person and role.status = 1
    ),
    standing as (
      select coalesce(min(top_level), 9) as top_level, coalesce(bool_or(can_unmask), false) as unmask,
        coalesce(jsonb_agg(distinct code), '[]') as codes
      from roles
    ),
    enabled as (select * from app.live_menus()),
    above as (
      select department.id, department.parent_id, 0 as depth from department
      join user_account on user_account.department_id = department.id where user_account.id = person
      union all
      select department.id, department.parent_id, above.depth + 1 from department join above on department.id = above.parent_id
    ),
    -- The nearest department that has menus at all sets the ceiling.
    ceiling as (
      select menu_id from department_menu where department_id = (
        select above.id from above where exists (select from department_menu given where given.department_id = above.id)
        order by depth limit 1)
    ),
    granted as (
      select enabled.id, enabled.menu_key from enabled, standing
      where enabled.always_visible or standing.top_level = 0
        or (enabled.id in (select role_menu.menu_id from role_menu join roles on roles.id = role_menu.role_id)
          and (not exists (select from ceiling) or enabled.id in (select menu_id from ceiling)))
    ),
    -- Whoever holds a menu holds the directories above it: they lead to it and open nothing by themselves.
    held as (
      select granted.id, granted.menu_key, menu.parent_id from granted join menu on menu.id = granted.id
      union
      select menu.id, menu.menu_key, menu.parent_id from held join menu on menu.id = held.parent_id where menu.kind = 1
    ),
    actions as (
      select distinct granted.menu_key || ':' || resource.action as action
      from granted join resource on resource.menu_id = granted.id and resource.status = 1, standing
      where standing.top_level = 0
        or resource.id in (select role_resource.resource_id from role_resource join roles on roles.id = role_resource.role_id)
    )
    select jsonb_build_object(
      'roleTopLevel', top_level,
      'unmask', unmask or top_level = 0,
      'roleCodes', codes,
      'menuKeys', coalesce((select jsonb_agg(menu_key order by menu_key) from held), '[]'),
      'grants', coalesce((select jsonb_agg(action order by action) from actions), '[]'))
    from standing);
end $$;

CREATE FUNCTION app.version_in_force(asked bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return (
    select tariff.version_id from device
    left join site on site.id = device.site_id
    join tariff on tariff.id = case when device.tariff_id is null then site.tariff_id else device.tariff_id end and tariff.status = 1
    where device.id = asked
  );
end $$;

CREATE FUNCTION app.visits_since() RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$select '-infinity'::timestamptz$$;

CREATE FUNCTION app.wake_charges() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_notify('charge_news', '');
  return null;
end $$;

CREATE FUNCTION app.wake_commands() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_notify('device_command', '');
  return null;
end $$;

CREATE FUNCTION app.wake_relay() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_notify('outbox', '');
  return null;
end $$;

CREATE FUNCTION app.watch_outages() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "app.scope_level" TO '0'
    SET "app.organise_id" TO '0'
    SET "app.agent_ids" TO '{}'
    SET "app.site_ids" TO '{}'
    AS $$
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

CREATE FUNCTION app.write_name_tails() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'UPDATE' then
    delete from site_name_tail where site_id = new.id;
  end if;
  if new.deleted_at is null then
    insert into site_name_tail (organise_id, agent_id, site_id, tail)
    select new.organise_id, new.agent_id, new.id, tail from (
      select substr(lower(new.name), place, 12) from generate_series(1, length(new.name)) place
      union select lower(new.code)
    ) as tails (tail);
  end if;
  return null;
end $$;

CREATE TABLE public.account (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    kind smallint NOT NULL,
    owner_id bigint NOT NULL,
    summed boolean NOT NULL,
    balance_fen bigint DEFAULT 0 NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    opened_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT account_check CHECK (((NOT summed) OR ((balance_fen = 0) AND (seq = 0)))),
    CONSTRAINT account_enough CHECK ((balance_fen >= 0))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.account FORCE ROW LEVEL SECURITY;

CREATE TABLE public.account_day (
    account_id bigint NOT NULL,
    day date NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    in_fen bigint NOT NULL,
    out_fen bigint NOT NULL,
    entries bigint NOT NULL
);

ALTER TABLE ONLY public.account_day FORCE ROW LEVEL SECURITY;

ALTER TABLE public.account ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.account_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.account_sum (
    account_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    fen bigint NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.account_sum FORCE ROW LEVEL SECURITY;

CREATE SEQUENCE public.agent_code
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.agent (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    parent_agent_id bigint,
    type smallint DEFAULT 1 NOT NULL,
    name text NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    code text DEFAULT app.next_code('YY'::text, 'public.agent_code'::regclass) NOT NULL,
    depth smallint DEFAULT 1 NOT NULL,
    contact text,
    phone text,
    province_code text,
    city_code text,
    district_code text,
    address text,
    share_bp integer DEFAULT 0 NOT NULL,
    admin_user_id bigint,
    remark text,
    created_by text,
    deleted_at timestamp with time zone,
    CONSTRAINT agent_contact_check CHECK (((length(contact) >= 1) AND (length(contact) <= 30))),
    CONSTRAINT agent_depth_check CHECK (((depth >= 1) AND (depth <= 9))),
    CONSTRAINT agent_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
    CONSTRAINT agent_phone_check CHECK ((phone ~ '^1[3-9]\d{9}$'::text)),
    CONSTRAINT agent_share_bp_check CHECK (((share_bp >= 0) AND (share_bp <= 10000))),
    CONSTRAINT agent_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT agent_type_check CHECK ((type = ANY (ARRAY[1, 2])))
);

ALTER TABLE ONLY public.agent FORCE ROW LEVEL SECURITY;

ALTER TABLE public.agent ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.agent_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.alarm (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    device_id bigint NOT NULL,
    device_no text NOT NULL COLLATE pg_catalog."C",
    port_no smallint DEFAULT 0 NOT NULL,
    kind smallint NOT NULL,
    severity smallint NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    count integer DEFAULT 1 NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    healthy_since timestamp with time zone,
    close_at timestamp with time zone,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL,
    incident_id bigint,
    told_at timestamp with time zone,
    acknowledged_by text,
    acknowledged_at timestamp with time zone,
    closed_by text,
    closed_at timestamp with time zone,
    close_reason text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT alarm_check CHECK ((last_at >= first_at)),
    CONSTRAINT alarm_check1 CHECK (((status = 3) = ((closed_at IS NOT NULL) AND (close_reason IS NOT NULL)))),
    CONSTRAINT alarm_close_reason_check CHECK (((length(close_reason) >= 1) AND (length(close_reason) <= 200))),
    CONSTRAINT alarm_count_check CHECK ((count > 0)),
    CONSTRAINT alarm_kind_check CHECK (((kind >= 1) AND (kind <= 15))),
    CONSTRAINT alarm_port_no_check CHECK (((port_no >= 0) AND (port_no <= 24))),
    CONSTRAINT alarm_severity_check CHECK ((severity = ANY (ARRAY[1, 2, 3]))),
    CONSTRAINT alarm_status_check CHECK ((status = ANY (ARRAY[1, 2, 3])))
);

ALTER TABLE ONLY public.alarm FORCE ROW LEVEL SECURITY;

CREATE TABLE public.alarm_attempt (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    alarm_id bigint NOT NULL,
    command_id bigint,
    at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.alarm_attempt FORCE ROW LEVEL SECURITY;

ALTER TABLE public.alarm_attempt ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.alarm_attempt_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.alarm_default (
    kind smallint NOT NULL,
    enabled boolean NOT NULL,
    threshold integer,
    minutes integer,
    hold_down_min integer NOT NULL,
    severity smallint NOT NULL,
    recovers boolean NOT NULL,
    opens_ticket boolean NOT NULL,
    notify_types smallint[] NOT NULL,
    sms_types smallint[] NOT NULL,
    updated_by text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT alarm_default_hold_down_min_check CHECK (((hold_down_min >= 0) AND (hold_down_min <= 1440))),
    CONSTRAINT alarm_default_kind_check CHECK (((kind >= 1) AND (kind <= 15))),
    CONSTRAINT alarm_default_minutes_check CHECK (((minutes >= 1) AND (minutes <= 60))),
    CONSTRAINT alarm_default_notify_types_check CHECK ((notify_types <@ '{1,2,3,4}'::smallint[])),
    CONSTRAINT alarm_default_severity_check CHECK ((severity = ANY (ARRAY[1, 2, 3]))),
    CONSTRAINT alarm_default_sms_types_check CHECK ((sms_types <@ '{1,2,3,4}'::smallint[])),
    CONSTRAINT alarm_default_threshold_check CHECK (((threshold >= 1) AND (threshold <= 1440)))
);

ALTER TABLE ONLY public.alarm_default FORCE ROW LEVEL SECURITY;

ALTER TABLE public.alarm ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.alarm_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.alarm_rule (
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    kind smallint NOT NULL,
    enabled boolean NOT NULL,
    threshold integer,
    minutes integer,
    hold_down_min integer NOT NULL,
    severity smallint NOT NULL,
    recovers boolean NOT NULL,
    opens_ticket boolean NOT NULL,
    notify_types smallint[] NOT NULL,
    sms_types smallint[] NOT NULL,
    updated_by text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT alarm_default_hold_down_min_check CHECK (((hold_down_min >= 0) AND (hold_down_min <= 1440))),
    CONSTRAINT alarm_default_kind_check CHECK (((kind >= 1) AND (kind <= 15))),
    CONSTRAINT alarm_default_minutes_check CHECK (((minutes >= 1) AND (minutes <= 60))),
    CONSTRAINT alarm_default_notify_types_check CHECK ((notify_types <@ '{1,2,3,4}'::smallint[])),
    CONSTRAINT alarm_default_severity_check CHECK ((severity = ANY (ARRAY[1, 2, 3]))),
    CONSTRAINT alarm_default_sms_types_check CHECK ((sms_types <@ '{1,2,3,4}'::smallint[])),
    CONSTRAINT alarm_default_threshold_check CHECK (((threshold >= 1) AND (threshold <= 1440))),
    CONSTRAINT alarm_rule_agent_id_check CHECK ((agent_id IS NULL)),
    CONSTRAINT alarm_rule_site_id_check CHECK ((site_id IS NULL))
);

ALTER TABLE ONLY public.alarm_rule FORCE ROW LEVEL SECURITY;

CREATE TABLE public.alarm_signal (
    id bigint NOT NULL,
    device_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    port_no smallint DEFAULT 0 NOT NULL,
    kind smallint NOT NULL,
    sick boolean NOT NULL,
    at timestamp with time zone NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    key text,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY public.alarm_signal FORCE ROW LEVEL SECURITY;

ALTER TABLE public.alarm_signal ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.alarm_signal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.alipay_attempt (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    invite_id bigint NOT NULL,
    token_hash bytea NOT NULL,
    sealed_state text,
    code_hash bytea,
    sealed_code text,
    status smallint DEFAULT 1 NOT NULL,
    reason text,
    submitted_at timestamp with time zone,
    called_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT alipay_attempt_reason_check CHECK ((length(reason) <= 200)),
    CONSTRAINT alipay_attempt_status_check CHECK (((status >= 1) AND (status <= 6)))
);

ALTER TABLE ONLY public.alipay_attempt FORCE ROW LEVEL SECURITY;

ALTER TABLE public.alipay_attempt ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.alipay_attempt_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.alipay_authorisation (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    sealed_user_id text NOT NULL,
    account text NOT NULL,
    authorised_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT alipay_authorisation_account_check CHECK (((length(account) >= 1) AND (length(account) <= 40)))
);

ALTER TABLE ONLY public.alipay_authorisation FORCE ROW LEVEL SECURITY;

ALTER TABLE public.alipay_authorisation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.alipay_authorisation_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.alipay_invite (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    token_hash bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    used_at timestamp with time zone,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.alipay_invite FORCE ROW LEVEL SECURITY;

ALTER TABLE public.alipay_invite ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.alipay_invite_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.attempt (
    key text NOT NULL,
    count integer NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.attempt FORCE ROW LEVEL SECURITY;

CREATE TABLE public.attribute_template (
    id bigint NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    remark text,
    status smallint DEFAULT 1 NOT NULL,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT attribute_template_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT attribute_template_remark_check CHECK (((length(remark) >= 1) AND (length(remark) <= 300))),
    CONSTRAINT attribute_template_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT attribute_template_version_check CHECK (((length(version) >= 1) AND (length(version) <= 20)))
);

ALTER TABLE ONLY public.attribute_template FORCE ROW LEVEL SECURITY;

ALTER TABLE public.attribute_template ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.attribute_template_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.attribute_template_item (
    attribute_template_id bigint NOT NULL,
    platform_attribute_id bigint NOT NULL,
    default_value text,
    sort integer DEFAULT 0 NOT NULL,
    CONSTRAINT attribute_template_item_default_value_check CHECK (((length(default_value) >= 1) AND (length(default_value) <= 100))),
    CONSTRAINT attribute_template_item_sort_check CHECK (((sort >= 0) AND (sort <= 9999)))
);

ALTER TABLE ONLY public.attribute_template_item FORCE ROW LEVEL SECURITY;

CREATE TABLE public.audit_chain (
    organise_id bigint NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL
);

ALTER TABLE ONLY public.audit_chain FORCE ROW LEVEL SECURITY;

CREATE TABLE public.audit_device (
    device_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    audit_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint
);

ALTER TABLE ONLY public.audit_device FORCE ROW LEVEL SECURITY;

ALTER TABLE public.audit_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE UNLOGGED TABLE public.audit_pending (
    txid xid8 NOT NULL,
    id bigint NOT NULL,
    change jsonb,
    device_id bigint
);

ALTER TABLE ONLY public.audit_pending FORCE ROW LEVEL SECURITY;

ALTER TABLE public.audit_pending ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_pending_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.audit_proof (
    organise_id bigint NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    hash bytea DEFAULT '\x00'::bytea NOT NULL,
    again_seq bigint DEFAULT 0 NOT NULL,
    again_hash bytea DEFAULT '\x00'::bytea NOT NULL,
    proven_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.audit_proof FORCE ROW LEVEL SECURITY;

CREATE TABLE public.balance_adjustment (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    member_id bigint NOT NULL,
    direction smallint NOT NULL,
    wallet smallint NOT NULL,
    amount_fen bigint NOT NULL,
    reason text NOT NULL,
    picture_id bigint,
    status smallint DEFAULT 1 NOT NULL,
    created_by_id bigint NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_by_id bigint,
    decided_by text,
    decided_at timestamp with time zone,
    decision text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT balance_adjustment_amount_fen_check CHECK (((amount_fen >= 1) AND (amount_fen <= 999999999))),
    CONSTRAINT balance_adjustment_check CHECK (((status = ANY (ARRAY[2, 3])) = ((decided_by_id IS NOT NULL) AND (decided_at IS NOT NULL)))),
    CONSTRAINT balance_adjustment_check1 CHECK (((status <> 3) OR (decision IS NOT NULL))),
    CONSTRAINT balance_adjustment_decision_check CHECK (((length(decision) >= 1) AND (length(decision) <= 200))),
    CONSTRAINT balance_adjustment_direction_check CHECK ((direction = ANY (ARRAY[1, 2]))),
    CONSTRAINT balance_adjustment_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
    CONSTRAINT balance_adjustment_status_check CHECK (((status >= 1) AND (status <= 4))),
    CONSTRAINT balance_adjustment_two_people CHECK ((decided_by_id <> created_by_id)),
    CONSTRAINT balance_adjustment_wallet_check CHECK ((wallet = ANY (ARRAY[1, 2])))
);

ALTER TABLE ONLY public.balance_adjustment FORCE ROW LEVEL SECURITY;

ALTER TABLE public.balance_adjustment ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.balance_adjustment_id_seq
    START WITH 100001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.batch_item (
    job_id bigint NOT NULL,
    seq integer NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    target_id bigint,
    label text NOT NULL,
    input jsonb,
    status smallint DEFAULT 0 NOT NULL,
    reason text,
    CONSTRAINT batch_item_seq_check CHECK ((seq > 0)),
    CONSTRAINT batch_item_status_check CHECK (((status >= 0) AND (status <= 4)))
);

ALTER TABLE ONLY public.batch_item FORCE ROW LEVEL SECURITY;

CREATE TABLE public.batch_job (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    user_id bigint NOT NULL,
    kind text NOT NULL,
    title text NOT NULL,
    params jsonb DEFAULT '{}'::jsonb NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    total integer DEFAULT 0 NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    cancelled boolean DEFAULT false NOT NULL,
    reason text,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    approved_by text,
    approved_at timestamp with time zone,
    held_at timestamp with time zone,
    CONSTRAINT batch_job_check CHECK (((done >= 0) AND (failed >= 0) AND ((done + failed) <= total))),
    CONSTRAINT batch_job_status_check CHECK (((status >= 0) AND (status <= 7))),
    CONSTRAINT batch_job_title_check CHECK (((length(title) >= 1) AND (length(title) <= 80))),
    CONSTRAINT batch_job_total_check CHECK ((total >= 0))
);

ALTER TABLE ONLY public.batch_job FORCE ROW LEVEL SECURITY;

ALTER TABLE public.batch_job ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.batch_job_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE UNLOGGED TABLE public.captcha (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    answer text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.captcha FORCE ROW LEVEL SECURITY;

CREATE TABLE public.card_replacement (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    card_id bigint NOT NULL,
    new_card_no text NOT NULL,
    new_chip_no text NOT NULL,
    reason text NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    created_by_id bigint NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_by_id bigint,
    decided_by text,
    decided_at timestamp with time zone,
    decision text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT card_replacement_check CHECK (((status = ANY (ARRAY[2, 3])) = ((decided_by_id IS NOT NULL) AND (decided_by IS NOT NULL) AND (decided_at IS NOT NULL)))),
    CONSTRAINT card_replacement_check1 CHECK (((status <> 3) OR (decision IS NOT NULL))),
    CONSTRAINT card_replacement_decision_check CHECK (((length(decision) >= 1) AND (length(decision) <= 200))),
    CONSTRAINT card_replacement_new_card_no_check CHECK ((new_card_no ~ '^\d{4,20}$'::text)),
    CONSTRAINT card_replacement_new_chip_no_check CHECK (((length(new_chip_no) >= 1) AND (length(new_chip_no) <= 64))),
    CONSTRAINT card_replacement_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
    CONSTRAINT card_replacement_status_check CHECK (((status >= 1) AND (status <= 4))),
    CONSTRAINT card_replacement_two_people CHECK ((decided_by_id <> created_by_id))
);

ALTER TABLE ONLY public.card_replacement FORCE ROW LEVEL SECURITY;

ALTER TABLE public.card_replacement ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.card_replacement_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.card_step (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    card_id bigint NOT NULL,
    kind smallint NOT NULL,
    reason text,
    moved_fen bigint,
    by_id bigint NOT NULL,
    by_name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT card_step_check CHECK (((kind = 6) = (moved_fen IS NOT NULL))),
    CONSTRAINT card_step_kind_check CHECK (((kind >= 1) AND (kind <= 9))),
    CONSTRAINT card_step_moved_fen_check CHECK ((moved_fen >= 0)),
    CONSTRAINT card_step_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200)))
);

ALTER TABLE ONLY public.card_step FORCE ROW LEVEL SECURITY;

ALTER TABLE public.card_step ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.card_step_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.card_swipe (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    device_id bigint NOT NULL,
    port_no smallint,
    swipe_key text NOT NULL,
    card_id bigint,
    chip_no text NOT NULL,
    account smallint NOT NULL,
    balance_fen bigint DEFAULT 0 NOT NULL,
    order_id bigint,
    CONSTRAINT card_swipe_swipe_key_check CHECK (((length(swipe_key) >= 1) AND (length(swipe_key) <= 200)))
)
PARTITION BY RANGE (id);

ALTER TABLE ONLY public.card_swipe FORCE ROW LEVEL SECURITY;

CREATE TABLE public.channel_bill (
    id bigint DEFAULT app.pay_id() NOT NULL,
    organise_id bigint NOT NULL,
    merchant_id bigint NOT NULL,
    day date NOT NULL,
    digest bytea NOT NULL,
    lines integer NOT NULL,
    downloaded_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT channel_bill_lines_check CHECK ((lines >= 0))
);

ALTER TABLE ONLY public.channel_bill FORCE ROW LEVEL SECURITY;

CREATE TABLE public.channel_bill_line (
    bill_id bigint NOT NULL,
    line integer NOT NULL,
    organise_id bigint NOT NULL,
    kind smallint NOT NULL,
    pay_no text NOT NULL,
    refund_no text,
    pay_id bigint,
    refund_id bigint,
    transaction_id text NOT NULL,
    fen bigint NOT NULL,
    fee_fen bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT channel_bill_line_kind_check CHECK ((kind = ANY (ARRAY[1, 2]))),
    CONSTRAINT channel_bill_line_pay_no_check CHECK ((length(pay_no) <= 64)),
    CONSTRAINT channel_bill_line_refund_no_check CHECK ((length(refund_no) <= 64)),
    CONSTRAINT channel_bill_line_transaction_id_check CHECK ((length(transaction_id) <= 64))
)
PARTITION BY RANGE (bill_id);

ALTER TABLE ONLY public.channel_bill_line FORCE ROW LEVEL SECURITY;

CREATE TABLE public.charge_news (
    id bigint NOT NULL,
    device_id bigint NOT NULL,
    kind text NOT NULL,
    content jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    tries smallint DEFAULT 0 NOT NULL,
    not_before timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    ord bigint DEFAULT 0 NOT NULL,
    added_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.charge_news FORCE ROW LEVEL SECURITY;

CREATE TABLE public.charge_sample (
    order_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    energy_dwh integer NOT NULL,
    power_dw integer
)
PARTITION BY RANGE (order_id);

ALTER TABLE ONLY public.charge_sample FORCE ROW LEVEL SECURITY;

CREATE TABLE public.charging_order (
    id bigint DEFAULT app.order_id() NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    device_id bigint NOT NULL,
    port_no smallint NOT NULL,
    device_no text NOT NULL,
    device_type_id bigint NOT NULL,
    wire_no text NOT NULL,
    member_id bigint,
    card_no text,
    start_mode smallint NOT NULL,
    tariff_version_id bigint,
    billing_type smallint NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    limit_by smallint NOT NULL,
    limit_value integer NOT NULL,
    held_paid_fen bigint DEFAULT 0 NOT NULL,
    held_gift_fen bigint DEFAULT 0 NOT NULL,
    command_id bigint,
    stop_command_id bigint,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    duration_s integer,
    energy_dwh integer,
    peak_power_dw integer,
    stop_reason text,
    electricity_fen bigint DEFAULT 0 NOT NULL,
    service_fen bigint DEFAULT 0 NOT NULL,
    occupancy_fen bigint DEFAULT 0 NOT NULL,
    total_fen bigint DEFAULT 0 NOT NULL,
    paid_fen bigint DEFAULT 0 NOT NULL,
    gift_fen bigint DEFAULT 0 NOT NULL,
    refunded_fen bigint DEFAULT 0 NOT NULL,
    bill jsonb,
    settlement jsonb,
    review_reasons text[],
    decided_by text,
    decision text,
    settled_at timestamp with time zone,
    card_id bigint,
    benefits jsonb,
    discount_fen bigint DEFAULT 0 NOT NULL,
    coupon_fen bigint DEFAULT 0 NOT NULL,
    pass_fen bigint DEFAULT 0 NOT NULL,
    subsidy_fen bigint DEFAULT 0 NOT NULL,
    CONSTRAINT charging_order_check CHECK (((refunded_fen >= 0) AND (refunded_fen <= (paid_fen + gift_fen)))),
    CONSTRAINT charging_order_check1 CHECK ((total_fen = ((electricity_fen + service_fen) + occupancy_fen))),
    CONSTRAINT charging_order_check2 CHECK (((paid_fen + gift_fen) =
CASE
    WHEN (status = 3) THEN total_fen
    ELSE (0)::bigint
END)),
    CONSTRAINT charging_order_check3 CHECK (((paid_fen <= held_paid_fen) AND (gift_fen <= held_gift_fen))),
    CONSTRAINT charging_order_check4 CHECK (((status = ANY (ARRAY[3, 4])) = (settled_at IS NOT NULL))),
    CONSTRAINT charging_order_check5 CHECK (((status <> 5) OR (review_reasons IS NOT NULL))),
    CONSTRAINT charging_order_decision_check CHECK ((length(decision) <= 200)),
    CONSTRAINT charging_order_electricity_fen_check CHECK ((electricity_fen >= 0)),
    CONSTRAINT charging_order_held_gift_fen_check CHECK ((held_gift_fen >= 0)),
    CONSTRAINT charging_order_held_paid_fen_check CHECK ((held_paid_fen >= 0)),
    CONSTRAINT charging_order_limit_by_check CHECK (((limit_by >= 1) AND (limit_by <= 4))),
    CONSTRAINT charging_order_limit_value_check CHECK ((limit_value >= 0)),
    CONSTRAINT charging_order_occupancy_fen_check CHECK ((occupancy_fen >= 0)),
    CONSTRAINT charging_order_payer CHECK ((((held_paid_fen + held_gift_fen) = 0) OR (member_id IS NOT NULL) OR (card_id IS NOT NULL))),
    CONSTRAINT charging_order_service_fen_check CHECK ((service_fen >= 0)),
    CONSTRAINT charging_order_status_check CHECK (((status >= 1) AND (status <= 5))),
    CONSTRAINT charging_order_wire_no_check CHECK (((length(wire_no) >= 1) AND (length(wire_no) <= 40)))
)
PARTITION BY RANGE (id);

ALTER TABLE ONLY public.charging_order FORCE ROW LEVEL SECURITY;

CREATE SEQUENCE public.charging_order_count
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.coupon (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    name text NOT NULL,
    kind smallint NOT NULL,
    off_fen integer,
    from_fen integer,
    off_bp integer,
    max_fen integer,
    free_minutes integer,
    free_dwh integer,
    scope smallint NOT NULL,
    funder smallint NOT NULL,
    total integer NOT NULL,
    granted integer DEFAULT 0 NOT NULL,
    per_member smallint NOT NULL,
    claimable boolean NOT NULL,
    stacks boolean NOT NULL,
    starts_on date NOT NULL,
    ends_on date NOT NULL,
    valid_days smallint,
    status smallint DEFAULT 1 NOT NULL,
    remark text,
    created_by_id bigint NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_by_id bigint,
    decided_by text,
    decided_at timestamp with time zone,
    decision text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT coupon_check CHECK (((granted >= 0) AND (granted <= total))),
    CONSTRAINT coupon_check1 CHECK ((ends_on >= starts_on)),
    CONSTRAINT coupon_check10 CHECK (((status <> 2) OR (decided_by_id IS NOT NULL))),
    CONSTRAINT coupon_check2 CHECK (((kind = 1) = (off_fen IS NOT NULL))),
    CONSTRAINT coupon_check3 CHECK (((kind = 1) = (from_fen IS NOT NULL))),
    CONSTRAINT coupon_check4 CHECK (((kind = 2) = (off_bp IS NOT NULL))),
    CONSTRAINT coupon_check5 CHECK (((kind = ANY (ARRAY[2, 5])) = (max_fen IS NOT NULL))),
    CONSTRAINT coupon_check6 CHECK (((kind = 3) = (free_minutes IS NOT NULL))),
    CONSTRAINT coupon_check7 CHECK (((kind = 4) = (free_dwh IS NOT NULL))),
    CONSTRAINT coupon_check8 CHECK (((funder <> 3) OR (agent_id IS NOT NULL))),
    CONSTRAINT coupon_check9 CHECK ((decided_by_id <> created_by_id)),
    CONSTRAINT coupon_decision_check CHECK (((length(decision) >= 1) AND (length(decision) <= 200))),
    CONSTRAINT coupon_free_dwh_check CHECK (((free_dwh >= 1) AND (free_dwh <= 2000000))),
    CONSTRAINT coupon_free_minutes_check CHECK (((free_minutes >= 1) AND (free_minutes <= 1440))),
    CONSTRAINT coupon_from_fen_check CHECK (((from_fen >= 0) AND (from_fen <= 1000000))),
    CONSTRAINT coupon_funder_check CHECK ((funder = ANY (ARRAY[2, 3, 4]))),
    CONSTRAINT coupon_kind_check CHECK (((kind >= 1) AND (kind <= 5))),
    CONSTRAINT coupon_max_fen_check CHECK (((max_fen >= 1) AND (max_fen <= 100000))),
    CONSTRAINT coupon_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT coupon_off_bp_check CHECK (((off_bp >= 1) AND (off_bp <= 9999))),
    CONSTRAINT coupon_off_fen_check CHECK (((off_fen >= 1) AND (off_fen <= 100000))),
    CONSTRAINT coupon_per_member_check CHECK (((per_member >= 1) AND (per_member <= 50))),
    CONSTRAINT coupon_remark_check CHECK (((length(remark) >= 1) AND (length(remark) <= 200))),
    CONSTRAINT coupon_scope_check CHECK ((scope = ANY (ARRAY[1, 2]))),
    CONSTRAINT coupon_status_check CHECK (((status >= 1) AND (status <= 4))),
    CONSTRAINT coupon_total_check CHECK (((total >= 1) AND (total <= 100000))),
    CONSTRAINT coupon_valid_days_check CHECK (((valid_days >= 1) AND (valid_days <= 365)))
);

ALTER TABLE ONLY public.coupon FORCE ROW LEVEL SECURITY;

ALTER TABLE public.coupon_grant ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.coupon_grant_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.coupon ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.coupon_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.credential_change (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    user_id bigint NOT NULL,
    kind text NOT NULL,
    changed_by bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT credential_change_kind_check CHECK ((kind = ANY (ARRAY['account'::text, 'password'::text, 'phone'::text, 'secondFactor'::text])))
);

ALTER TABLE ONLY public.credential_change FORCE ROW LEVEL SECURITY;

ALTER TABLE public.credential_change ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.credential_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.department (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    parent_id bigint,
    name text NOT NULL,
    code text NOT NULL,
    type smallint NOT NULL,
    leader text,
    phone text,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT department_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT department_type_check CHECK ((type = ANY (ARRAY[1, 2, 3, 4])))
);

ALTER TABLE ONLY public.department FORCE ROW LEVEL SECURITY;

ALTER TABLE public.department ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.department_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.department_menu (
    department_id bigint NOT NULL,
    menu_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint
);

ALTER TABLE ONLY public.department_menu FORCE ROW LEVEL SECURITY;

CREATE TABLE public.desk_shift (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    clerk_id bigint NOT NULL,
    clerk text NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    opened_at timestamp with time zone DEFAULT now() NOT NULL,
    closed_at timestamp with time zone,
    recharges integer,
    expected_fen bigint,
    counted_fen bigint,
    reason text,
    received_by_id bigint,
    received_by text,
    received_at timestamp with time zone,
    received_fen bigint,
    received_reason text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT desk_shift_closed CHECK (
CASE status
    WHEN 1 THEN (num_nonnulls(closed_at, recharges, expected_fen, counted_fen, reason) = 0)
    ELSE ((num_nulls(closed_at, recharges, expected_fen, counted_fen) = 0) AND ((counted_fen = expected_fen) OR (reason IS NOT NULL)))
END),
    CONSTRAINT desk_shift_counted_fen_check CHECK (((counted_fen >= 0) AND (counted_fen <= 999999999))),
    CONSTRAINT desk_shift_expected_fen_check CHECK ((expected_fen > 0)),
    CONSTRAINT desk_shift_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
    CONSTRAINT desk_shift_received CHECK (
CASE status
    WHEN 3 THEN ((num_nulls(received_by_id, received_by, received_at, received_fen) = 0) AND ((received_fen = counted_fen) OR (received_reason IS NOT NULL)))
    ELSE (num_nonnulls(received_by_id, received_by, received_at, received_fen, received_reason) = 0)
END),
    CONSTRAINT desk_shift_received_fen_check CHECK (((received_fen >= 0) AND (received_fen <= 999999999))),
    CONSTRAINT desk_shift_received_reason_check CHECK (((length(received_reason) >= 1) AND (length(received_reason) <= 200))),
    CONSTRAINT desk_shift_recharges_check CHECK ((recharges > 0)),
    CONSTRAINT desk_shift_status_check CHECK (((status >= 1) AND (status <= 3))),
    CONSTRAINT desk_shift_two_people CHECK ((received_by_id <> clerk_id))
);

ALTER TABLE ONLY public.desk_shift FORCE ROW LEVEL SECURITY;

ALTER TABLE public.desk_shift ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.desk_shift_id_seq
    START WITH 100001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.device (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    device_no text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    device_type_id bigint NOT NULL,
    category_id bigint NOT NULL,
    small_category_id bigint NOT NULL,
    adapter text NOT NULL,
    wire_id text NOT NULL COLLATE pg_catalog."C",
    port_count smallint NOT NULL,
    imei text COLLATE pg_catalog."C",
    iccid text COLLATE pg_catalog."C",
    software_version text,
    hardware_version text,
    install_status smallint DEFAULT 0 NOT NULL,
    installed_by text,
    installed_at timestamp with time zone,
    service_until date DEFAULT ((now() + '1 year'::interval))::date NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    online boolean DEFAULT false NOT NULL,
    free_ports smallint DEFAULT 0 NOT NULL,
    working_ports smallint DEFAULT 0 NOT NULL,
    fault_ports smallint DEFAULT 0 NOT NULL,
    appointed_ports smallint DEFAULT 0 NOT NULL,
    connected_ports smallint DEFAULT 0 NOT NULL,
    warning_ports smallint DEFAULT 0 NOT NULL,
    down_ports smallint DEFAULT 0 NOT NULL,
    province_code text,
    city_code text,
    district_code text,
    lng numeric(9,6),
    lat numeric(8,6),
    remark text,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    service_status smallint DEFAULT 1 NOT NULL,
    barred boolean DEFAULT false NOT NULL,
    ocpp_profile smallint,
    password_hash text COLLATE pg_catalog."C",
    tariff_id bigint,
    enrol_until timestamp with time zone,
    enrol_organise_id bigint,
    line_confirmed_at timestamp with time zone DEFAULT now(),
    line_confirmed_by text,
    CONSTRAINT device_adapter_check CHECK ((adapter = ANY (ARRAY['dny'::text, 'mqtt-json'::text, 'ocpp16'::text, 'ykc'::text]))),
    CONSTRAINT device_check CHECK (((ocpp_profile IS NULL) OR (ocpp_profile = 3) OR (password_hash IS NOT NULL))),
    CONSTRAINT device_check1 CHECK (((enrol_until IS NULL) = (enrol_organise_id IS NULL))),
    CONSTRAINT device_device_no_check CHECK ((device_no ~ '^[0-9A-Za-z]{4,32}$'::text)),
    CONSTRAINT device_hardware_version_check CHECK (((length(hardware_version) >= 1) AND (length(hardware_version) <= 30))),
    CONSTRAINT device_iccid_check CHECK ((iccid ~ '^[0-9A-F]{19,20}$'::text)),
    CONSTRAINT device_imei_check CHECK ((imei ~ '^\d{15}$'::text)),
    CONSTRAINT device_install_status_check CHECK ((install_status = ANY (ARRAY[0, 1, 2]))),
    CONSTRAINT device_lat_check CHECK (((lat >= (3)::numeric) AND (lat <= (54)::numeric))),
    CONSTRAINT device_lng_check CHECK (((lng >= (73)::numeric) AND (lng <= (136)::numeric))),
    CONSTRAINT device_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
    CONSTRAINT device_ocpp_profile_check CHECK ((ocpp_profile = ANY (ARRAY[1, 2, 3]))),
    CONSTRAINT device_password_hash_check CHECK ((password_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT device_port_count_check CHECK (((port_count >= 1) AND (port_count <= 24))),
    CONSTRAINT device_remark_check CHECK (((length(remark) >= 1) AND (length(remark) <= 300))),
    CONSTRAINT device_service_status_check CHECK ((service_status = ANY (ARRAY[1, 2, 3]))),
    CONSTRAINT device_software_version_check CHECK (((length(software_version) >= 1) AND (length(software_version) <= 30))),
    CONSTRAINT device_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT device_wire_id_check CHECK ((wire_id ~ '^[0-9A-Za-z]{4,32}$'::text))
);

ALTER TABLE ONLY public.device FORCE ROW LEVEL SECURITY;

CREATE TABLE public.device_attribute (
    device_id bigint NOT NULL,
    identifier text NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    desired numeric(14,4),
    desired_at timestamp with time zone,
    desired_by text,
    command_id bigint,
    desired_status smallint,
    reason text,
    reported numeric(14,4),
    reported_at timestamp with time zone,
    CONSTRAINT device_attribute_desired_status_check CHECK ((desired_status = ANY (ARRAY[1, 2, 3]))),
    CONSTRAINT device_attribute_identifier_check CHECK ((identifier ~ '^[a-z][A-Za-z0-9]{1,39}$'::text))
);

ALTER TABLE ONLY public.device_attribute FORCE ROW LEVEL SECURITY;

CREATE TABLE public.device_category (
    id bigint NOT NULL,
    parent_id bigint,
    level smallint NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    icon text,
    sort integer DEFAULT 0 NOT NULL,
    disabled boolean DEFAULT false NOT NULL,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT device_category_check CHECK (((level = 1) = (parent_id IS NULL))),
    CONSTRAINT device_category_check1 CHECK (((level = 1) = (length(code) = 2))),
    CONSTRAINT device_category_code_check CHECK ((code ~ '^\d{2}(-\d{2})?$'::text)),
    CONSTRAINT device_category_icon_check CHECK (((length(icon) >= 1) AND (length(icon) <= 40))),
    CONSTRAINT device_category_level_check CHECK ((level = ANY (ARRAY[1, 2]))),
    CONSTRAINT device_category_name_check CHECK (((length(name) >= 1) AND (length(name) <= 30))),
    CONSTRAINT device_category_sort_check CHECK (((sort >= 0) AND (sort <= 9999)))
);

ALTER TABLE ONLY public.device_category FORCE ROW LEVEL SECURITY;

ALTER TABLE public.device_category ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.device_category_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.device_command (
    id bigint DEFAULT app.command_id() NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    device_id bigint NOT NULL,
    kind text NOT NULL,
    port_no smallint,
    content jsonb NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    when_offline smallint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    counter bigint,
    sent_at timestamp with time zone,
    answer_by timestamp with time zone,
    ended_at timestamp with time zone,
    reason text,
    result jsonb,
    frame_id bigint,
    answer_id bigint,
    job_id bigint,
    job_seq integer,
    superseded boolean DEFAULT false NOT NULL,
    code_id bigint,
    user_id bigint,
    issued_by text NOT NULL,
    CONSTRAINT device_command_check CHECK (((status >= 4) = (ended_at IS NOT NULL))),
    CONSTRAINT device_command_check1 CHECK (((status <> 3) OR ((sent_at IS NOT NULL) AND (answer_by IS NOT NULL) AND (counter IS NOT NULL)))),
    CONSTRAINT device_command_status_check CHECK (((status >= 1) AND (status <= 8))),
    CONSTRAINT device_command_when_offline_check CHECK ((when_offline = ANY (ARRAY[1, 2])))
)
PARTITION BY RANGE (id);

ALTER TABLE ONLY public.device_command FORCE ROW LEVEL SECURITY;

CREATE SEQUENCE public.device_command_count
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.device_credential (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    device_id bigint NOT NULL,
    kind text NOT NULL,
    way smallint DEFAULT 0 NOT NULL,
    batch_no text NOT NULL COLLATE pg_catalog."C",
    fingerprint text COLLATE pg_catalog."C",
    serial text COLLATE pg_catalog."C",
    expires_at timestamp with time zone,
    password_hash text COLLATE pg_catalog."C",
    state smallint DEFAULT 0 NOT NULL,
    valid_until timestamp with time zone,
    first_seen_at timestamp with time zone,
    last_seen_at timestamp with time zone,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_by text,
    revoked_at timestamp with time zone,
    revoke_reason text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT device_credential_batch_no_check CHECK (((length(batch_no) >= 1) AND (length(batch_no) <= 30))),
    CONSTRAINT device_credential_check CHECK (((kind = 'cert'::text) = ((fingerprint IS NOT NULL) AND (serial IS NOT NULL) AND (expires_at IS NOT NULL)))),
    CONSTRAINT device_credential_check1 CHECK (((kind = 'password'::text) = (password_hash IS NOT NULL))),
    CONSTRAINT device_credential_check2 CHECK (((kind = 'password'::text) OR (valid_until <= expires_at))),
    CONSTRAINT device_credential_check3 CHECK (((state = 2) = (revoked_at IS NOT NULL))),
    CONSTRAINT device_credential_check4 CHECK (((state <> 1) OR (first_seen_at IS NOT NULL))),
    CONSTRAINT device_credential_fingerprint_check CHECK ((fingerprint ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT device_credential_kind_check CHECK ((kind = ANY (ARRAY['cert'::text, 'password'::text]))),
    CONSTRAINT device_credential_password_hash_check CHECK ((password_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT device_credential_revoke_reason_check CHECK (((length(revoke_reason) >= 1) AND (length(revoke_reason) <= 100))),
    CONSTRAINT device_credential_serial_check CHECK ((serial ~ '^[0-9a-f]{32}$'::text)),
    CONSTRAINT device_credential_state_check CHECK ((state = ANY (ARRAY[0, 1, 2]))),
    CONSTRAINT device_credential_way_check CHECK ((way = ANY (ARRAY[0, 1])))
);

ALTER TABLE ONLY public.device_credential FORCE ROW LEVEL SECURITY;

ALTER TABLE public.device_credential ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.device_credential_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.device_dead_letter (
    id bigint NOT NULL,
    wire text NOT NULL,
    reason text NOT NULL,
    content jsonb NOT NULL,
    frame bytea,
    failed_at timestamp with time zone DEFAULT now() NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    handled_by text,
    handled_at timestamp with time zone,
    CONSTRAINT device_dead_letter_status_check CHECK ((status = ANY (ARRAY[1, 2, 3])))
);

ALTER TABLE ONLY public.device_dead_letter FORCE ROW LEVEL SECURITY;

CREATE TABLE public.device_event (
    id bigint NOT NULL,
    part smallint NOT NULL,
    device_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    kind text NOT NULL,
    port_no smallint,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL,
    at timestamp with time zone NOT NULL
)
PARTITION BY RANGE (at);

ALTER TABLE ONLY public.device_event FORCE ROW LEVEL SECURITY;

ALTER TABLE public.device ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.device_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.device_message (
    id bigint NOT NULL,
    device_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    direction smallint NOT NULL,
    kind text NOT NULL,
    port_no smallint,
    boot bigint,
    seq bigint,
    content jsonb NOT NULL,
    frame bytea,
    CONSTRAINT device_message_direction_check CHECK ((direction = ANY (ARRAY[1, 2])))
)
PARTITION BY RANGE (id);

ALTER TABLE ONLY public.device_message FORCE ROW LEVEL SECURITY;

CREATE TABLE public.device_outage (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    device_id bigint NOT NULL,
    device_type_id bigint NOT NULL,
    cause smallint NOT NULL,
    ports smallint NOT NULL,
    began_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT device_outage_cause_check CHECK ((cause = ANY (ARRAY[1, 2]))),
    CONSTRAINT device_outage_check CHECK ((ended_at >= began_at)),
    CONSTRAINT device_outage_ports_check CHECK ((ports > 0))
);

ALTER TABLE ONLY public.device_outage FORCE ROW LEVEL SECURITY;

ALTER TABLE public.device_outage ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.device_outage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.device_record (
    device_id bigint NOT NULL,
    record_key text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    message_id bigint NOT NULL,
    kind text NOT NULL,
    port_no smallint,
    content jsonb NOT NULL,
    received_at timestamp with time zone NOT NULL,
    CONSTRAINT device_record_record_key_check CHECK (((length(record_key) >= 1) AND (length(record_key) <= 80)))
)
PARTITION BY RANGE (recorded_at);

ALTER TABLE ONLY public.device_record FORCE ROW LEVEL SECURITY;

CREATE TABLE public.device_state (
    device_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    beat_ord bigint DEFAULT 0 NOT NULL,
    csq_ord bigint DEFAULT 0 NOT NULL,
    told_ord bigint DEFAULT 0 NOT NULL,
    plugs smallint[] DEFAULT '{}'::smallint[] NOT NULL,
    plug_ords bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    last_seen_at timestamp with time zone,
    online_until timestamp with time zone,
    check_at timestamp with time zone,
    session bigint DEFAULT 0 NOT NULL,
    connected_at timestamp with time zone,
    disconnected_at timestamp with time zone,
    address text,
    gateway smallint,
    csq smallint,
    temperature_c smallint,
    voltage_dv integer,
    command_count bigint DEFAULT 0 NOT NULL,
    contested_at timestamp with time zone
)
WITH (fillfactor='60');

ALTER TABLE ONLY public.device_state FORCE ROW LEVEL SECURITY;

CREATE TABLE public.device_type (
    id bigint NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    category_id bigint NOT NULL,
    small_category_id bigint NOT NULL,
    maker text,
    port_count smallint NOT NULL,
    metering smallint NOT NULL,
    rated_w integer NOT NULL,
    protocol_id bigint NOT NULL,
    instruction_set_id bigint,
    attribute_template_id bigint,
    picture_id bigint,
    status smallint DEFAULT 1 NOT NULL,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT device_type_code_check CHECK ((code ~ '^\d{2}-\d{2}-\d{2}$'::text)),
    CONSTRAINT device_type_maker_check CHECK (((length(maker) >= 1) AND (length(maker) <= 40))),
    CONSTRAINT device_type_metering_check CHECK ((metering = ANY (ARRAY[0, 1]))),
    CONSTRAINT device_type_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT device_type_port_count_check CHECK ((port_count = ANY (ARRAY[1, 2, 3, 6, 10, 12]))),
    CONSTRAINT device_type_rated_w_check CHECK (((rated_w >= 1) AND (rated_w <= 1000000))),
    CONSTRAINT device_type_status_check CHECK ((status = ANY (ARRAY[0, 1])))
);

ALTER TABLE ONLY public.device_type FORCE ROW LEVEL SECURITY;

ALTER TABLE public.device_type ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.device_type_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.device_type_key (
    device_type_id bigint NOT NULL,
    token_hash text NOT NULL COLLATE pg_catalog."C",
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT device_type_key_token_hash_check CHECK ((token_hash ~ '^[0-9a-f]{64}$'::text))
);

ALTER TABLE ONLY public.device_type_key FORCE ROW LEVEL SECURITY;

CREATE TABLE public.download (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    user_id bigint NOT NULL,
    list text NOT NULL,
    title text NOT NULL,
    module text NOT NULL,
    query text NOT NULL,
    conditions text NOT NULL,
    columns text[] NOT NULL,
    format text,
    rows integer,
    bytes bigint,
    status smallint DEFAULT 0 NOT NULL,
    reason text,
    object_key text,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    expires_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT download_check CHECK (((status <> 2) OR (object_key IS NOT NULL))),
    CONSTRAINT download_format_check CHECK ((format = ANY (ARRAY['xlsx'::text, 'csv'::text, 'zip'::text]))),
    CONSTRAINT download_query_check CHECK ((length(query) <= 2000)),
    CONSTRAINT download_status_check CHECK (((status >= 0) AND (status <= 4))),
    CONSTRAINT download_title_check CHECK (((length(title) >= 1) AND (length(title) <= 80)))
);

ALTER TABLE ONLY public.download FORCE ROW LEVEL SECURITY;

ALTER TABLE public.download ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.download_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.dtu_protocol (
    id bigint NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    adapter text,
    transport smallint NOT NULL,
    access_way smallint NOT NULL,
    endpoint text,
    heartbeat_s integer NOT NULL,
    missed_heartbeats smallint DEFAULT 2 NOT NULL,
    frame_format text,
    remark text,
    status smallint DEFAULT 1 NOT NULL,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT dtu_protocol_access_way_check CHECK ((access_way = ANY (ARRAY[0, 1]))),
    CONSTRAINT dtu_protocol_adapter_check CHECK ((adapter = ANY (ARRAY['dny'::text, 'mqtt-json'::text, 'ocpp16'::text, 'ykc'::text]))),
    CONSTRAINT dtu_protocol_code_check CHECK ((code ~ '^[A-Z0-9][A-Z0-9-]{1,29}$'::text)),
    CONSTRAINT dtu_protocol_endpoint_check CHECK (((length(endpoint) >= 1) AND (length(endpoint) <= 120))),
    CONSTRAINT dtu_protocol_frame_format_check CHECK (((length(frame_format) >= 1) AND (length(frame_format) <= 500))),
    CONSTRAINT dtu_protocol_heartbeat_s_check CHECK (((heartbeat_s >= 5) AND (heartbeat_s <= 86400))),
    CONSTRAINT dtu_protocol_missed_heartbeats_check CHECK (((missed_heartbeats >= 1) AND (missed_heartbeats <= 20))),
    CONSTRAINT dtu_protocol_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT dtu_protocol_remark_check CHECK (((length(remark) >= 1) AND (length(remark) <= 300))),
    CONSTRAINT dtu_protocol_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT dtu_protocol_transport_check CHECK (((transport >= 1) AND (transport <= 6))),
    CONSTRAINT dtu_protocol_version_check CHECK (((length(version) >= 1) AND (length(version) <= 20)))
);

ALTER TABLE ONLY public.dtu_protocol FORCE ROW LEVEL SECURITY;

ALTER TABLE public.dtu_protocol ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.dtu_protocol_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.enterprise_refund (
    id bigint DEFAULT app.pay_id() NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    member_id bigint NOT NULL,
    company text NOT NULL,
    taxpayer_no text,
    amount_fen bigint NOT NULL,
    payee text NOT NULL,
    account_sealed text NOT NULL,
    account_shown text NOT NULL,
    bank text NOT NULL,
    reason text NOT NULL,
    status text DEFAULT 'AUDITING'::text NOT NULL,
    created_by_id bigint NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    audited_by_id bigint,
    audited_by text,
    audited_at timestamp with time zone,
    approved_by_id bigint,
    approved_by text,
    approved_at timestamp with time zone,
    decision text,
    voucher_id bigint,
    paid_by_id bigint,
    paid_by text,
    finished_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT enterprise_refund_account_shown_check CHECK ((account_shown ~ '^(\d{4}\*{4}\d{4}|\*{8})$'::text)),
    CONSTRAINT enterprise_refund_amount_fen_check CHECK (((amount_fen >= 1) AND (amount_fen <= 999999999))),
    CONSTRAINT enterprise_refund_bank_check CHECK (((length(bank) >= 1) AND (length(bank) <= 60))),
    CONSTRAINT enterprise_refund_check CHECK ((((audited_at IS NULL) = (audited_by_id IS NULL)) AND ((approved_at IS NULL) = (approved_by_id IS NULL)))),
    CONSTRAINT enterprise_refund_check1 CHECK (((status <> 'APPROVALING'::text) OR (audited_by_id IS NOT NULL))),
    CONSTRAINT enterprise_refund_check2 CHECK (((status <> ALL (ARRAY['APPROVALING_FINISH'::text, 'FINISH'::text])) OR ((audited_by_id IS NOT NULL) AND (approved_by_id IS NOT NULL)))),
    CONSTRAINT enterprise_refund_check3 CHECK (((status <> ALL (ARRAY['AUDIT_FAILED'::text, 'APPROVAL_FAILED'::text])) OR (decision IS NOT NULL))),
    CONSTRAINT enterprise_refund_check4 CHECK (((status = 'FINISH'::text) = ((voucher_id IS NOT NULL) AND (paid_by_id IS NOT NULL)))),
    CONSTRAINT enterprise_refund_check5 CHECK (((status = ANY (ARRAY['FINISH'::text, 'AUDIT_FAILED'::text, 'APPROVAL_FAILED'::text, 'AUDIT_CANCEL'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT enterprise_refund_company_check CHECK (((length(company) >= 1) AND (length(company) <= 60))),
    CONSTRAINT enterprise_refund_decision_check CHECK (((length(decision) >= 1) AND (length(decision) <= 200))),
    CONSTRAINT enterprise_refund_payee_check CHECK (((length(payee) >= 1) AND (length(payee) <= 60))),
    CONSTRAINT enterprise_refund_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
    CONSTRAINT enterprise_refund_status_check CHECK ((status = ANY (ARRAY['AUDITING'::text, 'APPROVALING'::text, 'APPROVALING_FINISH'::text, 'FINISH'::text, 'AUDIT_FAILED'::text, 'APPROVAL_FAILED'::text, 'AUDIT_CANCEL'::text]))),
    CONSTRAINT enterprise_refund_taxpayer_no_check CHECK ((taxpayer_no ~ '^[0-9A-Z]{15,20}$'::text)),
    CONSTRAINT enterprise_refund_three_people CHECK (((audited_by_id <> created_by_id) AND (approved_by_id <> created_by_id) AND (approved_by_id <> audited_by_id) AND (paid_by_id <> created_by_id)))
);

ALTER TABLE ONLY public.enterprise_refund FORCE ROW LEVEL SECURITY;

CREATE TABLE public.entry (
    posting_id bigint NOT NULL,
    line smallint NOT NULL,
    account_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    amount_fen bigint NOT NULL,
    balance_fen bigint,
    seq bigint,
    later xid8,
    kind smallint NOT NULL,
    ref text NOT NULL,
    posted_at timestamp with time zone NOT NULL,
    CONSTRAINT entry_amount_fen_check CHECK ((amount_fen <> 0)),
    CONSTRAINT entry_balance_fen_check CHECK ((balance_fen >= 0)),
    CONSTRAINT entry_check CHECK ((((later IS NULL) = (balance_fen IS NOT NULL)) AND ((later IS NULL) = (seq IS NOT NULL))))
)
PARTITION BY RANGE (posted_at);

ALTER TABLE ONLY public.entry FORCE ROW LEVEL SECURITY;

CREATE TABLE public.factor_reset (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    user_id bigint NOT NULL,
    reason text NOT NULL,
    status smallint DEFAULT 0 NOT NULL,
    asked_by bigint NOT NULL,
    decided_by bigint,
    decided_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT factor_reset_check CHECK (((status <> 1) OR (decided_by IS DISTINCT FROM asked_by))),
    CONSTRAINT factor_reset_check1 CHECK (((status = 0) = (decided_by IS NULL))),
    CONSTRAINT factor_reset_reason_check CHECK (((length(reason) >= 2) AND (length(reason) <= 100))),
    CONSTRAINT factor_reset_status_check CHECK ((status = ANY (ARRAY[0, 1, 2])))
);

ALTER TABLE ONLY public.factor_reset FORCE ROW LEVEL SECURITY;

ALTER TABLE public.factor_reset ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.factor_reset_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.gift_lot (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    member_id bigint NOT NULL,
    source_ref text,
    granted_fen bigint NOT NULL,
    left_fen bigint NOT NULL,
    ends_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT gift_lot_check CHECK (((left_fen >= 0) AND (left_fen <= granted_fen))),
    CONSTRAINT gift_lot_granted_fen_check CHECK ((granted_fen > 0))
);

ALTER TABLE ONLY public.gift_lot FORCE ROW LEVEL SECURITY;

ALTER TABLE public.gift_lot ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.gift_lot_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.gift_lot_use (
    member_id bigint NOT NULL,
    ref text NOT NULL,
    lot_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    fen bigint NOT NULL,
    CONSTRAINT gift_lot_use_fen_check CHECK ((fen > 0))
);

ALTER TABLE ONLY public.gift_lot_use FORCE ROW LEVEL SECURITY;

CREATE TABLE public.help_document (
    id bigint NOT NULL,
    slug text,
    type smallint NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    screen text,
    sort integer DEFAULT 0 NOT NULL,
    status smallint DEFAULT 0 NOT NULL,
    deleted_at timestamp with time zone,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT help_document_body_check CHECK (((length(body) >= 1) AND (length(body) <= 20000))),
    CONSTRAINT help_document_screen_check CHECK ((screen ~ '^[A-Za-z][\w.-]{0,39}$'::text)),
    CONSTRAINT help_document_slug_check CHECK ((slug ~ '^[a-z][a-z\d-]{0,59}$'::text)),
    CONSTRAINT help_document_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT help_document_title_check CHECK (((length(title) >= 1) AND (length(title) <= 60))),
    CONSTRAINT help_document_type_check CHECK ((type = ANY (ARRAY[1, 2, 3])))
);

ALTER TABLE ONLY public.help_document FORCE ROW LEVEL SECURITY;

ALTER TABLE public.help_document ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.help_document_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.help_feedback (
    document_id bigint NOT NULL,
    user_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    helpful boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.help_feedback FORCE ROW LEVEL SECURITY;

CREATE TABLE public.idempotency_key (
    user_id bigint NOT NULL,
    key text NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    request_hash bytea NOT NULL,
    reply text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT idempotency_key_key_check CHECK (((length(key) >= 16) AND (length(key) <= 64)))
);

ALTER TABLE ONLY public.idempotency_key FORCE ROW LEVEL SECURITY;

CREATE TABLE public.incident (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    kind smallint NOT NULL,
    dimension smallint NOT NULL,
    value text NOT NULL,
    label text NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    devices integer NOT NULL,
    fleet integer NOT NULL,
    lost_fen_hour bigint,
    started_at timestamp with time zone NOT NULL,
    grown_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT incident_check CHECK ((fleet >= devices)),
    CONSTRAINT incident_check1 CHECK (((status = 2) = (ended_at IS NOT NULL))),
    CONSTRAINT incident_devices_check CHECK ((devices > 0)),
    CONSTRAINT incident_dimension_check CHECK (((dimension >= 1) AND (dimension <= 6))),
    CONSTRAINT incident_kind_check CHECK (((kind >= 1) AND (kind <= 15))),
    CONSTRAINT incident_lost_fen_hour_check CHECK ((lost_fen_hour >= 0)),
    CONSTRAINT incident_status_check CHECK ((status = ANY (ARRAY[1, 2])))
);

ALTER TABLE ONLY public.incident FORCE ROW LEVEL SECURITY;

ALTER TABLE public.incident ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.incident_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.instruction (
    id bigint NOT NULL,
    instruction_set_id bigint NOT NULL,
    name text NOT NULL,
    command_word text NOT NULL,
    direction smallint NOT NULL,
    params text,
    timeout_s integer DEFAULT 15 NOT NULL,
    retries smallint DEFAULT 1 NOT NULL,
    sort integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT instruction_command_word_check CHECK (((length(command_word) >= 1) AND (length(command_word) <= 30))),
    CONSTRAINT instruction_direction_check CHECK ((direction = ANY (ARRAY[1, 2]))),
    CONSTRAINT instruction_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT instruction_params_check CHECK (((length(params) >= 1) AND (length(params) <= 500))),
    CONSTRAINT instruction_retries_check CHECK (((retries >= 0) AND (retries <= 10))),
    CONSTRAINT instruction_sort_check CHECK (((sort >= 0) AND (sort <= 9999))),
    CONSTRAINT instruction_timeout_s_check CHECK (((timeout_s >= 1) AND (timeout_s <= 600)))
);

ALTER TABLE ONLY public.instruction FORCE ROW LEVEL SECURITY;

ALTER TABLE public.instruction ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.instruction_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.instruction_set (
    id bigint NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    protocol_id bigint,
    remark text,
    status smallint DEFAULT 1 NOT NULL,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT instruction_set_code_check CHECK ((code ~ '^[A-Z0-9][A-Z0-9-]{1,29}$'::text)),
    CONSTRAINT instruction_set_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT instruction_set_remark_check CHECK (((length(remark) >= 1) AND (length(remark) <= 300))),
    CONSTRAINT instruction_set_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT instruction_set_version_check CHECK (((length(version) >= 1) AND (length(version) <= 20)))
);

ALTER TABLE ONLY public.instruction_set FORCE ROW LEVEL SECURITY;

ALTER TABLE public.instruction_set ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.instruction_set_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.ledger_block (
    organise_id bigint NOT NULL,
    no bigint NOT NULL,
    from_xid xid8 NOT NULL,
    upto_xid xid8 NOT NULL,
    postings integer NOT NULL,
    prev_hash bytea NOT NULL,
    hash bytea NOT NULL,
    sealed_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.ledger_block FORCE ROW LEVEL SECURITY;

CREATE TABLE public.ledger_edge (
    id smallint NOT NULL,
    upto xid8 NOT NULL,
    CONSTRAINT ledger_edge_id_check CHECK ((id = 1))
);

ALTER TABLE ONLY public.ledger_edge FORCE ROW LEVEL SECURITY;

CREATE TABLE public.ledger_proof (
    id smallint NOT NULL,
    upto xid8 DEFAULT '0'::xid8 NOT NULL,
    again_upto xid8 DEFAULT '0'::xid8 NOT NULL,
    account_id bigint DEFAULT 0 NOT NULL,
    day date DEFAULT '2000-01-01'::date NOT NULL,
    again_day date DEFAULT '2000-01-01'::date NOT NULL,
    order_id bigint DEFAULT 0 NOT NULL,
    again_order_id bigint DEFAULT 0 NOT NULL,
    proven_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT ledger_proof_id_check CHECK ((id = 1))
);

ALTER TABLE ONLY public.ledger_proof FORCE ROW LEVEL SECURITY;

CREATE TABLE public.ledger_proof_day (
    account_id bigint NOT NULL,
    day date NOT NULL,
    fen bigint NOT NULL,
    entries bigint NOT NULL
);

ALTER TABLE ONLY public.ledger_proof_day FORCE ROW LEVEL SECURITY;

CREATE TABLE public.ledger_proof_head (
    organise_id bigint NOT NULL,
    no bigint NOT NULL,
    hash bytea NOT NULL
);

ALTER TABLE ONLY public.ledger_proof_head FORCE ROW LEVEL SECURITY;

CREATE TABLE public.login_ticket (
    id bigint NOT NULL,
    token_hash bytea NOT NULL,
    user_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    issued_by bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.login_ticket FORCE ROW LEVEL SECURITY;

ALTER TABLE public.login_ticket ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.login_ticket_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.member (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    nickname text NOT NULL,
    avatar_url text,
    phone text,
    points integer DEFAULT 0 NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    recharged_fen bigint DEFAULT 0 NOT NULL,
    consumed_fen bigint DEFAULT 0 NOT NULL,
    last_consumed_at timestamp with time zone,
    registered_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT member_avatar_url_check CHECK ((length(avatar_url) <= 300)),
    CONSTRAINT member_nickname_check CHECK (((length(nickname) >= 1) AND (length(nickname) <= 40))),
    CONSTRAINT member_phone_check CHECK (((length(phone) >= 5) AND (length(phone) <= 20))),
    CONSTRAINT member_points_check CHECK ((points >= 0)),
    CONSTRAINT member_status_check CHECK ((status = ANY (ARRAY[0, 1])))
);

ALTER TABLE ONLY public.member FORCE ROW LEVEL SECURITY;

CREATE TABLE public.member_app (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    channel smallint NOT NULL,
    app_id text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    theme_color text,
    hotline text,
    domain text,
    created_by text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT member_app_app_id_check CHECK (((length(app_id) >= 1) AND (length(app_id) <= 40))),
    CONSTRAINT member_app_channel_check CHECK ((channel = ANY (ARRAY[1, 2]))),
    CONSTRAINT member_app_domain_check CHECK (((length(domain) >= 3) AND (length(domain) <= 100))),
    CONSTRAINT member_app_hotline_check CHECK (((length(hotline) >= 5) AND (length(hotline) <= 20))),
    CONSTRAINT member_app_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
    CONSTRAINT member_app_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT member_app_theme_color_check CHECK ((theme_color ~ '^#[0-9a-f]{6}$'::text))
);

ALTER TABLE ONLY public.member_app FORCE ROW LEVEL SECURITY;

ALTER TABLE public.member_app ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.member_app_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.member_block (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    member_id bigint,
    phone text,
    card_id bigint,
    scope smallint NOT NULL,
    reason text NOT NULL,
    created_by_id bigint NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    by_agent_id bigint,
    by_site_id bigint,
    ends_at timestamp with time zone,
    lifted_at timestamp with time zone,
    lifted_by_id bigint,
    lifted_by text,
    lift_reason text,
    CONSTRAINT member_block_check CHECK ((ends_at > created_at)),
    CONSTRAINT member_block_closed_at_its_end CHECK (((lifted_at IS NULL) OR (lifted_by_id IS NOT NULL) OR ((ends_at IS NOT NULL) AND (lifted_at = ends_at)))),
    CONSTRAINT member_block_lift_reason_check CHECK (((length(lift_reason) >= 1) AND (length(lift_reason) <= 200))),
    CONSTRAINT member_block_lifted_by_a_person CHECK (((num_nonnulls(lifted_by_id, lifted_by, lift_reason) = ANY (ARRAY[0, 3])) AND ((lifted_by_id IS NULL) OR (lifted_at IS NOT NULL)))),
    CONSTRAINT member_block_names_a_person CHECK ((num_nonnulls(member_id, phone, card_id) > 0)),
    CONSTRAINT member_block_phone_check CHECK (((length(phone) >= 5) AND (length(phone) <= 20))),
    CONSTRAINT member_block_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
    CONSTRAINT member_block_scope_check CHECK (((scope >= 1) AND (scope <= 3)))
);

ALTER TABLE ONLY public.member_block FORCE ROW LEVEL SECURITY;

ALTER TABLE public.member_block ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.member_block_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.member ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.member_id_seq
    START WITH 100001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.member_identity (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    member_id bigint NOT NULL,
    app_id bigint NOT NULL,
    channel smallint NOT NULL,
    open_id text NOT NULL,
    union_id text,
    following boolean DEFAULT false NOT NULL,
    linked_at timestamp with time zone DEFAULT now() NOT NULL,
    last_login_at timestamp with time zone,
    CONSTRAINT member_identity_channel_check CHECK ((channel = ANY (ARRAY[1, 2]))),
    CONSTRAINT member_identity_open_id_check CHECK (((length(open_id) >= 1) AND (length(open_id) <= 64))),
    CONSTRAINT member_identity_union_id_check CHECK (((length(union_id) >= 1) AND (length(union_id) <= 64)))
);

ALTER TABLE ONLY public.member_identity FORCE ROW LEVEL SECURITY;

ALTER TABLE public.member_identity ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.member_identity_id_seq
    START WITH 100001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.member_month (
    member_id bigint NOT NULL,
    month date NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    CONSTRAINT member_month_agent_id_check CHECK ((agent_id IS NULL)),
    CONSTRAINT member_month_site_id_check CHECK ((site_id IS NULL))
);

ALTER TABLE ONLY public.member_month FORCE ROW LEVEL SECURITY;

CREATE TABLE public.member_plan (
    id bigint DEFAULT app.pay_id() NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    member_id bigint NOT NULL,
    plan_id bigint NOT NULL,
    version_id bigint NOT NULL,
    order_id bigint NOT NULL,
    price_fen bigint NOT NULL,
    from_on date NOT NULL,
    to_on date NOT NULL,
    income_days smallint DEFAULT 0 NOT NULL,
    income_fen bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT member_plan_check CHECK ((to_on >= from_on)),
    CONSTRAINT member_plan_check1 CHECK (((income_days >= 0) AND (income_days <= ((to_on - from_on) + 1)))),
    CONSTRAINT member_plan_income CHECK ((income_fen = ((price_fen * income_days) / ((to_on - from_on) + 1)))),
    CONSTRAINT member_plan_price_fen_check CHECK (((price_fen >= 1) AND (price_fen <= 9999900)))
);

ALTER TABLE ONLY public.member_plan FORCE ROW LEVEL SECURITY;

CREATE TABLE public.menu (
    id bigint NOT NULL,
    parent_id bigint,
    menu_key text NOT NULL,
    title text NOT NULL,
    route text,
    kind smallint NOT NULL,
    icon text,
    sort integer DEFAULT 0 NOT NULL,
    always_visible boolean DEFAULT false NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT menu_kind_check CHECK ((kind = ANY (ARRAY[1, 2, 3]))),
    CONSTRAINT menu_menu_key_check CHECK ((menu_key ~ '^\d{1,3}(\.\d{1,3}){0,4}$'::text)),
    CONSTRAINT menu_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT menu_title_check CHECK (((length(title) >= 1) AND (length(title) <= 30)))
);

ALTER TABLE ONLY public.menu FORCE ROW LEVEL SECURITY;

ALTER TABLE public.menu ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.menu_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.message_replay (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    device_id bigint NOT NULL,
    target_device_id bigint NOT NULL,
    target_organise_id bigint NOT NULL,
    target_test boolean DEFAULT true NOT NULL,
    first_id bigint NOT NULL,
    end_id bigint NOT NULL,
    speed smallint NOT NULL,
    status smallint DEFAULT 0 NOT NULL,
    reason text,
    total integer NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    lane smallint,
    anchor_id bigint,
    last_id bigint,
    next_at timestamp with time zone DEFAULT now() NOT NULL,
    user_id bigint,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT message_replay_check CHECK ((end_id > first_id)),
    CONSTRAINT message_replay_check1 CHECK ((device_id <> target_device_id)),
    CONSTRAINT message_replay_check2 CHECK (((status <> 1) OR ((lane IS NOT NULL) AND (anchor_id IS NOT NULL)))),
    CONSTRAINT message_replay_done_check CHECK ((done >= 0)),
    CONSTRAINT message_replay_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
    CONSTRAINT message_replay_speed_check CHECK ((speed = ANY (ARRAY[0, 1, 10, 60]))),
    CONSTRAINT message_replay_status_check CHECK (((status >= 0) AND (status <= 4))),
    CONSTRAINT message_replay_target_test_check CHECK (target_test),
    CONSTRAINT message_replay_total_check CHECK (((total >= 1) AND (total <= 20000)))
);

ALTER TABLE ONLY public.message_replay FORCE ROW LEVEL SECURITY;

ALTER TABLE public.message_replay ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.message_replay_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.monthly_plan (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    version_id bigint,
    status smallint DEFAULT 1 NOT NULL,
    remark text,
    created_by text,
    updated_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT monthly_plan_remark_check CHECK (((length(remark) >= 1) AND (length(remark) <= 200))),
    CONSTRAINT monthly_plan_status_check CHECK ((status = ANY (ARRAY[0, 1])))
);

ALTER TABLE ONLY public.monthly_plan FORCE ROW LEVEL SECURITY;

ALTER TABLE public.monthly_plan ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.monthly_plan_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.monthly_plan_version (
    id bigint NOT NULL,
    plan_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    no integer NOT NULL,
    name text NOT NULL,
    price_fen bigint NOT NULL,
    days smallint NOT NULL,
    use_minutes smallint,
    use_dwh integer,
    day_times smallint NOT NULL,
    month_times smallint,
    site_ids bigint[],
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT monthly_plan_version_check CHECK (((use_minutes IS NULL) <> (use_dwh IS NULL))),
    CONSTRAINT monthly_plan_version_day_times_check CHECK (((day_times >= 1) AND (day_times <= 20))),
    CONSTRAINT monthly_plan_version_days_check CHECK (((days >= 1) AND (days <= 365))),
    CONSTRAINT monthly_plan_version_month_times_check CHECK (((month_times >= 1) AND (month_times <= 600))),
    CONSTRAINT monthly_plan_version_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT monthly_plan_version_no_check CHECK ((no >= 1)),
    CONSTRAINT monthly_plan_version_price_fen_check CHECK (((price_fen >= 1) AND (price_fen <= 9999900))),
    CONSTRAINT monthly_plan_version_site_ids_check CHECK (((cardinality(site_ids) >= 1) AND (cardinality(site_ids) <= 200))),
    CONSTRAINT monthly_plan_version_use_dwh_check CHECK (((use_dwh >= 1000) AND (use_dwh <= 2000000))),
    CONSTRAINT monthly_plan_version_use_minutes_check CHECK (((use_minutes >= 1) AND (use_minutes <= 1440)))
);

ALTER TABLE ONLY public.monthly_plan_version FORCE ROW LEVEL SECURITY;

ALTER TABLE public.monthly_plan_version ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.monthly_plan_version_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.notification (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    user_id bigint NOT NULL,
    type smallint NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    route text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    read_at timestamp with time zone,
    CONSTRAINT notification_type_check CHECK (((type >= 0) AND (type <= 6)))
);

ALTER TABLE ONLY public.notification FORCE ROW LEVEL SECURITY;

ALTER TABLE public.notification ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.notification_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.notification_preference (
    user_id bigint NOT NULL,
    type smallint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    popup boolean NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT notification_preference_check CHECK (((type <> 3) OR popup)),
    CONSTRAINT notification_preference_type_check CHECK (((type >= 0) AND (type <= 6)))
);

ALTER TABLE ONLY public.notification_preference FORCE ROW LEVEL SECURITY;

CREATE TABLE public.offline_recharge (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    target smallint NOT NULL,
    member_id bigint,
    card_id bigint,
    amount_fen bigint NOT NULL,
    gift_fen bigint NOT NULL,
    gift_valid_days integer,
    way smallint NOT NULL,
    bank_ref text,
    picture_id bigint,
    picture_sha256 text,
    remark text,
    status smallint DEFAULT 1 NOT NULL,
    created_by_id bigint NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_by_id bigint,
    decided_by text,
    decided_at timestamp with time zone,
    decision text,
    recharge_id bigint,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    shift_id bigint,
    after_shift boolean DEFAULT false NOT NULL,
    CONSTRAINT offline_recharge_amount_fen_check CHECK (((amount_fen >= 1) AND (amount_fen <= 999999999))),
    CONSTRAINT offline_recharge_bank_ref_check CHECK ((bank_ref ~ '^[0-9A-Z]{6,40}$'::text)),
    CONSTRAINT offline_recharge_check CHECK (((status = ANY (ARRAY[2, 3])) = ((decided_by_id IS NOT NULL) AND (decided_at IS NOT NULL)))),
    CONSTRAINT offline_recharge_check1 CHECK (((status = 2) = (recharge_id IS NOT NULL))),
    CONSTRAINT offline_recharge_check2 CHECK (((status <> 3) OR (decision IS NOT NULL))),
    CONSTRAINT offline_recharge_decision_check CHECK (((length(decision) >= 1) AND (length(decision) <= 200))),
    CONSTRAINT offline_recharge_gift_fen_check CHECK (((gift_fen >= 0) AND (gift_fen <= 999999999))),
    CONSTRAINT offline_recharge_gift_valid_days_check CHECK (((gift_valid_days >= 1) AND (gift_valid_days <= 3650))),
    CONSTRAINT offline_recharge_payee CHECK (
CASE target
    WHEN 1 THEN ((member_id IS NOT NULL) AND (card_id IS NULL))
    ELSE (card_id IS NOT NULL)
END),
    CONSTRAINT offline_recharge_picture_sha256_check CHECK ((picture_sha256 ~ '^[\da-f]{64}$'::text)),
    CONSTRAINT offline_recharge_remark_check CHECK (((length(remark) >= 1) AND (length(remark) <= 200))),
    CONSTRAINT offline_recharge_status_check CHECK (((status >= 1) AND (status <= 4))),
    CONSTRAINT offline_recharge_target_check CHECK ((target = ANY (ARRAY[1, 2]))),
    CONSTRAINT offline_recharge_two_people CHECK ((decided_by_id <> created_by_id)),
    CONSTRAINT offline_recharge_voucher CHECK ((
CASE way
    WHEN 2 THEN ((bank_ref IS NOT NULL) AND (picture_id IS NOT NULL))
    ELSE (bank_ref IS NULL)
END AND ((picture_id IS NOT NULL) OR (picture_sha256 IS NULL)))),
    CONSTRAINT offline_recharge_way_check CHECK ((way = ANY (ARRAY[1, 2])))
);

ALTER TABLE ONLY public.offline_recharge FORCE ROW LEVEL SECURITY;

ALTER TABLE public.offline_recharge ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.offline_recharge_id_seq
    START WITH 100001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.open_app (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    name text NOT NULL,
    app_key text NOT NULL,
    secret_sealed text NOT NULL,
    old_secret_sealed text,
    status smallint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    old_until timestamp with time zone,
    networks cidr[] DEFAULT '{}'::cidr[] NOT NULL,
    created_by text,
    CONSTRAINT open_app_app_key_check CHECK ((app_key ~ '^[0-9a-f]{32}$'::text)),
    CONSTRAINT open_app_check CHECK (((old_secret_sealed IS NULL) = (old_until IS NULL))),
    CONSTRAINT open_app_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT open_app_status_check CHECK ((status = ANY (ARRAY[0, 1])))
);

ALTER TABLE ONLY public.open_app FORCE ROW LEVEL SECURITY;

ALTER TABLE public.open_app ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.open_app_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.open_charge (
    device_id bigint NOT NULL,
    port_no smallint NOT NULL,
    order_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    wire_no text NOT NULL,
    command_id bigint,
    confirm_by timestamp with time zone,
    end_by timestamp with time zone,
    reported_at timestamp with time zone,
    energy_dwh integer,
    duration_s integer,
    power_dw integer,
    peak_power_dw integer,
    ord bigint DEFAULT '-1'::integer NOT NULL,
    doubts text[] DEFAULT '{}'::text[] NOT NULL,
    card_id bigint,
    tries smallint DEFAULT 0 NOT NULL,
    retry_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    money_safe_dwh integer DEFAULT '-1'::integer NOT NULL,
    money_safe_s integer DEFAULT '-1'::integer NOT NULL,
    money_seen_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    money_due boolean GENERATED ALWAYS AS (
CASE
    WHEN (reported_at IS NULL) THEN false
    WHEN (reported_at <= money_seen_at) THEN false
    ELSE (
    CASE
        WHEN (energy_dwh IS NULL) THEN false
        ELSE (energy_dwh > money_safe_dwh)
    END OR
    CASE
        WHEN (duration_s IS NULL) THEN false
        ELSE (duration_s > money_safe_s)
    END)
END) STORED NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.open_charge FORCE ROW LEVEL SECURITY;

CREATE TABLE public.operation_area (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    name text NOT NULL,
    province_code text,
    city_code text,
    district_code text,
    leader text,
    phone text,
    status smallint DEFAULT 1 NOT NULL,
    polygon jsonb DEFAULT '[]'::jsonb NOT NULL,
    remark text,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT operation_area_leader_check CHECK (((length(leader) >= 1) AND (length(leader) <= 30))),
    CONSTRAINT operation_area_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT operation_area_phone_check CHECK ((phone ~ '^1[3-9]\d{9}$'::text)),
    CONSTRAINT operation_area_polygon_check CHECK (((jsonb_typeof(polygon) = 'array'::text) AND (jsonb_array_length(polygon) <= 100))),
    CONSTRAINT operation_area_remark_check CHECK (((length(remark) >= 1) AND (length(remark) <= 300))),
    CONSTRAINT operation_area_site_id_check CHECK ((site_id IS NULL)),
    CONSTRAINT operation_area_status_check CHECK ((status = ANY (ARRAY[0, 1])))
);

ALTER TABLE ONLY public.operation_area FORCE ROW LEVEL SECURITY;

ALTER TABLE public.operation_area ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.operation_area_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.operation_area_site (
    area_id bigint NOT NULL,
    assigned_site_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint
);

ALTER TABLE ONLY public.operation_area_site FORCE ROW LEVEL SECURITY;

CREATE TABLE public.operation_area_user (
    area_id bigint NOT NULL,
    user_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint
);

ALTER TABLE ONLY public.operation_area_user FORCE ROW LEVEL SECURITY;

CREATE SEQUENCE public.organise_code
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.organise (
    id bigint NOT NULL,
    name text NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    basic_service_status smallint DEFAULT 1 NOT NULL,
    service_phone text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    code text DEFAULT app.next_code('JG'::text, 'public.organise_code'::regclass) NOT NULL,
    short_name text,
    type smallint DEFAULT 1 NOT NULL,
    contact text,
    phone text,
    province_code text,
    city_code text,
    district_code text,
    address text,
    public_account text,
    mini_program text,
    credit_code text,
    legal_person text,
    settlement_way smallint DEFAULT 1 NOT NULL,
    licence_file_id bigint,
    admin_user_id bigint,
    remark text,
    created_by text,
    deleted_at timestamp with time zone,
    test boolean DEFAULT false NOT NULL,
    CONSTRAINT organise_basic_service_status_check CHECK ((basic_service_status = ANY (ARRAY[1, 2, 3]))),
    CONSTRAINT organise_contact_check CHECK (((length(contact) >= 1) AND (length(contact) <= 30))),
    CONSTRAINT organise_credit_code_check CHECK ((credit_code ~ '^[0-9A-Z]{18}$'::text)),
    CONSTRAINT organise_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
    CONSTRAINT organise_phone_check CHECK ((phone ~ '^1[3-9]\d{9}$'::text)),
    CONSTRAINT organise_platform_is_real CHECK (((NOT test) OR (id <> 1))),
    CONSTRAINT organise_settlement_way_check CHECK ((settlement_way = ANY (ARRAY[1, 2]))),
    CONSTRAINT organise_short_name_check CHECK (((length(short_name) >= 1) AND (length(short_name) <= 20))),
    CONSTRAINT organise_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT organise_type_check CHECK ((type = ANY (ARRAY[1, 2, 3, 4])))
);

ALTER TABLE ONLY public.organise FORCE ROW LEVEL SECURITY;

CREATE TABLE public.organise_base_service (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    unit_price_fen bigint NOT NULL,
    free_devices integer NOT NULL,
    cycle smallint NOT NULL,
    expires_on date NOT NULL,
    grace_days smallint NOT NULL,
    warn_days smallint NOT NULL,
    expiry_policy smallint NOT NULL,
    updated_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT organise_base_service_check CHECK ((organise_id = id)),
    CONSTRAINT organise_base_service_cycle_check CHECK ((cycle = ANY (ARRAY[1, 12]))),
    CONSTRAINT organise_base_service_expiry_policy_check CHECK ((expiry_policy = ANY (ARRAY[1, 2]))),
    CONSTRAINT organise_base_service_free_devices_check CHECK (((free_devices >= 0) AND (free_devices <= 1000000))),
    CONSTRAINT organise_base_service_grace_days_check CHECK (((grace_days >= 0) AND (grace_days <= 90))),
    CONSTRAINT organise_base_service_unit_price_fen_check CHECK (((unit_price_fen >= 1) AND (unit_price_fen <= 999999999))),
    CONSTRAINT organise_base_service_warn_days_check CHECK (((warn_days >= 1) AND (warn_days <= 90)))
);

ALTER TABLE ONLY public.organise_base_service FORCE ROW LEVEL SECURITY;

ALTER TABLE public.organise ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.organise_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.outage_mark (
    single boolean DEFAULT true NOT NULL,
    counted_upto timestamp with time zone NOT NULL,
    CONSTRAINT outage_mark_single_check CHECK (single)
);

ALTER TABLE ONLY public.outage_mark FORCE ROW LEVEL SECURITY;

CREATE TABLE public.outbox (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    subject text NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    published_at timestamp with time zone
)
PARTITION BY RANGE (created_at);

ALTER TABLE ONLY public.outbox FORCE ROW LEVEL SECURITY;

ALTER TABLE public.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.outbox_id_seq1
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.passkey (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    user_id bigint NOT NULL,
    name text NOT NULL,
    credential_id text NOT NULL COLLATE pg_catalog."C",
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT passkey_counter_check CHECK ((counter >= 0)),
    CONSTRAINT passkey_credential_id_check CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 1400))),
    CONSTRAINT passkey_name_check CHECK (((length(name) >= 1) AND (length(name) <= 30)))
);

ALTER TABLE ONLY public.passkey FORCE ROW LEVEL SECURITY;

CREATE TABLE public.passkey_challenge (
    session_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    purpose text NOT NULL,
    challenge text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT passkey_challenge_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'prove'::text])))
);

ALTER TABLE ONLY public.passkey_challenge FORCE ROW LEVEL SECURITY;

ALTER TABLE public.passkey ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.passkey_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE SEQUENCE public.pay_count
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.pay_key (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    merchant_id bigint NOT NULL,
    serial text NOT NULL,
    secret_sealed text NOT NULL,
    provider_key_id text NOT NULL,
    provider_key text NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    retired_at timestamp with time zone,
    asked_by bigint,
    approved_by text,
    approved_at timestamp with time zone,
    live_at timestamp with time zone,
    try_at timestamp with time zone,
    tries integer DEFAULT 0 NOT NULL,
    words text,
    CONSTRAINT pay_key_approved CHECK (((approved_at IS NOT NULL) OR ((live_at IS NULL) AND (try_at IS NULL)))),
    CONSTRAINT pay_key_check CHECK (((approved_at IS NULL) = (approved_by IS NULL))),
    CONSTRAINT pay_key_provider_key_check CHECK (((length(provider_key) >= 100) AND (length(provider_key) <= 5000))),
    CONSTRAINT pay_key_provider_key_id_check CHECK (((length(provider_key_id) >= 1) AND (length(provider_key_id) <= 80))),
    CONSTRAINT pay_key_serial_check CHECK (((length(serial) >= 1) AND (length(serial) <= 80))),
    CONSTRAINT pay_key_words_check CHECK ((length(words) <= 200))
);

ALTER TABLE ONLY public.pay_key FORCE ROW LEVEL SECURITY;

ALTER TABLE public.pay_key ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.pay_key_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.pay_merchant (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    provider smallint NOT NULL,
    mode smallint NOT NULL,
    name text NOT NULL,
    app_id text NOT NULL,
    merchant_no text NOT NULL,
    sub_merchant_no text,
    fee_e5 integer NOT NULL,
    profit_sharing boolean DEFAULT false NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    status smallint DEFAULT 0 NOT NULL,
    tested_at timestamp with time zone,
    authorised_by text,
    authorised_at timestamp with time zone,
    authorised_until date,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT pay_merchant_app_id_check CHECK (((length(app_id) >= 1) AND (length(app_id) <= 40))),
    CONSTRAINT pay_merchant_check CHECK (((mode = 2) = (sub_merchant_no IS NOT NULL))),
    CONSTRAINT pay_merchant_check1 CHECK (((authorised_at IS NULL) = (authorised_by IS NULL))),
    CONSTRAINT pay_merchant_fee_e5_check CHECK (((fee_e5 >= 0) AND (fee_e5 <= 10000))),
    CONSTRAINT pay_merchant_merchant_no_check CHECK (((length(merchant_no) >= 1) AND (length(merchant_no) <= 40))),
    CONSTRAINT pay_merchant_mode_check CHECK ((mode = ANY (ARRAY[1, 2]))),
    CONSTRAINT pay_merchant_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT pay_merchant_proven CHECK (((status = 0) OR ((tested_at IS NOT NULL) AND (authorised_at IS NOT NULL)))),
    CONSTRAINT pay_merchant_provider_check CHECK ((provider = ANY (ARRAY[1, 2]))),
    CONSTRAINT pay_merchant_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT pay_merchant_sub_merchant_no_check CHECK (((length(sub_merchant_no) >= 1) AND (length(sub_merchant_no) <= 40)))
);

ALTER TABLE ONLY public.pay_merchant FORCE ROW LEVEL SECURITY;

ALTER TABLE public.pay_merchant ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.pay_merchant_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.pay_notice (
    provider smallint NOT NULL,
    merchant_id bigint NOT NULL,
    notice_id text NOT NULL,
    organise_id bigint NOT NULL,
    kind smallint NOT NULL,
    content jsonb NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    copies integer DEFAULT 1 NOT NULL,
    pay_no text NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    problem text,
    done_at timestamp with time zone,
    ask_at timestamp with time zone,
    asks integer DEFAULT 0 NOT NULL,
    CONSTRAINT pay_notice_asked CHECK (((ask_at IS NULL) OR (status = 1))),
    CONSTRAINT pay_notice_kind_check CHECK ((kind = ANY (ARRAY[1, 2]))),
    CONSTRAINT pay_notice_notice_id_check CHECK (((length(notice_id) >= 1) AND (length(notice_id) <= 80))),
    CONSTRAINT pay_notice_pay_no_check CHECK ((length(pay_no) <= 64)),
    CONSTRAINT pay_notice_problem_check CHECK ((length(problem) <= 200)),
    CONSTRAINT pay_notice_status_check CHECK (((status >= 1) AND (status <= 3)))
);

ALTER TABLE ONLY public.pay_notice FORCE ROW LEVEL SECURITY;

CREATE TABLE public.pay_order (
    id bigint DEFAULT app.pay_id() NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    merchant_id bigint NOT NULL,
    provider smallint NOT NULL,
    way smallint NOT NULL,
    purpose smallint NOT NULL,
    ref_id bigint,
    member_id bigint,
    open_id text,
    amount_fen bigint NOT NULL,
    refunded_fen bigint DEFAULT 0 NOT NULL,
    fee_fen bigint DEFAULT 0 NOT NULL,
    profit_sharing boolean NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    handle jsonb,
    failure text,
    transaction_id text,
    payer text,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    sent_at timestamp with time zone,
    paid_at timestamp with time zone,
    closed_at timestamp with time zone,
    paid_late boolean DEFAULT false NOT NULL,
    look_at timestamp with time zone,
    looks integer DEFAULT 0 NOT NULL,
    CONSTRAINT pay_order_amount_fen_check CHECK (((amount_fen >= 1) AND (amount_fen <= 999999999))),
    CONSTRAINT pay_order_check CHECK (((status = 2) = ((paid_at IS NOT NULL) AND (transaction_id IS NOT NULL)))),
    CONSTRAINT pay_order_check1 CHECK ((((status = 3) = (closed_at IS NOT NULL)) OR paid_late)),
    CONSTRAINT pay_order_check2 CHECK (((ref_id IS NULL) = (purpose = 9))),
    CONSTRAINT pay_order_failure_check CHECK ((length(failure) <= 200)),
    CONSTRAINT pay_order_fee_fen_check CHECK ((fee_fen >= 0)),
    CONSTRAINT pay_order_purpose_check CHECK ((purpose = ANY (ARRAY[1, 2, 3, 4, 9]))),
    CONSTRAINT pay_order_refunded CHECK (((refunded_fen >= 0) AND (refunded_fen <=
CASE
    WHEN (status = 2) THEN amount_fen
    ELSE (0)::bigint
END))),
    CONSTRAINT pay_order_status_check CHECK (((status >= 1) AND (status <= 3))),
    CONSTRAINT pay_order_way_check CHECK ((way = ANY (ARRAY[1, 2])))
)
PARTITION BY RANGE (id);

ALTER TABLE ONLY public.pay_order FORCE ROW LEVEL SECURITY;

CREATE TABLE public.pay_refund (
    id bigint DEFAULT app.pay_id() NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    pay_order_id bigint NOT NULL,
    merchant_id bigint NOT NULL,
    amount_fen bigint NOT NULL,
    purpose smallint NOT NULL,
    ref_id bigint NOT NULL,
    reason text NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    refund_id text,
    words text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    arrived_at timestamp with time zone,
    look_at timestamp with time zone,
    looks integer DEFAULT 0 NOT NULL,
    CONSTRAINT pay_refund_amount_fen_check CHECK (((amount_fen >= 1) AND (amount_fen <= 999999999))),
    CONSTRAINT pay_refund_check CHECK (((status = 3) = (arrived_at IS NOT NULL))),
    CONSTRAINT pay_refund_purpose_check CHECK (((purpose >= 1) AND (purpose <= 5))),
    CONSTRAINT pay_refund_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 80))),
    CONSTRAINT pay_refund_status_check CHECK (((status >= 1) AND (status <= 5))),
    CONSTRAINT pay_refund_words_check CHECK ((length(words) <= 200))
)
PARTITION BY RANGE (id);

ALTER TABLE ONLY public.pay_refund FORCE ROW LEVEL SECURITY;

CREATE TABLE public.personal_reveal (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    user_id bigint NOT NULL,
    kind text NOT NULL,
    row_id bigint NOT NULL,
    field text NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT personal_reveal_reason_check CHECK (((length(reason) >= 2) AND (length(reason) <= 100)))
);

ALTER TABLE ONLY public.personal_reveal FORCE ROW LEVEL SECURITY;

ALTER TABLE public.personal_reveal ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.personal_reveal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.plan_order (
    id bigint DEFAULT app.pay_id() NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    member_id bigint NOT NULL,
    plan_id bigint NOT NULL,
    version_id bigint NOT NULL,
    amount_fen bigint NOT NULL,
    provider smallint NOT NULL,
    pay_order_id bigint,
    status smallint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    paid_at timestamp with time zone,
    cancelled_at timestamp with time zone,
    CONSTRAINT plan_order_amount_fen_check CHECK (((amount_fen >= 1) AND (amount_fen <= 9999900))),
    CONSTRAINT plan_order_check CHECK (((status = 2) = (paid_at IS NOT NULL))),
    CONSTRAINT plan_order_check1 CHECK (((status = 3) = (cancelled_at IS NOT NULL))),
    CONSTRAINT plan_order_provider_check CHECK ((provider = ANY (ARRAY[1, 2]))),
    CONSTRAINT plan_order_status_check CHECK (((status >= 1) AND (status <= 3)))
);

ALTER TABLE ONLY public.plan_order FORCE ROW LEVEL SECURITY;

CREATE TABLE public.plan_use (
    order_id bigint NOT NULL,
    pass_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    site_id bigint,
    used_on date NOT NULL,
    off_fen bigint DEFAULT 0 NOT NULL,
    ended_at timestamp with time zone,
    closed_at timestamp with time zone,
    returned_at timestamp with time zone,
    CONSTRAINT plan_use_off_fen_check CHECK ((off_fen >= 0))
);

ALTER TABLE ONLY public.plan_use FORCE ROW LEVEL SECURITY;

CREATE TABLE public.platform_attribute (
    id bigint NOT NULL,
    identifier text NOT NULL,
    name text NOT NULL,
    data_type smallint NOT NULL,
    unit text,
    minimum numeric(14,4),
    maximum numeric(14,4),
    options jsonb DEFAULT '[]'::jsonb NOT NULL,
    default_value text,
    access smallint NOT NULL,
    group_name text NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT platform_attribute_access_check CHECK (((access >= 1) AND (access <= 3))),
    CONSTRAINT platform_attribute_check CHECK ((minimum <= maximum)),
    CONSTRAINT platform_attribute_data_type_check CHECK (((data_type >= 1) AND (data_type <= 5))),
    CONSTRAINT platform_attribute_default_value_check CHECK (((length(default_value) >= 1) AND (length(default_value) <= 100))),
    CONSTRAINT platform_attribute_group_name_check CHECK (((length(group_name) >= 1) AND (length(group_name) <= 20))),
    CONSTRAINT platform_attribute_identifier_check CHECK ((identifier ~ '^[a-z][A-Za-z0-9]{1,39}$'::text)),
    CONSTRAINT platform_attribute_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT platform_attribute_options_check CHECK (((jsonb_typeof(options) = 'array'::text) AND (jsonb_array_length(options) <= 50))),
    CONSTRAINT platform_attribute_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT platform_attribute_unit_check CHECK (((length(unit) >= 1) AND (length(unit) <= 12)))
);

ALTER TABLE ONLY public.platform_attribute FORCE ROW LEVEL SECURITY;

ALTER TABLE public.platform_attribute ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.platform_attribute_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.port (
    device_id bigint NOT NULL,
    port_no smallint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    status smallint DEFAULT 1 NOT NULL,
    status_since timestamp with time zone DEFAULT now() NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    ord bigint DEFAULT 0 NOT NULL,
    reported_at timestamp with time zone,
    order_no text,
    power_dw integer,
    voltage_dv integer,
    current_ma integer,
    energy_wh integer,
    minutes integer,
    temperature_c smallint,
    CONSTRAINT port_port_no_check CHECK (((port_no >= 1) AND (port_no <= 24))),
    CONSTRAINT port_status_check CHECK (((status >= 1) AND (status <= 7)))
)
WITH (fillfactor='60');

ALTER TABLE ONLY public.port FORCE ROW LEVEL SECURITY;

CREATE TABLE public.posting (
    id bigint NOT NULL,
    key text NOT NULL,
    key_at timestamp with time zone NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    kind smallint NOT NULL,
    ref text NOT NULL,
    memo text,
    posted_by text,
    input_hash bytea NOT NULL,
    digest bytea NOT NULL,
    xid xid8 NOT NULL,
    posted_at timestamp with time zone NOT NULL,
    CONSTRAINT posting_key_check CHECK (((length(key) >= 1) AND (length(key) <= 100))),
    CONSTRAINT posting_memo_check CHECK (((length(memo) >= 1) AND (length(memo) <= 200))),
    CONSTRAINT posting_posted_by_check CHECK ((length(posted_by) <= 64)),
    CONSTRAINT posting_ref_check CHECK ((length(ref) <= 64))
)
PARTITION BY RANGE (key_at);

ALTER TABLE ONLY public.posting FORCE ROW LEVEL SECURITY;

ALTER TABLE public.posting ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.posting_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.qr_batch (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    batch_no text NOT NULL COLLATE pg_catalog."C",
    type smallint NOT NULL,
    kind smallint NOT NULL,
    units integer NOT NULL,
    ports smallint NOT NULL,
    total integer NOT NULL,
    made integer DEFAULT 0 NOT NULL,
    prefix text NOT NULL COLLATE pg_catalog."C",
    status smallint DEFAULT 0 NOT NULL,
    user_id bigint NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT qr_batch_batch_no_check CHECK ((batch_no ~ '^B\d{8}-[0-9A-Z]{6}$'::text)),
    CONSTRAINT qr_batch_check CHECK (((made >= 0) AND (made <= total))),
    CONSTRAINT qr_batch_check1 CHECK ((total = (units * GREATEST((ports)::integer, 1)))),
    CONSTRAINT qr_batch_check2 CHECK (((type = 1) = (ports > 0))),
    CONSTRAINT qr_batch_check3 CHECK (((status = 0) OR (made = total))),
    CONSTRAINT qr_batch_kind_check CHECK (((kind >= 1) AND (kind <= 5))),
    CONSTRAINT qr_batch_ports_check CHECK (((ports >= 0) AND (ports <= 24))),
    CONSTRAINT qr_batch_prefix_check CHECK ((prefix ~ '^[0-9A-Z]{0,6}$'::text)),
    CONSTRAINT qr_batch_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT qr_batch_total_check CHECK (((total >= 1) AND (total <= 50000))),
    CONSTRAINT qr_batch_type_check CHECK ((type = ANY (ARRAY[0, 1]))),
    CONSTRAINT qr_batch_units_check CHECK ((units > 0))
);

ALTER TABLE ONLY public.qr_batch FORCE ROW LEVEL SECURITY;

ALTER TABLE public.qr_batch ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.qr_batch_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.qr_code (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    batch_id bigint NOT NULL,
    batch_no text NOT NULL COLLATE pg_catalog."C",
    code_no text NOT NULL COLLATE pg_catalog."C",
    set_no text NOT NULL COLLATE pg_catalog."C",
    type smallint NOT NULL,
    kind smallint NOT NULL,
    content text NOT NULL,
    port_no smallint,
    device_id bigint,
    status smallint DEFAULT 0 NOT NULL,
    used_at timestamp with time zone,
    used_by text,
    bound_at timestamp with time zone,
    bound_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT qr_code_check CHECK (((type = 1) = (port_no IS NOT NULL))),
    CONSTRAINT qr_code_check1 CHECK (((device_id IS NULL) OR (status = 1))),
    CONSTRAINT qr_code_check2 CHECK (((status = 1) = (used_at IS NOT NULL))),
    CONSTRAINT qr_code_check3 CHECK (((device_id IS NULL) = (bound_at IS NULL))),
    CONSTRAINT qr_code_code_no_check CHECK ((code_no ~ '^[0-9A-Z]{10,18}$'::text)),
    CONSTRAINT qr_code_content_check CHECK (((length(content) >= 20) AND (length(content) <= 300))),
    CONSTRAINT qr_code_kind_check CHECK (((kind >= 1) AND (kind <= 5))),
    CONSTRAINT qr_code_port_no_check CHECK (((port_no >= 1) AND (port_no <= 24))),
    CONSTRAINT qr_code_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT qr_code_type_check CHECK ((type = ANY (ARRAY[0, 1])))
);

ALTER TABLE ONLY public.qr_code FORCE ROW LEVEL SECURITY;

ALTER TABLE public.qr_code ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.qr_code_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.qr_suspicion (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    code_id bigint NOT NULL,
    expected_device_id bigint NOT NULL,
    likely_device_id bigint NOT NULL,
    likely_port_no smallint NOT NULL,
    times integer DEFAULT 1 NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    state smallint DEFAULT 0 NOT NULL,
    remark text,
    handled_by text,
    handled_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT qr_suspicion_check CHECK ((expected_device_id <> likely_device_id)),
    CONSTRAINT qr_suspicion_check1 CHECK (((state = 0) = (handled_at IS NULL))),
    CONSTRAINT qr_suspicion_likely_port_no_check CHECK (((likely_port_no >= 1) AND (likely_port_no <= 24))),
    CONSTRAINT qr_suspicion_remark_check CHECK (((length(remark) >= 1) AND (length(remark) <= 200))),
    CONSTRAINT qr_suspicion_state_check CHECK ((state = ANY (ARRAY[0, 1, 2]))),
    CONSTRAINT qr_suspicion_times_check CHECK ((times > 0))
);

ALTER TABLE ONLY public.qr_suspicion FORCE ROW LEVEL SECURITY;

ALTER TABLE public.qr_suspicion ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.qr_suspicion_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.recharge_order (
    id bigint DEFAULT app.pay_id() NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    target smallint NOT NULL,
    member_id bigint,
    card_id bigint,
    pay_order_id bigint,
    provider smallint NOT NULL,
    amount_fen bigint NOT NULL,
    gift_fen bigint DEFAULT 0 NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    before_fen bigint,
    after_fen bigint,
    refunded_fen bigint DEFAULT 0 NOT NULL,
    refunded_gift_fen bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    paid_at timestamp with time zone,
    cancelled_at timestamp with time zone,
    plan_id bigint,
    gift_valid_days integer,
    CONSTRAINT recharge_order_amount_fen_check CHECK (((amount_fen >= 1) AND (amount_fen <= 999999999))),
    CONSTRAINT recharge_order_check CHECK (
CASE target
    WHEN 1 THEN ((member_id IS NOT NULL) AND (card_id IS NULL))
    ELSE (card_id IS NOT NULL)
END),
    CONSTRAINT recharge_order_check1 CHECK (((status = 2) = (paid_at IS NOT NULL))),
    CONSTRAINT recharge_order_check2 CHECK (((status = 3) = (cancelled_at IS NOT NULL))),
    CONSTRAINT recharge_order_gift_fen_check CHECK (((gift_fen >= 0) AND (gift_fen <= 999999999))),
    CONSTRAINT recharge_order_refunded CHECK ((((refunded_fen >= 0) AND (refunded_fen <=
CASE
    WHEN (status = 2) THEN amount_fen
    ELSE (0)::bigint
END)) AND ((refunded_gift_fen >= 0) AND (refunded_gift_fen <= gift_fen)))),
    CONSTRAINT recharge_order_status_check CHECK (((status >= 1) AND (status <= 3))),
    CONSTRAINT recharge_order_target_check CHECK ((target = ANY (ARRAY[1, 2])))
)
PARTITION BY RANGE (id);

ALTER TABLE ONLY public.recharge_order FORCE ROW LEVEL SECURITY;

CREATE TABLE public.recharge_plan (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    min_fen bigint NOT NULL,
    allows_custom boolean NOT NULL,
    gift_valid_days integer,
    starts_on date NOT NULL,
    ends_on date,
    status smallint DEFAULT 1 NOT NULL,
    used_at timestamp with time zone,
    created_by text,
    updated_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT recharge_plan_days CHECK ((ends_on >= starts_on)),
    CONSTRAINT recharge_plan_gift_valid_days_check CHECK (((gift_valid_days >= 1) AND (gift_valid_days <= 3650))),
    CONSTRAINT recharge_plan_min_fen_check CHECK (((min_fen >= 1) AND (min_fen <= 999999999))),
    CONSTRAINT recharge_plan_status_check CHECK ((status = ANY (ARRAY[0, 1])))
);

ALTER TABLE ONLY public.recharge_plan FORCE ROW LEVEL SECURITY;

ALTER TABLE public.recharge_plan ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.recharge_plan_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.recharge_refund (
    id bigint DEFAULT app.pay_id() NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    recharge_id bigint NOT NULL,
    pay_order_id bigint NOT NULL,
    provider smallint NOT NULL,
    member_id bigint NOT NULL,
    amount_fen bigint NOT NULL,
    payout_fen bigint NOT NULL,
    gift_fen bigint NOT NULL,
    gift_spent_fen bigint NOT NULL,
    reason text NOT NULL,
    status text DEFAULT 'AUDITING'::text NOT NULL,
    created_by_id bigint,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    audited_by_id bigint,
    audited_by text,
    audited_at timestamp with time zone,
    approved_by_id bigint,
    approved_by text,
    approved_at timestamp with time zone,
    decision text,
    pay_refund_id bigint,
    stuck boolean DEFAULT false NOT NULL,
    words text,
    finished_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT recharge_refund_amount_fen_check CHECK (((amount_fen >= 1) AND (amount_fen <= 999999999))),
    CONSTRAINT recharge_refund_check CHECK (((payout_fen + gift_spent_fen) = amount_fen)),
    CONSTRAINT recharge_refund_check1 CHECK ((((audited_at IS NULL) = (audited_by_id IS NULL)) AND ((approved_at IS NULL) = (approved_by_id IS NULL)))),
    CONSTRAINT recharge_refund_check2 CHECK (((status <> 'APPROVALING'::text) OR (audited_by_id IS NOT NULL))),
    CONSTRAINT recharge_refund_check3 CHECK (((status <> ALL (ARRAY['APPROVALING_FINISH'::text, 'FINISH'::text])) OR ((audited_by_id IS NOT NULL) AND (approved_by_id IS NOT NULL)))),
    CONSTRAINT recharge_refund_check4 CHECK (((status <> ALL (ARRAY['AUDIT_FAILED'::text, 'APPROVAL_FAILED'::text])) OR (decision IS NOT NULL))),
    CONSTRAINT recharge_refund_check5 CHECK (((status = ANY (ARRAY['FINISH'::text, 'AUDIT_FAILED'::text, 'APPROVAL_FAILED'::text, 'AUDIT_CANCEL'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT recharge_refund_check6 CHECK (((NOT stuck) OR (status = 'APPROVALING_FINISH'::text))),
    CONSTRAINT recharge_refund_decision_check CHECK (((length(decision) >= 1) AND (length(decision) <= 200))),
    CONSTRAINT recharge_refund_gift_fen_check CHECK ((gift_fen >= 0)),
    CONSTRAINT recharge_refund_gift_spent_fen_check CHECK ((gift_spent_fen >= 0)),
    CONSTRAINT recharge_refund_payout_fen_check CHECK ((payout_fen >= 1)),
    CONSTRAINT recharge_refund_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
    CONSTRAINT recharge_refund_status_check CHECK ((status = ANY (ARRAY['AUDITING'::text, 'APPROVALING'::text, 'APPROVALING_FINISH'::text, 'FINISH'::text, 'AUDIT_FAILED'::text, 'APPROVAL_FAILED'::text, 'AUDIT_CANCEL'::text]))),
    CONSTRAINT recharge_refund_three_people CHECK (((audited_by_id <> created_by_id) AND (approved_by_id <> created_by_id) AND (approved_by_id <> audited_by_id))),
    CONSTRAINT recharge_refund_words_check CHECK ((length(words) <= 200))
);

ALTER TABLE ONLY public.recharge_refund FORCE ROW LEVEL SECURITY;

CREATE TABLE public.recharge_tier (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    pay_fen bigint NOT NULL,
    gift_fen bigint NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    plan_id bigint,
    CONSTRAINT recharge_tier_gift_fen_check CHECK (((gift_fen >= 0) AND (gift_fen <= 999999999))),
    CONSTRAINT recharge_tier_pay_fen_check CHECK (((pay_fen >= 1) AND (pay_fen <= 999999999))),
    CONSTRAINT recharge_tier_status_check CHECK ((status = ANY (ARRAY[0, 1])))
);

ALTER TABLE ONLY public.recharge_tier FORCE ROW LEVEL SECURITY;

ALTER TABLE public.recharge_tier ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.recharge_tier_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.recon_break (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    merchant_id bigint,
    day date NOT NULL,
    pair smallint NOT NULL,
    kind smallint NOT NULL,
    subject text NOT NULL,
    ours_fen bigint,
    theirs_fen bigint,
    words text,
    pay_order_id bigint,
    pay_refund_id bigint,
    order_id bigint,
    posting_id bigint,
    found_day date,
    owner_id bigint,
    status smallint DEFAULT 1 NOT NULL,
    found_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    closed_at timestamp with time zone,
    closed_by text,
    why text,
    repair_key text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT recon_break_check CHECK (((status = 1) = (closed_at IS NULL))),
    CONSTRAINT recon_break_closed_by_check CHECK ((length(closed_by) <= 64)),
    CONSTRAINT recon_break_kind_check CHECK (((kind >= 1) AND (kind <= 10))),
    CONSTRAINT recon_break_pair_check CHECK (((pair >= 1) AND (pair <= 3))),
    CONSTRAINT recon_break_repair_key_check CHECK ((length(repair_key) <= 100)),
    CONSTRAINT recon_break_status_check CHECK (((status >= 1) AND (status <= 4))),
    CONSTRAINT recon_break_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 64))),
    CONSTRAINT recon_break_why_check CHECK ((length(why) <= 200)),
    CONSTRAINT recon_break_words_check CHECK ((length(words) <= 200))
);

ALTER TABLE ONLY public.recon_break FORCE ROW LEVEL SECURITY;

ALTER TABLE public.recon_break ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.recon_break_id_seq
    START WITH 100001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.recon_repair (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    break_id bigint NOT NULL,
    action smallint NOT NULL,
    posting jsonb,
    reason text NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    created_by_id bigint NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_by_id bigint,
    decided_by text,
    decided_at timestamp with time zone,
    decision text,
    CONSTRAINT recon_repair_action_check CHECK (((action >= 1) AND (action <= 3))),
    CONSTRAINT recon_repair_check CHECK (((action = 1) = (posting IS NULL))),
    CONSTRAINT recon_repair_check1 CHECK (((status = ANY (ARRAY[2, 3])) = ((decided_by_id IS NOT NULL) AND (decided_at IS NOT NULL)))),
    CONSTRAINT recon_repair_check2 CHECK (((status <> 3) OR (decision IS NOT NULL))),
    CONSTRAINT recon_repair_decision_check CHECK (((length(decision) >= 1) AND (length(decision) <= 200))),
    CONSTRAINT recon_repair_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
    CONSTRAINT recon_repair_status_check CHECK (((status >= 1) AND (status <= 4))),
    CONSTRAINT recon_repair_two_people CHECK ((decided_by_id <> created_by_id))
);

ALTER TABLE ONLY public.recon_repair FORCE ROW LEVEL SECURITY;

ALTER TABLE public.recon_repair ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.recon_repair_id_seq
    START WITH 100001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.recon_run (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    merchant_id bigint,
    day date NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    problem text,
    tries integer DEFAULT 0 NOT NULL,
    own_count bigint DEFAULT 0 NOT NULL,
    own_fen bigint DEFAULT 0 NOT NULL,
    other_count bigint DEFAULT 0 NOT NULL,
    other_fen bigint DEFAULT 0 NOT NULL,
    breaks integer DEFAULT 0 NOT NULL,
    asked_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    took_ms integer,
    CONSTRAINT recon_run_asked_by_check CHECK ((length(asked_by) <= 64)),
    CONSTRAINT recon_run_problem_check CHECK ((length(problem) <= 200)),
    CONSTRAINT recon_run_status_check CHECK (((status >= 1) AND (status <= 6)))
);

ALTER TABLE ONLY public.recon_run FORCE ROW LEVEL SECURITY;

ALTER TABLE public.recon_run ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.recon_run_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.recovery_code (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    user_id bigint NOT NULL,
    code_hash bytea NOT NULL,
    used_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.recovery_code FORCE ROW LEVEL SECURITY;

ALTER TABLE public.recovery_code ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.recovery_code_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.refund_order (
    id bigint DEFAULT app.pay_id() NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint NOT NULL,
    order_id bigint NOT NULL,
    member_id bigint,
    kind smallint DEFAULT 2 NOT NULL,
    way smallint NOT NULL,
    amount_fen bigint NOT NULL,
    paid_fen bigint NOT NULL,
    gift_fen bigint NOT NULL,
    electricity_fen bigint NOT NULL,
    service_fen bigint NOT NULL,
    occupancy_fen bigint NOT NULL,
    reason text NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    created_by_id bigint NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_by_id bigint,
    decided_by text,
    decided_at timestamp with time zone,
    decision text,
    trace jsonb,
    words text,
    arrived_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    subsidy_fen bigint DEFAULT 0 NOT NULL,
    subsidies jsonb,
    CONSTRAINT refund_order_amount_fen_check CHECK (((amount_fen >= 1) AND (amount_fen <= 999999999))),
    CONSTRAINT refund_order_check CHECK (((paid_fen + gift_fen) = amount_fen)),
    CONSTRAINT refund_order_check1 CHECK ((((electricity_fen + service_fen) + occupancy_fen) = amount_fen)),
    CONSTRAINT refund_order_check2 CHECK (((status > 1) = ((decided_at IS NOT NULL) AND (decided_by IS NOT NULL)))),
    CONSTRAINT refund_order_check3 CHECK (((decided_at IS NULL) OR ((decided_by_id IS NULL) = (kind <> 2)))),
    CONSTRAINT refund_order_check4 CHECK (((kind = 1) = (trace IS NOT NULL))),
    CONSTRAINT refund_order_check5 CHECK (((status <> 3) OR (decision IS NOT NULL))),
    CONSTRAINT refund_order_check6 CHECK (((status = 4) = (arrived_at IS NOT NULL))),
    CONSTRAINT refund_order_decision_check CHECK (((length(decision) >= 1) AND (length(decision) <= 200))),
    CONSTRAINT refund_order_electricity_fen_check CHECK ((electricity_fen >= 0)),
    CONSTRAINT refund_order_gift_fen_check CHECK ((gift_fen >= 0)),
    CONSTRAINT refund_order_kind_check CHECK (((kind >= 1) AND (kind <= 3))),
    CONSTRAINT refund_order_occupancy_fen_check CHECK ((occupancy_fen >= 0)),
    CONSTRAINT refund_order_paid_fen_check CHECK ((paid_fen >= 0)),
    CONSTRAINT refund_order_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
    CONSTRAINT refund_order_service_fen_check CHECK ((service_fen >= 0)),
    CONSTRAINT refund_order_status_check CHECK (((status >= 1) AND (status <= 4))),
    CONSTRAINT refund_order_two_people CHECK ((decided_by_id <> created_by_id)),
    CONSTRAINT refund_order_way_check CHECK ((way = ANY (ARRAY[1, 2]))),
    CONSTRAINT refund_order_words_check CHECK ((length(words) <= 200))
);

ALTER TABLE ONLY public.refund_order FORCE ROW LEVEL SECURITY;

CREATE TABLE public.refund_policy (
    organise_id bigint NOT NULL,
    enabled boolean DEFAULT false NOT NULL,
    max_fen bigint NOT NULL,
    day_fen bigint NOT NULL,
    spent_on date,
    spent_fen bigint DEFAULT 0 NOT NULL,
    updated_by_id bigint NOT NULL,
    updated_by text NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT refund_policy_check CHECK ((max_fen <= day_fen)),
    CONSTRAINT refund_policy_day_fen_check CHECK (((day_fen >= 1) AND (day_fen <= 999999999))),
    CONSTRAINT refund_policy_max_fen_check CHECK (((max_fen >= 1) AND (max_fen <= 999999999))),
    CONSTRAINT refund_policy_spent_fen_check CHECK ((spent_fen >= 0))
);

ALTER TABLE ONLY public.refund_policy FORCE ROW LEVEL SECURITY;

CREATE TABLE public.region (
    adcode text NOT NULL,
    parent_adcode text,
    level smallint NOT NULL,
    name text NOT NULL,
    lng double precision NOT NULL,
    lat double precision NOT NULL,
    approximate boolean NOT NULL,
    sort integer NOT NULL,
    CONSTRAINT region_adcode_check CHECK ((adcode ~ '^[1-8]\d{5}$'::text)),
    CONSTRAINT region_check CHECK (((level = 1) = (parent_adcode IS NULL))),
    CONSTRAINT region_lat_check CHECK (((lat >= (3)::double precision) AND (lat <= (54)::double precision))),
    CONSTRAINT region_level_check CHECK (((level >= 1) AND (level <= 3))),
    CONSTRAINT region_lng_check CHECK (((lng >= (73)::double precision) AND (lng <= (136)::double precision))),
    CONSTRAINT region_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40)))
);

ALTER TABLE ONLY public.region FORCE ROW LEVEL SECURITY;

CREATE TABLE public.repair_ticket (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    ticket_no text GENERATED ALWAYS AS (('WX'::text || lpad((id)::text, 8, '0'::text))) STORED NOT NULL COLLATE pg_catalog."C",
    device_id bigint NOT NULL,
    device_no text NOT NULL COLLATE pg_catalog."C",
    port_no smallint,
    alarm_id bigint,
    fault smallint NOT NULL,
    description text NOT NULL,
    picture_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    reporter text,
    phone text,
    source smallint NOT NULL,
    priority smallint NOT NULL,
    status smallint DEFAULT 2 NOT NULL,
    assignee_id bigint,
    assigned_by text,
    assigned_at timestamp with time zone,
    result text,
    parts text,
    result_picture_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    reason text,
    completed_by text,
    completed_at timestamp with time zone,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT repair_ticket_check CHECK (((status = 3) = (completed_at IS NOT NULL))),
    CONSTRAINT repair_ticket_check1 CHECK (((status = 2) OR (result IS NOT NULL) OR (reason IS NOT NULL))),
    CONSTRAINT repair_ticket_check2 CHECK (((assignee_id IS NULL) = (assigned_at IS NULL))),
    CONSTRAINT repair_ticket_description_check CHECK (((length(description) >= 1) AND (length(description) <= 500))),
    CONSTRAINT repair_ticket_fault_check CHECK (((fault >= 1) AND (fault <= 15))),
    CONSTRAINT repair_ticket_parts_check CHECK (((length(parts) >= 1) AND (length(parts) <= 200))),
    CONSTRAINT repair_ticket_picture_ids_check CHECK ((cardinality(picture_ids) <= 6)),
    CONSTRAINT repair_ticket_port_no_check CHECK (((port_no >= 1) AND (port_no <= 24))),
    CONSTRAINT repair_ticket_priority_check CHECK ((priority = ANY (ARRAY[1, 2, 3]))),
    CONSTRAINT repair_ticket_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
    CONSTRAINT repair_ticket_reporter_check CHECK (((length(reporter) >= 1) AND (length(reporter) <= 30))),
    CONSTRAINT repair_ticket_result_check CHECK (((length(result) >= 1) AND (length(result) <= 500))),
    CONSTRAINT repair_ticket_result_picture_ids_check CHECK ((cardinality(result_picture_ids) <= 6)),
    CONSTRAINT repair_ticket_source_check CHECK ((source = ANY (ARRAY[1, 2]))),
    CONSTRAINT repair_ticket_status_check CHECK ((status = ANY (ARRAY[2, 3])))
);

ALTER TABLE ONLY public.repair_ticket FORCE ROW LEVEL SECURITY;

ALTER TABLE public.repair_ticket ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.repair_ticket_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.resource (
    id bigint NOT NULL,
    menu_id bigint NOT NULL,
    name text NOT NULL,
    code text NOT NULL,
    action text NOT NULL,
    path text NOT NULL,
    method text NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT resource_action_check CHECK ((action = ANY (ARRAY['add'::text, 'edit'::text, 'delete'::text, 'import'::text, 'export'::text, 'setStandard'::text, 'upgrade'::text, 'control'::text, 'approve'::text]))),
    CONSTRAINT resource_method_check CHECK ((method = ANY (ARRAY['GET'::text, 'POST'::text]))),
    CONSTRAINT resource_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT resource_status_check CHECK ((status = ANY (ARRAY[0, 1])))
);

ALTER TABLE ONLY public.resource FORCE ROW LEVEL SECURITY;

ALTER TABLE public.resource ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.resource_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.role (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    name text NOT NULL,
    code text NOT NULL,
    top_level smallint NOT NULL,
    user_type smallint NOT NULL,
    can_unmask boolean DEFAULT false NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    audit_only boolean DEFAULT false NOT NULL,
    CONSTRAINT audit_role_level CHECK (((NOT audit_only) OR (top_level > 0))),
    CONSTRAINT role_check CHECK (((top_level > 1) OR (organise_id = 1))),
    CONSTRAINT role_name_check CHECK (((length(name) >= 1) AND (length(name) <= 30))),
    CONSTRAINT role_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT role_top_level_check CHECK (((top_level >= 0) AND (top_level <= 5))),
    CONSTRAINT role_user_type_check CHECK ((user_type = ANY (ARRAY[1, 2, 3, 4])))
);

ALTER TABLE ONLY public.role FORCE ROW LEVEL SECURITY;

ALTER TABLE public.role ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.role_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.role_menu (
    role_id bigint NOT NULL,
    menu_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint
);

ALTER TABLE ONLY public.role_menu FORCE ROW LEVEL SECURITY;

CREATE TABLE public.role_resource (
    role_id bigint NOT NULL,
    resource_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint
);

ALTER TABLE ONLY public.role_resource FORCE ROW LEVEL SECURITY;

CREATE TABLE public.saved_view (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    user_id bigint NOT NULL,
    list_key text NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    shared boolean DEFAULT false NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    sort integer DEFAULT 0 NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT saved_view_list_key_check CHECK (((length(list_key) >= 1) AND (length(list_key) <= 120))),
    CONSTRAINT saved_view_name_check CHECK (((length(name) >= 1) AND (length(name) <= 20))),
    CONSTRAINT saved_view_query_check CHECK (((length(query) >= 1) AND (length(query) <= 1000)))
);

ALTER TABLE ONLY public.saved_view FORCE ROW LEVEL SECURITY;

ALTER TABLE public.saved_view ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.saved_view_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.schema_migration (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    run_on timestamp without time zone NOT NULL
);

CREATE SEQUENCE public.schema_migration_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.schema_migration_id_seq OWNED BY public.schema_migration.id;

CREATE TABLE public.screen_link (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    name text NOT NULL,
    first_class text,
    province_code text,
    city_code text,
    district_code text,
    token_hash bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    revoked_by text,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT screen_link_agent_id_check CHECK ((agent_id IS NULL)),
    CONSTRAINT screen_link_check CHECK (((city_code IS NULL) OR (province_code IS NOT NULL))),
    CONSTRAINT screen_link_check1 CHECK (((district_code IS NULL) OR (city_code IS NOT NULL))),
    CONSTRAINT screen_link_check2 CHECK (((expires_at > created_at) AND (expires_at <= (created_at + '365 days'::interval)))),
    CONSTRAINT screen_link_first_class_check CHECK ((first_class ~ '^\d{2}$'::text)),
    CONSTRAINT screen_link_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT screen_link_site_id_check CHECK ((site_id IS NULL)),
    CONSTRAINT screen_link_token_hash_check CHECK ((length(token_hash) = 32))
);

ALTER TABLE ONLY public.screen_link FORCE ROW LEVEL SECURITY;

ALTER TABLE public.screen_link ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.screen_link_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.session (
    id bigint NOT NULL,
    token_hash bytea NOT NULL,
    user_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    stage text NOT NULL,
    pending_totp_secret text,
    acted_by bigint,
    ip inet,
    user_agent text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    factor_at timestamp with time zone,
    opened_by text DEFAULT 'password'::text NOT NULL,
    factor text,
    CONSTRAINT session_factor_check CHECK ((factor = ANY (ARRAY['totp'::text, 'passkey'::text, 'recovery'::text]))),
    CONSTRAINT session_opened_by_check CHECK ((opened_by = ANY (ARRAY['password'::text, 'sms'::text, 'link'::text]))),
    CONSTRAINT session_stage_check CHECK ((stage = ANY (ARRAY['full'::text, 'secondFactor'::text, 'enrol'::text, 'password'::text])))
);

ALTER TABLE ONLY public.session FORCE ROW LEVEL SECURITY;

ALTER TABLE public.session ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.session_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE SEQUENCE public.site_code
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.site (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    name text NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    code text DEFAULT app.next_code('ZD'::text, 'public.site_code'::regclass) NOT NULL,
    type smallint DEFAULT 1 NOT NULL,
    province_code text,
    city_code text,
    district_code text,
    address text,
    lng numeric(9,6),
    lat numeric(8,6),
    contact text,
    phone text,
    parking_spaces integer DEFAULT 0 NOT NULL,
    capacity_kva integer DEFAULT 0 NOT NULL,
    parking_note text,
    open_hours text DEFAULT '00:00-24:00'::text NOT NULL,
    price_type smallint DEFAULT 1 NOT NULL,
    insured boolean DEFAULT false NOT NULL,
    insured_until date,
    picture_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    remark text,
    created_by text,
    deleted_at timestamp with time zone,
    tariff_id bigint,
    CONSTRAINT site_capacity_kva_check CHECK (((capacity_kva >= 0) AND (capacity_kva <= 1000000))),
    CONSTRAINT site_contact_check CHECK (((length(contact) >= 1) AND (length(contact) <= 30))),
    CONSTRAINT site_lat_check CHECK (((lat >= (3)::numeric) AND (lat <= (54)::numeric))),
    CONSTRAINT site_lng_check CHECK (((lng >= (73)::numeric) AND (lng <= (136)::numeric))),
    CONSTRAINT site_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
    CONSTRAINT site_open_hours_check CHECK ((open_hours ~ '^\d\d:\d\d-\d\d:\d\d$'::text)),
    CONSTRAINT site_parking_spaces_check CHECK (((parking_spaces >= 0) AND (parking_spaces <= 100000))),
    CONSTRAINT site_phone_check CHECK ((phone ~ '^1[3-9]\d{9}$'::text)),
    CONSTRAINT site_price_type_check CHECK (((price_type >= 1) AND (price_type <= 4))),
    CONSTRAINT site_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT site_type_check CHECK (((type >= 1) AND (type <= 5)))
);

ALTER TABLE ONLY public.site FORCE ROW LEVEL SECURITY;

ALTER TABLE public.site ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.site_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.site_name_tail (
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint NOT NULL,
    tail text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE ONLY public.site_name_tail FORCE ROW LEVEL SECURITY;

CREATE TABLE public.sms_code (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    user_id bigint,
    phone text NOT NULL,
    purpose text NOT NULL,
    code_hash bytea NOT NULL,
    tries smallint DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    member_id bigint,
    CONSTRAINT sms_code_owner CHECK ((num_nonnulls(user_id, member_id) = 1)),
    CONSTRAINT sms_code_purpose_check CHECK ((purpose = ANY (ARRAY['login'::text, 'reset'::text, 'bind'::text, 'charge'::text]))),
    CONSTRAINT sms_code_tries_check CHECK ((tries <= 5))
);

ALTER TABLE ONLY public.sms_code FORCE ROW LEVEL SECURITY;

ALTER TABLE public.sms_code ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sms_code_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.sms_message (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    phone text NOT NULL,
    template text NOT NULL,
    params jsonb,
    status smallint DEFAULT 0 NOT NULL,
    provider_id text,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    sent_at timestamp with time zone,
    CONSTRAINT sms_message_status_check CHECK ((status = ANY (ARRAY[0, 1, 2])))
);

ALTER TABLE ONLY public.sms_message FORCE ROW LEVEL SECURITY;

ALTER TABLE public.sms_message ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sms_message_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.stat_cohort (
    kind smallint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint NOT NULL,
    site_id bigint NOT NULL,
    month date NOT NULL,
    cohort date NOT NULL,
    members bigint DEFAULT 0 NOT NULL,
    CONSTRAINT stat_cohort_kind_check CHECK ((kind = ANY (ARRAY[0, 3, 4, 5])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.stat_cohort FORCE ROW LEVEL SECURITY;

CREATE TABLE public.stat_cohort_delta (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    month date NOT NULL,
    cohort date NOT NULL,
    members bigint NOT NULL
);

ALTER TABLE ONLY public.stat_cohort_delta FORCE ROW LEVEL SECURITY;

ALTER TABLE public.stat_cohort_delta ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.stat_cohort_delta_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW public.stat_cohort_live WITH (security_invoker='true') AS
 SELECT stat_cohort.kind,
    stat_cohort.organise_id,
    stat_cohort.agent_id,
    stat_cohort.site_id,
    ''::text AS district,
    stat_cohort.month,
    stat_cohort.cohort,
    stat_cohort.members
   FROM public.stat_cohort
UNION ALL
 SELECT place.kind,
    place.organise_id,
    place.agent_id,
    place.site_id,
    ''::text AS district,
    delta.month,
    delta.cohort,
    delta.members
   FROM (public.stat_cohort_delta delta
     CROSS JOIN LATERAL app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, ''::text) place(kind, organise_id, agent_id, site_id, of_district))
  WHERE (place.kind = ANY (ARRAY[0, 3, 4, 5]));

CREATE TABLE public.stat_day (
    day date NOT NULL,
    kind smallint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint NOT NULL,
    site_id bigint NOT NULL,
    district text NOT NULL,
    device_type_id bigint NOT NULL,
    orders bigint DEFAULT 0 NOT NULL,
    released bigint DEFAULT 0 NOT NULL,
    seconds bigint DEFAULT 0 NOT NULL,
    energy_dwh bigint DEFAULT 0 NOT NULL,
    electricity_fen bigint DEFAULT 0 NOT NULL,
    service_fen bigint DEFAULT 0 NOT NULL,
    occupancy_fen bigint DEFAULT 0 NOT NULL,
    paid_fen bigint DEFAULT 0 NOT NULL,
    gift_fen bigint DEFAULT 0 NOT NULL,
    refunds bigint DEFAULT 0 NOT NULL,
    refunded_fen bigint DEFAULT 0 NOT NULL,
    recharges bigint DEFAULT 0 NOT NULL,
    recharged_fen bigint DEFAULT 0 NOT NULL,
    recharge_gift_fen bigint DEFAULT 0 NOT NULL,
    recharge_refunds bigint DEFAULT 0 NOT NULL,
    recharge_refunded_fen bigint DEFAULT 0 NOT NULL,
    members bigint DEFAULT 0 NOT NULL,
    devices bigint DEFAULT 0 NOT NULL,
    faults bigint DEFAULT 0 NOT NULL,
    visits bigint DEFAULT 0 NOT NULL,
    discount_fen bigint DEFAULT 0 NOT NULL,
    CONSTRAINT stat_day_kind_check CHECK (((kind >= 0) AND (kind <= 9)))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.stat_day FORCE ROW LEVEL SECURITY;

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

ALTER TABLE public.stat_delta ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.stat_delta_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.stat_device (
    span smallint NOT NULL,
    period date NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint NOT NULL,
    site_id bigint NOT NULL,
    district text NOT NULL,
    category_id bigint NOT NULL,
    device_id bigint NOT NULL,
    orders bigint NOT NULL,
    turnover_fen bigint NOT NULL,
    CONSTRAINT stat_device_span_check CHECK ((span = ANY (ARRAY[1, 2])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.stat_device FORCE ROW LEVEL SECURITY;

CREATE TABLE public.stat_device_delta (
    id bigint NOT NULL,
    day date NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint NOT NULL,
    site_id bigint NOT NULL,
    category_id bigint NOT NULL,
    device_id bigint NOT NULL,
    orders bigint NOT NULL,
    turnover_fen bigint NOT NULL
);

ALTER TABLE ONLY public.stat_device_delta FORCE ROW LEVEL SECURITY;

ALTER TABLE public.stat_device_delta ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.stat_device_delta_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.stat_hour (
    kind smallint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint NOT NULL,
    site_id bigint NOT NULL,
    district text NOT NULL,
    device_type_id bigint NOT NULL,
    orders bigint DEFAULT 0 NOT NULL,
    released bigint DEFAULT 0 NOT NULL,
    seconds bigint DEFAULT 0 NOT NULL,
    energy_dwh bigint DEFAULT 0 NOT NULL,
    electricity_fen bigint DEFAULT 0 NOT NULL,
    service_fen bigint DEFAULT 0 NOT NULL,
    occupancy_fen bigint DEFAULT 0 NOT NULL,
    paid_fen bigint DEFAULT 0 NOT NULL,
    gift_fen bigint DEFAULT 0 NOT NULL,
    refunds bigint DEFAULT 0 NOT NULL,
    refunded_fen bigint DEFAULT 0 NOT NULL,
    recharges bigint DEFAULT 0 NOT NULL,
    recharged_fen bigint DEFAULT 0 NOT NULL,
    recharge_gift_fen bigint DEFAULT 0 NOT NULL,
    recharge_refunds bigint DEFAULT 0 NOT NULL,
    recharge_refunded_fen bigint DEFAULT 0 NOT NULL,
    members bigint DEFAULT 0 NOT NULL,
    devices bigint DEFAULT 0 NOT NULL,
    faults bigint DEFAULT 0 NOT NULL,
    hour timestamp with time zone NOT NULL,
    visits bigint DEFAULT 0 NOT NULL,
    discount_fen bigint DEFAULT 0 NOT NULL,
    CONSTRAINT stat_day_kind_check CHECK (((kind >= 0) AND (kind <= 9)))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.stat_hour FORCE ROW LEVEL SECURITY;

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

CREATE TABLE public.stat_latest (
    order_id bigint NOT NULL,
    settled_at timestamp with time zone NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint NOT NULL,
    site_id bigint NOT NULL,
    district text NOT NULL,
    category_id bigint NOT NULL,
    fresh boolean DEFAULT true NOT NULL
);

ALTER TABLE ONLY public.stat_latest FORCE ROW LEVEL SECURITY;

CREATE TABLE public.stat_month (
    kind smallint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint NOT NULL,
    site_id bigint NOT NULL,
    district text NOT NULL,
    device_type_id bigint NOT NULL,
    orders bigint DEFAULT 0 NOT NULL,
    released bigint DEFAULT 0 NOT NULL,
    seconds bigint DEFAULT 0 NOT NULL,
    energy_dwh bigint DEFAULT 0 NOT NULL,
    electricity_fen bigint DEFAULT 0 NOT NULL,
    service_fen bigint DEFAULT 0 NOT NULL,
    occupancy_fen bigint DEFAULT 0 NOT NULL,
    paid_fen bigint DEFAULT 0 NOT NULL,
    gift_fen bigint DEFAULT 0 NOT NULL,
    refunds bigint DEFAULT 0 NOT NULL,
    refunded_fen bigint DEFAULT 0 NOT NULL,
    recharges bigint DEFAULT 0 NOT NULL,
    recharged_fen bigint DEFAULT 0 NOT NULL,
    recharge_gift_fen bigint DEFAULT 0 NOT NULL,
    recharge_refunds bigint DEFAULT 0 NOT NULL,
    recharge_refunded_fen bigint DEFAULT 0 NOT NULL,
    members bigint DEFAULT 0 NOT NULL,
    devices bigint DEFAULT 0 NOT NULL,
    faults bigint DEFAULT 0 NOT NULL,
    month date NOT NULL,
    visits bigint DEFAULT 0 NOT NULL,
    discount_fen bigint DEFAULT 0 NOT NULL,
    CONSTRAINT stat_day_kind_check CHECK (((kind >= 0) AND (kind <= 9))),
    CONSTRAINT stat_month_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.stat_month FORCE ROW LEVEL SECURITY;

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

CREATE TABLE public.stat_now (
    kind smallint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint NOT NULL,
    site_id bigint NOT NULL,
    district text NOT NULL,
    device_type_id bigint NOT NULL,
    devices bigint DEFAULT 0 NOT NULL,
    online bigint DEFAULT 0 NOT NULL,
    ports bigint DEFAULT 0 NOT NULL,
    online_ports bigint DEFAULT 0 NOT NULL,
    free_ports bigint DEFAULT 0 NOT NULL,
    working_ports bigint DEFAULT 0 NOT NULL,
    fault_ports bigint DEFAULT 0 NOT NULL,
    appointed_ports bigint DEFAULT 0 NOT NULL,
    connected_ports bigint DEFAULT 0 NOT NULL,
    warning_ports bigint DEFAULT 0 NOT NULL,
    down_ports bigint DEFAULT 0 NOT NULL,
    members bigint DEFAULT 0 NOT NULL,
    expiring bigint DEFAULT 0 NOT NULL,
    expired bigint DEFAULT 0 NOT NULL,
    CONSTRAINT stat_now_kind_check CHECK (((kind >= 0) AND (kind <= 9)))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.stat_now FORCE ROW LEVEL SECURITY;

ALTER TABLE public.stat_now_delta ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.stat_now_delta_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW public.stat_now_live WITH (security_invoker='true') AS
 SELECT stat_now.kind,
    stat_now.organise_id,
    stat_now.agent_id,
    stat_now.site_id,
    stat_now.district,
    stat_now.device_type_id,
    stat_now.devices,
    stat_now.online,
    stat_now.ports,
    stat_now.online_ports,
    stat_now.free_ports,
    stat_now.working_ports,
    stat_now.fault_ports,
    stat_now.appointed_ports,
    stat_now.connected_ports,
    stat_now.warning_ports,
    stat_now.down_ports,
    stat_now.members,
    stat_now.expiring,
    stat_now.expired
   FROM public.stat_now
UNION ALL
 SELECT place.kind,
    place.organise_id,
    place.agent_id,
    place.site_id,
    place.of_district AS district,
    delta.device_type_id,
    delta.devices,
    delta.online,
    delta.ports,
    delta.online_ports,
    delta.free_ports,
    delta.working_ports,
    delta.fault_ports,
    delta.appointed_ports,
    delta.connected_ports,
    delta.warning_ports,
    delta.down_ports,
    delta.members,
    delta.expiring,
    delta.expired
   FROM (public.stat_now_delta delta
     CROSS JOIN LATERAL app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, delta.district) place(kind, organise_id, agent_id, site_id, of_district));

CREATE TABLE public.stat_outage (
    kind smallint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint NOT NULL,
    site_id bigint NOT NULL,
    hour timestamp with time zone NOT NULL,
    device_type_id bigint NOT NULL,
    offline_port_s bigint DEFAULT 0 NOT NULL,
    fault_port_s bigint DEFAULT 0 NOT NULL,
    CONSTRAINT stat_outage_kind_check CHECK ((kind = ANY (ARRAY[0, 3, 4, 5])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.stat_outage FORCE ROW LEVEL SECURITY;

CREATE TABLE public.stat_outage_delta (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    hour timestamp with time zone NOT NULL,
    device_type_id bigint NOT NULL,
    offline_port_s bigint NOT NULL,
    fault_port_s bigint NOT NULL
);

ALTER TABLE ONLY public.stat_outage_delta FORCE ROW LEVEL SECURITY;

ALTER TABLE public.stat_outage_delta ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.stat_outage_delta_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW public.stat_outage_live WITH (security_invoker='true') AS
 SELECT stat_outage.kind,
    stat_outage.organise_id,
    stat_outage.agent_id,
    stat_outage.site_id,
    ''::text AS district,
    stat_outage.hour,
    stat_outage.device_type_id,
    stat_outage.offline_port_s,
    stat_outage.fault_port_s
   FROM public.stat_outage
UNION ALL
 SELECT place.kind,
    place.organise_id,
    place.agent_id,
    place.site_id,
    ''::text AS district,
    delta.hour,
    delta.device_type_id,
    delta.offline_port_s,
    delta.fault_port_s
   FROM (public.stat_outage_delta delta
     CROSS JOIN LATERAL app.stat_places(delta.organise_id, delta.agent_id, delta.site_id, ''::text) place(kind, organise_id, agent_id, site_id, of_district))
  WHERE (place.kind = ANY (ARRAY[0, 3, 4, 5]))
UNION ALL
 SELECT place.kind,
    place.organise_id,
    place.agent_id,
    place.site_id,
    ''::text AS district,
    part.hour,
    o.device_type_id,
        CASE o.cause
            WHEN 1 THEN (o.ports * part.seconds)
            ELSE (0)::bigint
        END AS offline_port_s,
        CASE o.cause
            WHEN 2 THEN (o.ports * part.seconds)
            ELSE (0)::bigint
        END AS fault_port_s
   FROM (((public.device_outage o
     CROSS JOIN public.outage_mark)
     CROSS JOIN LATERAL app.outage_hours(GREATEST(o.began_at, outage_mark.counted_upto), now()) part(hour, seconds))
     CROSS JOIN LATERAL app.stat_places(o.organise_id, o.agent_id, o.site_id, ''::text) place(kind, organise_id, agent_id, site_id, of_district))
  WHERE ((o.ended_at IS NULL) AND (place.kind = ANY (ARRAY[0, 3, 4, 5])));

CREATE TABLE public.stored_card (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    card_no text NOT NULL,
    chip_no text NOT NULL,
    member_id bigint,
    status smallint DEFAULT 0 NOT NULL,
    counter bigint DEFAULT 0 NOT NULL,
    used_site_id bigint,
    used_at timestamp with time zone,
    issued_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    in_stock boolean DEFAULT false NOT NULL,
    replaced_by_id bigint,
    CONSTRAINT stored_card_card_no_check CHECK ((card_no ~ '^\d{4,20}$'::text)),
    CONSTRAINT stored_card_chip_no_check CHECK (((length(chip_no) >= 1) AND (length(chip_no) <= 64))),
    CONSTRAINT stored_card_replaced CHECK (((replaced_by_id IS NULL) OR (status = 2))),
    CONSTRAINT stored_card_status_check CHECK (((status >= 0) AND (status <= 2)))
);

ALTER TABLE ONLY public.stored_card FORCE ROW LEVEL SECURITY;

ALTER TABLE public.stored_card ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.stored_card_id_seq
    START WITH 100001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.stored_file (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    user_id bigint,
    kind text NOT NULL,
    object_key text NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    bytes bigint NOT NULL,
    sha256 text,
    width integer,
    height integer,
    attached boolean DEFAULT false NOT NULL,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT stored_file_bytes_check CHECK ((bytes >= 0)),
    CONSTRAINT stored_file_check CHECK (((kind <> 'picture'::text) OR ((width IS NOT NULL) AND (height IS NOT NULL)))),
    CONSTRAINT stored_file_kind_check CHECK ((kind = ANY (ARRAY['picture'::text, 'import'::text, 'export'::text]))),
    CONSTRAINT stored_file_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
    CONSTRAINT stored_file_object_key_check CHECK ((object_key ~ '^[a-z]+/\d+/[\da-f-]{36}$'::text)),
    CONSTRAINT stored_file_sha256_check CHECK ((sha256 ~ '^[\da-f]{64}$'::text)),
    CONSTRAINT stored_file_type_check CHECK (((length(type) >= 3) AND (length(type) <= 100)))
);

ALTER TABLE ONLY public.stored_file FORCE ROW LEVEL SECURITY;

ALTER TABLE public.stored_file ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.stored_file_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.supplier (
    id bigint NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    kind smallint NOT NULL,
    grade smallint,
    contact text,
    phone text,
    address text,
    credit_code text,
    payment_days smallint NOT NULL,
    remark text,
    status smallint DEFAULT 1 NOT NULL,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT supplier_address_check CHECK (((length(address) >= 1) AND (length(address) <= 120))),
    CONSTRAINT supplier_code_check CHECK ((code ~ '^[A-Z0-9][A-Z0-9-]{1,29}$'::text)),
    CONSTRAINT supplier_contact_check CHECK (((length(contact) >= 1) AND (length(contact) <= 30))),
    CONSTRAINT supplier_credit_code_check CHECK ((length(credit_code) = 18)),
    CONSTRAINT supplier_grade_check CHECK (((grade >= 1) AND (grade <= 4))),
    CONSTRAINT supplier_kind_check CHECK (((kind >= 1) AND (kind <= 5))),
    CONSTRAINT supplier_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
    CONSTRAINT supplier_payment_days_check CHECK (((payment_days >= 0) AND (payment_days <= 365))),
    CONSTRAINT supplier_phone_check CHECK ((phone ~ '^1[3-9][0-9]{9}$'::text)),
    CONSTRAINT supplier_remark_check CHECK (((length(remark) >= 1) AND (length(remark) <= 300))),
    CONSTRAINT supplier_status_check CHECK ((status = ANY (ARRAY[0, 1])))
);

ALTER TABLE ONLY public.supplier FORCE ROW LEVEL SECURITY;

ALTER TABLE public.supplier ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.supplier_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.tariff (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    name text NOT NULL,
    billing_type smallint NOT NULL,
    device_type_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    version_id bigint,
    versions integer DEFAULT 0 NOT NULL,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT tariff_billing_type_check CHECK ((billing_type = ANY (ARRAY[0, 1, 2]))),
    CONSTRAINT tariff_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT tariff_status_check CHECK ((status = ANY (ARRAY[0, 1])))
);

ALTER TABLE ONLY public.tariff FORCE ROW LEVEL SECURITY;

ALTER TABLE public.tariff ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.tariff_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.tariff_lab (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    user_id bigint NOT NULL,
    tariff_id bigint NOT NULL,
    version_no integer NOT NULL,
    rules jsonb NOT NULL,
    days smallint NOT NULL,
    site_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    state smallint DEFAULT 1 NOT NULL,
    reached smallint DEFAULT 0 NOT NULL,
    priced integer DEFAULT 0 NOT NULL,
    result jsonb,
    reason text,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    CONSTRAINT tariff_lab_check CHECK (((state = 3) = (result IS NOT NULL))),
    CONSTRAINT tariff_lab_days_check CHECK (((days >= 1) AND (days <= 90))),
    CONSTRAINT tariff_lab_reached_check CHECK (((reached >= 0) AND (reached <= 1000))),
    CONSTRAINT tariff_lab_reason_check CHECK ((length(reason) <= 200)),
    CONSTRAINT tariff_lab_state_check CHECK (((state >= 1) AND (state <= 4)))
);

ALTER TABLE ONLY public.tariff_lab FORCE ROW LEVEL SECURITY;

ALTER TABLE public.tariff_lab ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.tariff_lab_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.tariff_push (
    device_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    version_id bigint NOT NULL,
    model_no integer NOT NULL,
    state smallint DEFAULT 1 NOT NULL,
    command_id bigint,
    reason text,
    confirmed_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT tariff_push_state_check CHECK ((state = ANY (ARRAY[1, 2, 3, 4])))
);

ALTER TABLE ONLY public.tariff_push FORCE ROW LEVEL SECURITY;

CREATE TABLE public.tariff_push_due (
    id bigint NOT NULL,
    device_id bigint NOT NULL
);

ALTER TABLE ONLY public.tariff_push_due FORCE ROW LEVEL SECURITY;

ALTER TABLE public.tariff_push_due ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.tariff_push_due_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.tariff_version (
    id bigint NOT NULL,
    tariff_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    no integer NOT NULL,
    rules jsonb NOT NULL,
    display_text text NOT NULL,
    state smallint DEFAULT 0 NOT NULL,
    effective_at timestamp with time zone,
    published_by text,
    published_at timestamp with time zone,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT tariff_version_check CHECK (((state = ANY (ARRAY[0, 4])) OR ((effective_at IS NOT NULL) AND (published_at IS NOT NULL)))),
    CONSTRAINT tariff_version_display_text_check CHECK ((length(display_text) <= 2000)),
    CONSTRAINT tariff_version_state_check CHECK (((state >= 0) AND (state <= 4)))
);

ALTER TABLE ONLY public.tariff_version FORCE ROW LEVEL SECURITY;

ALTER TABLE public.tariff_version ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.tariff_version_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.user_account (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    department_id bigint,
    user_type smallint NOT NULL,
    employee_no text NOT NULL,
    name text NOT NULL,
    login_name text NOT NULL,
    phone text NOT NULL,
    email text,
    address text,
    member_role_name text,
    avatar bytea,
    theme text DEFAULT 'light'::text NOT NULL,
    color text DEFAULT '#1890FF'::text NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    password_hash text NOT NULL,
    password_changed_at timestamp with time zone DEFAULT now() NOT NULL,
    must_change_password boolean DEFAULT false NOT NULL,
    locked_until timestamp with time zone,
    totp_secret text,
    totp_since timestamp with time zone,
    totp_last_step bigint,
    last_login_at timestamp with time zone,
    deleted_at timestamp with time zone,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    first_password_ends_at timestamp with time zone DEFAULT (now() + '72:00:00'::interval) NOT NULL,
    must_bind_factor boolean DEFAULT false NOT NULL,
    CONSTRAINT user_account_check CHECK (((user_type <> 2) OR (agent_id IS NOT NULL))),
    CONSTRAINT user_account_check1 CHECK (((user_type <> 3) OR (site_id IS NOT NULL))),
    CONSTRAINT user_account_color_check CHECK ((color ~ '^#[0-9A-Fa-f]{6}$'::text)),
    CONSTRAINT user_account_login_name_check CHECK ((login_name ~ '^[a-zA-Z]\w{3,29}$'::text)),
    CONSTRAINT user_account_name_check CHECK (((length(name) >= 1) AND (length(name) <= 30))),
    CONSTRAINT user_account_phone_check CHECK ((phone ~ '^1[3-9]\d{9}$'::text)),
    CONSTRAINT user_account_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
    CONSTRAINT user_account_theme_check CHECK ((theme = ANY (ARRAY['light'::text, 'dark'::text, 'system'::text]))),
    CONSTRAINT user_account_user_type_check CHECK ((user_type = ANY (ARRAY[1, 2, 3, 4])))
);

ALTER TABLE ONLY public.user_account FORCE ROW LEVEL SECURITY;

ALTER TABLE public.user_account ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.user_account_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.user_password_history (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    password_hash text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.user_password_history FORCE ROW LEVEL SECURITY;

ALTER TABLE public.user_password_history ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.user_password_history_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.user_role (
    user_id bigint NOT NULL,
    role_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint
);

ALTER TABLE ONLY public.user_role FORCE ROW LEVEL SECURITY;

CREATE TABLE public.whitelist_entry (
    id bigint NOT NULL,
    organise_id bigint NOT NULL,
    agent_id bigint,
    site_id bigint,
    name text NOT NULL,
    phone text,
    card_id bigint,
    rule smallint NOT NULL,
    off_bp integer,
    off_fen integer,
    pay_fen integer,
    free_dwh integer,
    times integer,
    day_times smallint NOT NULL,
    scope smallint NOT NULL,
    funder smallint NOT NULL,
    starts_on date NOT NULL,
    ends_on date NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    remark text,
    created_by_id bigint NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_by_id bigint,
    decided_by text,
    decided_at timestamp with time zone,
    decision text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT whitelist_entry_check CHECK (((phone IS NULL) <> (card_id IS NULL))),
    CONSTRAINT whitelist_entry_check1 CHECK ((ends_on >= starts_on)),
    CONSTRAINT whitelist_entry_check2 CHECK (((rule = 1) = (off_bp IS NOT NULL))),
    CONSTRAINT whitelist_entry_check3 CHECK (((rule = 2) = (off_fen IS NOT NULL))),
    CONSTRAINT whitelist_entry_check4 CHECK (((rule = 3) = (pay_fen IS NOT NULL))),
    CONSTRAINT whitelist_entry_check5 CHECK (((rule = ANY (ARRAY[0, 4])) = (free_dwh IS NOT NULL))),
    CONSTRAINT whitelist_entry_check6 CHECK (((rule = 4) = (times IS NOT NULL))),
    CONSTRAINT whitelist_entry_check7 CHECK (((funder <> 3) OR (agent_id IS NOT NULL))),
    CONSTRAINT whitelist_entry_check8 CHECK ((decided_by_id <> created_by_id)),
    CONSTRAINT whitelist_entry_check9 CHECK (((status <> 2) OR (decided_by_id IS NOT NULL))),
    CONSTRAINT whitelist_entry_day_times_check CHECK (((day_times >= 1) AND (day_times <= 50))),
    CONSTRAINT whitelist_entry_decision_check CHECK (((length(decision) >= 1) AND (length(decision) <= 200))),
    CONSTRAINT whitelist_entry_free_dwh_check CHECK (((free_dwh >= 1) AND (free_dwh <= 2000000))),
    CONSTRAINT whitelist_entry_funder_check CHECK ((funder = ANY (ARRAY[2, 3, 4]))),
    CONSTRAINT whitelist_entry_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
    CONSTRAINT whitelist_entry_off_bp_check CHECK (((off_bp >= 1) AND (off_bp <= 9999))),
    CONSTRAINT whitelist_entry_off_fen_check CHECK (((off_fen >= 1) AND (off_fen <= 100000))),
    CONSTRAINT whitelist_entry_pay_fen_check CHECK (((pay_fen >= 1) AND (pay_fen <= 100000))),
    CONSTRAINT whitelist_entry_phone_check CHECK ((phone ~ '^1[3-9][0-9]{9}$'::text)),
    CONSTRAINT whitelist_entry_remark_check CHECK (((length(remark) >= 1) AND (length(remark) <= 200))),
    CONSTRAINT whitelist_entry_rule_check CHECK (((rule >= 0) AND (rule <= 4))),
    CONSTRAINT whitelist_entry_scope_check CHECK ((scope = ANY (ARRAY[1, 2]))),
    CONSTRAINT whitelist_entry_status_check CHECK (((status >= 1) AND (status <= 4))),
    CONSTRAINT whitelist_entry_times_check CHECK (((times >= 1) AND (times <= 10000)))
);

ALTER TABLE ONLY public.whitelist_entry FORCE ROW LEVEL SECURITY;

ALTER TABLE public.whitelist_entry ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.whitelist_entry_id_seq
    START WITH 1001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.whitelist_use (
    order_id bigint NOT NULL,
    entry_id bigint NOT NULL,
    organise_id bigint NOT NULL,
    used_on date NOT NULL,
    returned_at timestamp with time zone
);

ALTER TABLE ONLY public.whitelist_use FORCE ROW LEVEL SECURITY;

ALTER TABLE ONLY public.schema_migration ALTER COLUMN id SET DEFAULT nextval('public.schema_migration_id_seq'::regclass);

ALTER TABLE ONLY public.account_day
    ADD CONSTRAINT account_day_pkey PRIMARY KEY (account_id, day);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_organise_id_kind_owner_id_key UNIQUE (organise_id, kind, owner_id);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.account_sum
    ADD CONSTRAINT account_sum_account_id_agent_id_site_id_key UNIQUE NULLS NOT DISTINCT (account_id, agent_id, site_id);

ALTER TABLE ONLY public.agent
    ADD CONSTRAINT agent_code_key UNIQUE (code);

ALTER TABLE ONLY public.agent
    ADD CONSTRAINT agent_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.agent
    ADD CONSTRAINT agent_organise_id_name_key UNIQUE (organise_id, name);

ALTER TABLE ONLY public.agent
    ADD CONSTRAINT agent_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.alarm_attempt
    ADD CONSTRAINT alarm_attempt_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.alarm_default
    ADD CONSTRAINT alarm_default_pkey PRIMARY KEY (kind);

ALTER TABLE ONLY public.alarm
    ADD CONSTRAINT alarm_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.alarm
    ADD CONSTRAINT alarm_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.alarm_rule
    ADD CONSTRAINT alarm_rule_pkey PRIMARY KEY (organise_id, kind);

ALTER TABLE ONLY public.alarm_signal
    ADD CONSTRAINT alarm_signal_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.alipay_attempt
    ADD CONSTRAINT alipay_attempt_code_hash_key UNIQUE (code_hash);

ALTER TABLE ONLY public.alipay_attempt
    ADD CONSTRAINT alipay_attempt_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.alipay_attempt
    ADD CONSTRAINT alipay_attempt_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.alipay_authorisation
    ADD CONSTRAINT alipay_authorisation_organise_id_key UNIQUE (organise_id);

ALTER TABLE ONLY public.alipay_authorisation
    ADD CONSTRAINT alipay_authorisation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.alipay_invite
    ADD CONSTRAINT alipay_invite_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.alipay_invite
    ADD CONSTRAINT alipay_invite_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.alipay_invite
    ADD CONSTRAINT alipay_invite_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.attempt
    ADD CONSTRAINT attempt_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.attribute_template_item
    ADD CONSTRAINT attribute_template_item_pkey PRIMARY KEY (attribute_template_id, platform_attribute_id);

ALTER TABLE ONLY public.attribute_template
    ADD CONSTRAINT attribute_template_name_key UNIQUE (name);

ALTER TABLE ONLY public.attribute_template
    ADD CONSTRAINT attribute_template_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_chain
    ADD CONSTRAINT audit_chain_pkey PRIMARY KEY (organise_id);

ALTER TABLE ONLY public.audit_device
    ADD CONSTRAINT audit_device_pkey PRIMARY KEY (device_id, at, audit_id);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id, at);

ALTER TABLE ONLY public.audit_pending
    ADD CONSTRAINT audit_pending_pkey PRIMARY KEY (txid, id);

ALTER TABLE ONLY public.audit_proof
    ADD CONSTRAINT audit_proof_pkey PRIMARY KEY (organise_id);

ALTER TABLE ONLY public.balance_adjustment
    ADD CONSTRAINT balance_adjustment_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.batch_item
    ADD CONSTRAINT batch_item_pkey PRIMARY KEY (job_id, seq);

ALTER TABLE ONLY public.batch_job
    ADD CONSTRAINT batch_job_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.captcha
    ADD CONSTRAINT captcha_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.card_replacement
    ADD CONSTRAINT card_replacement_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.card_step
    ADD CONSTRAINT card_step_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.card_swipe
    ADD CONSTRAINT card_swipe_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.channel_bill_line
    ADD CONSTRAINT channel_bill_line_pkey PRIMARY KEY (bill_id, line);

ALTER TABLE ONLY public.channel_bill
    ADD CONSTRAINT channel_bill_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.charge_news
    ADD CONSTRAINT charge_news_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.charge_sample
    ADD CONSTRAINT charge_sample_pkey PRIMARY KEY (order_id, at);

ALTER TABLE public.charging_order
    ADD CONSTRAINT charging_order_discounts CHECK (((discount_fen >= 0) AND (coupon_fen >= 0) AND (pass_fen >= 0) AND ((subsidy_fen >= 0) AND (subsidy_fen <= ((discount_fen + coupon_fen) + pass_fen))) AND ((status = 3) OR (((discount_fen + coupon_fen) + pass_fen) = 0)))) NOT VALID;

ALTER TABLE ONLY public.charging_order
    ADD CONSTRAINT charging_order_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.coupon_grant
    ADD CONSTRAINT coupon_grant_order_id_key UNIQUE (order_id);

ALTER TABLE ONLY public.coupon_grant
    ADD CONSTRAINT coupon_grant_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.coupon
    ADD CONSTRAINT coupon_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.credential_change
    ADD CONSTRAINT credential_change_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.department
    ADD CONSTRAINT department_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.department_menu
    ADD CONSTRAINT department_menu_pkey PRIMARY KEY (department_id, menu_id);

ALTER TABLE ONLY public.department
    ADD CONSTRAINT department_organise_id_code_key UNIQUE (organise_id, code);

ALTER TABLE ONLY public.department
    ADD CONSTRAINT department_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.desk_shift
    ADD CONSTRAINT desk_shift_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.desk_shift
    ADD CONSTRAINT desk_shift_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.device_attribute
    ADD CONSTRAINT device_attribute_pkey PRIMARY KEY (device_id, identifier);

ALTER TABLE ONLY public.device_category
    ADD CONSTRAINT device_category_code_key UNIQUE (code);

ALTER TABLE ONLY public.device_category
    ADD CONSTRAINT device_category_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.device_command
    ADD CONSTRAINT device_command_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.device_credential
    ADD CONSTRAINT device_credential_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.device_dead_letter
    ADD CONSTRAINT device_dead_letter_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.device_event
    ADD CONSTRAINT device_event_pkey PRIMARY KEY (device_id, id, part, at);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.device_message
    ADD CONSTRAINT device_message_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.device_outage
    ADD CONSTRAINT device_outage_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.device_record
    ADD CONSTRAINT device_record_pkey PRIMARY KEY (device_id, record_key, recorded_at);

ALTER TABLE ONLY public.device_state
    ADD CONSTRAINT device_state_pkey PRIMARY KEY (device_id);

ALTER TABLE ONLY public.device_type
    ADD CONSTRAINT device_type_code_key UNIQUE (code);

ALTER TABLE ONLY public.device_type_key
    ADD CONSTRAINT device_type_key_pkey PRIMARY KEY (device_type_id);

ALTER TABLE ONLY public.device_type
    ADD CONSTRAINT device_type_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.download
    ADD CONSTRAINT download_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.dtu_protocol
    ADD CONSTRAINT dtu_protocol_code_key UNIQUE (code);

ALTER TABLE ONLY public.dtu_protocol
    ADD CONSTRAINT dtu_protocol_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.enterprise_refund
    ADD CONSTRAINT enterprise_refund_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (posting_id, line, posted_at);

ALTER TABLE ONLY public.factor_reset
    ADD CONSTRAINT factor_reset_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.gift_lot
    ADD CONSTRAINT gift_lot_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.gift_lot_use
    ADD CONSTRAINT gift_lot_use_pkey PRIMARY KEY (member_id, ref, lot_id);

ALTER TABLE ONLY public.help_document
    ADD CONSTRAINT help_document_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.help_document
    ADD CONSTRAINT help_document_slug_key UNIQUE (slug);

ALTER TABLE ONLY public.help_feedback
    ADD CONSTRAINT help_feedback_pkey PRIMARY KEY (document_id, user_id);

ALTER TABLE ONLY public.idempotency_key
    ADD CONSTRAINT idempotency_key_pkey PRIMARY KEY (user_id, key);

ALTER TABLE ONLY public.incident
    ADD CONSTRAINT incident_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.incident
    ADD CONSTRAINT incident_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.instruction
    ADD CONSTRAINT instruction_instruction_set_id_command_word_direction_key UNIQUE (instruction_set_id, command_word, direction);

ALTER TABLE ONLY public.instruction
    ADD CONSTRAINT instruction_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.instruction_set
    ADD CONSTRAINT instruction_set_code_key UNIQUE (code);

ALTER TABLE ONLY public.instruction_set
    ADD CONSTRAINT instruction_set_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.ledger_block
    ADD CONSTRAINT ledger_block_pkey PRIMARY KEY (organise_id, no);

ALTER TABLE ONLY public.ledger_edge
    ADD CONSTRAINT ledger_edge_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.ledger_proof_day
    ADD CONSTRAINT ledger_proof_day_pkey PRIMARY KEY (account_id, day);

ALTER TABLE ONLY public.ledger_proof_head
    ADD CONSTRAINT ledger_proof_head_pkey PRIMARY KEY (organise_id);

ALTER TABLE ONLY public.ledger_proof
    ADD CONSTRAINT ledger_proof_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.login_ticket
    ADD CONSTRAINT login_ticket_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.login_ticket
    ADD CONSTRAINT login_ticket_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.member_app
    ADD CONSTRAINT member_app_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.member_app
    ADD CONSTRAINT member_app_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.member_block
    ADD CONSTRAINT member_block_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.member_identity
    ADD CONSTRAINT member_identity_app_id_open_id_key UNIQUE (app_id, open_id);

ALTER TABLE ONLY public.member_identity
    ADD CONSTRAINT member_identity_member_id_app_id_key UNIQUE (member_id, app_id);

ALTER TABLE ONLY public.member_identity
    ADD CONSTRAINT member_identity_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.member_month
    ADD CONSTRAINT member_month_pkey PRIMARY KEY (member_id, month);

ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.member_plan
    ADD CONSTRAINT member_plan_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.member_plan
    ADD CONSTRAINT member_plan_order_id_key UNIQUE (order_id);

ALTER TABLE ONLY public.member_plan
    ADD CONSTRAINT member_plan_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.menu
    ADD CONSTRAINT menu_menu_key_key UNIQUE (menu_key);

ALTER TABLE ONLY public.menu
    ADD CONSTRAINT menu_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.message_replay
    ADD CONSTRAINT message_replay_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.monthly_plan
    ADD CONSTRAINT monthly_plan_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.monthly_plan
    ADD CONSTRAINT monthly_plan_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.monthly_plan_version
    ADD CONSTRAINT monthly_plan_version_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.monthly_plan_version
    ADD CONSTRAINT monthly_plan_version_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.monthly_plan_version
    ADD CONSTRAINT monthly_plan_version_plan_id_no_key UNIQUE (plan_id, no);

ALTER TABLE ONLY public.notification
    ADD CONSTRAINT notification_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.notification_preference
    ADD CONSTRAINT notification_preference_pkey PRIMARY KEY (user_id, type);

ALTER TABLE ONLY public.offline_recharge
    ADD CONSTRAINT offline_recharge_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.offline_recharge
    ADD CONSTRAINT offline_recharge_recharge_id_key UNIQUE (recharge_id);

ALTER TABLE ONLY public.open_app
    ADD CONSTRAINT open_app_app_key_key UNIQUE (app_key);

ALTER TABLE ONLY public.open_app
    ADD CONSTRAINT open_app_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.open_charge
    ADD CONSTRAINT open_charge_order_id_key UNIQUE (order_id);

ALTER TABLE ONLY public.open_charge
    ADD CONSTRAINT open_charge_pkey PRIMARY KEY (device_id, port_no);

ALTER TABLE ONLY public.operation_area
    ADD CONSTRAINT operation_area_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.operation_area
    ADD CONSTRAINT operation_area_organise_id_name_key UNIQUE (organise_id, name);

ALTER TABLE ONLY public.operation_area
    ADD CONSTRAINT operation_area_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.operation_area_site
    ADD CONSTRAINT operation_area_site_pkey PRIMARY KEY (area_id, assigned_site_id);

ALTER TABLE ONLY public.operation_area_user
    ADD CONSTRAINT operation_area_user_pkey PRIMARY KEY (area_id, user_id);

ALTER TABLE ONLY public.organise_base_service
    ADD CONSTRAINT organise_base_service_organise_id_key UNIQUE (organise_id);

ALTER TABLE ONLY public.organise_base_service
    ADD CONSTRAINT organise_base_service_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organise
    ADD CONSTRAINT organise_code_key UNIQUE (code);

ALTER TABLE ONLY public.organise
    ADD CONSTRAINT organise_name_key UNIQUE (name);

ALTER TABLE ONLY public.organise
    ADD CONSTRAINT organise_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organise
    ADD CONSTRAINT organise_test UNIQUE (id, test);

ALTER TABLE ONLY public.outage_mark
    ADD CONSTRAINT outage_mark_pkey PRIMARY KEY (single);

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id, created_at);

ALTER TABLE ONLY public.passkey_challenge
    ADD CONSTRAINT passkey_challenge_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey_credential_id_key UNIQUE (credential_id);

ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pay_key
    ADD CONSTRAINT pay_key_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pay_merchant
    ADD CONSTRAINT pay_merchant_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.pay_merchant
    ADD CONSTRAINT pay_merchant_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pay_notice
    ADD CONSTRAINT pay_notice_pkey PRIMARY KEY (merchant_id, notice_id);

ALTER TABLE ONLY public.pay_order
    ADD CONSTRAINT pay_order_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pay_refund
    ADD CONSTRAINT pay_refund_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pay_refund
    ADD CONSTRAINT pay_refund_purpose_ref_id_pay_order_id_id_key UNIQUE (purpose, ref_id, pay_order_id, id);

ALTER TABLE ONLY public.personal_reveal
    ADD CONSTRAINT personal_reveal_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.plan_order
    ADD CONSTRAINT plan_order_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.plan_order
    ADD CONSTRAINT plan_order_pay_order_id_key UNIQUE (pay_order_id);

ALTER TABLE ONLY public.plan_order
    ADD CONSTRAINT plan_order_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.plan_use
    ADD CONSTRAINT plan_use_pkey PRIMARY KEY (order_id);

ALTER TABLE ONLY public.platform_attribute
    ADD CONSTRAINT platform_attribute_identifier_key UNIQUE (identifier);

ALTER TABLE ONLY public.platform_attribute
    ADD CONSTRAINT platform_attribute_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.port
    ADD CONSTRAINT port_pkey PRIMARY KEY (device_id, port_no);

ALTER TABLE ONLY public.posting
    ADD CONSTRAINT posting_pkey PRIMARY KEY (key, key_at);

ALTER TABLE ONLY public.qr_batch
    ADD CONSTRAINT qr_batch_batch_no_key UNIQUE (batch_no);

ALTER TABLE ONLY public.qr_batch
    ADD CONSTRAINT qr_batch_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.qr_code
    ADD CONSTRAINT qr_code_code_no_key UNIQUE (code_no);

ALTER TABLE ONLY public.qr_code
    ADD CONSTRAINT qr_code_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.qr_suspicion
    ADD CONSTRAINT qr_suspicion_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.recharge_order
    ADD CONSTRAINT recharge_order_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.recharge_plan
    ADD CONSTRAINT recharge_plan_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.recharge_plan
    ADD CONSTRAINT recharge_plan_overlap EXCLUDE USING gist (int8range(organise_id, organise_id, '[]'::text) WITH &&, int8range(
CASE
    WHEN (site_id IS NULL) THEN COALESCE(agent_id, (0)::bigint)
    ELSE (0)::bigint
END,
CASE
    WHEN (site_id IS NULL) THEN COALESCE(agent_id, (0)::bigint)
    ELSE (0)::bigint
END, '[]'::text) WITH &&, int8range(COALESCE(site_id, (0)::bigint), COALESCE(site_id, (0)::bigint), '[]'::text) WITH &&, daterange(starts_on, ends_on, '[]'::text) WITH &&) WHERE ((status = 1));

ALTER TABLE ONLY public.recharge_plan
    ADD CONSTRAINT recharge_plan_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.recharge_refund
    ADD CONSTRAINT recharge_refund_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.recharge_tier
    ADD CONSTRAINT recharge_tier_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.recon_break
    ADD CONSTRAINT recon_break_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.recon_break
    ADD CONSTRAINT recon_break_organise_id_merchant_id_day_pair_kind_subject_key UNIQUE NULLS NOT DISTINCT (organise_id, merchant_id, day, pair, kind, subject);

ALTER TABLE ONLY public.recon_break
    ADD CONSTRAINT recon_break_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.recon_repair
    ADD CONSTRAINT recon_repair_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.recon_run
    ADD CONSTRAINT recon_run_organise_id_merchant_id_day_key UNIQUE NULLS NOT DISTINCT (organise_id, merchant_id, day);

ALTER TABLE ONLY public.recon_run
    ADD CONSTRAINT recon_run_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.recovery_code
    ADD CONSTRAINT recovery_code_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.recovery_code
    ADD CONSTRAINT recovery_code_user_id_code_hash_key UNIQUE (user_id, code_hash);

ALTER TABLE ONLY public.refund_order
    ADD CONSTRAINT refund_order_pkey PRIMARY KEY (id);

ALTER TABLE public.refund_order
    ADD CONSTRAINT refund_order_subsidy CHECK (((subsidy_fen >= 0) AND ((subsidy_fen > 0) = (subsidies IS NOT NULL)))) NOT VALID;

ALTER TABLE ONLY public.refund_policy
    ADD CONSTRAINT refund_policy_pkey PRIMARY KEY (organise_id);

ALTER TABLE ONLY public.region
    ADD CONSTRAINT region_pkey PRIMARY KEY (adcode);

ALTER TABLE ONLY public.repair_ticket
    ADD CONSTRAINT repair_ticket_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.repair_ticket
    ADD CONSTRAINT repair_ticket_ticket_no_key UNIQUE (ticket_no);

ALTER TABLE ONLY public.resource
    ADD CONSTRAINT resource_code_key UNIQUE (code);

ALTER TABLE ONLY public.resource
    ADD CONSTRAINT resource_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.role
    ADD CONSTRAINT role_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.role_menu
    ADD CONSTRAINT role_menu_pkey PRIMARY KEY (role_id, menu_id);

ALTER TABLE ONLY public.role
    ADD CONSTRAINT role_organise_id_agent_id_site_id_name_key UNIQUE NULLS NOT DISTINCT (organise_id, agent_id, site_id, name);

ALTER TABLE ONLY public.role
    ADD CONSTRAINT role_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.role_resource
    ADD CONSTRAINT role_resource_pkey PRIMARY KEY (role_id, resource_id);

ALTER TABLE ONLY public.saved_view
    ADD CONSTRAINT saved_view_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.saved_view
    ADD CONSTRAINT saved_view_user_id_list_key_name_key UNIQUE (user_id, list_key, name);

ALTER TABLE ONLY public.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.screen_link
    ADD CONSTRAINT screen_link_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.screen_link
    ADD CONSTRAINT screen_link_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.site
    ADD CONSTRAINT site_code_once UNIQUE (organise_id, code);

ALTER TABLE ONLY public.site
    ADD CONSTRAINT site_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.site
    ADD CONSTRAINT site_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sms_code
    ADD CONSTRAINT sms_code_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sms_message
    ADD CONSTRAINT sms_message_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.stat_cohort_delta
    ADD CONSTRAINT stat_cohort_delta_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.stat_cohort
    ADD CONSTRAINT stat_cohort_pkey PRIMARY KEY (kind, organise_id, agent_id, site_id, month, cohort);

ALTER TABLE ONLY public.stat_day
    ADD CONSTRAINT stat_day_pkey PRIMARY KEY (kind, organise_id, agent_id, site_id, district, day, device_type_id);

ALTER TABLE ONLY public.stat_delta
    ADD CONSTRAINT stat_delta_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.stat_device_delta
    ADD CONSTRAINT stat_device_delta_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.stat_device
    ADD CONSTRAINT stat_device_pkey PRIMARY KEY (span, period, device_id, organise_id, agent_id, site_id, category_id);

ALTER TABLE ONLY public.stat_hour
    ADD CONSTRAINT stat_hour_pkey PRIMARY KEY (kind, organise_id, agent_id, site_id, district, hour, device_type_id);

ALTER TABLE ONLY public.stat_latest
    ADD CONSTRAINT stat_latest_pkey PRIMARY KEY (order_id);

ALTER TABLE ONLY public.stat_month
    ADD CONSTRAINT stat_month_pkey PRIMARY KEY (kind, organise_id, agent_id, site_id, district, month, device_type_id);

ALTER TABLE ONLY public.stat_now_delta
    ADD CONSTRAINT stat_now_delta_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.stat_now
    ADD CONSTRAINT stat_now_pkey PRIMARY KEY (kind, organise_id, agent_id, site_id, district, device_type_id);

ALTER TABLE ONLY public.stat_outage_delta
    ADD CONSTRAINT stat_outage_delta_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.stat_outage
    ADD CONSTRAINT stat_outage_pkey PRIMARY KEY (kind, organise_id, agent_id, site_id, hour, device_type_id);

ALTER TABLE ONLY public.stored_card
    ADD CONSTRAINT stored_card_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.stored_card
    ADD CONSTRAINT stored_card_organise_id_card_no_key UNIQUE (organise_id, card_no);

ALTER TABLE ONLY public.stored_card
    ADD CONSTRAINT stored_card_organise_id_chip_no_key UNIQUE (organise_id, chip_no);

ALTER TABLE ONLY public.stored_card
    ADD CONSTRAINT stored_card_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.stored_file
    ADD CONSTRAINT stored_file_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.stored_file
    ADD CONSTRAINT stored_file_object_key_key UNIQUE (object_key);

ALTER TABLE ONLY public.stored_file
    ADD CONSTRAINT stored_file_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.supplier
    ADD CONSTRAINT supplier_code_key UNIQUE (code);

ALTER TABLE ONLY public.supplier
    ADD CONSTRAINT supplier_name_key UNIQUE (name);

ALTER TABLE ONLY public.supplier
    ADD CONSTRAINT supplier_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tariff
    ADD CONSTRAINT tariff_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.tariff_lab
    ADD CONSTRAINT tariff_lab_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tariff
    ADD CONSTRAINT tariff_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tariff_push_due
    ADD CONSTRAINT tariff_push_due_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tariff_push
    ADD CONSTRAINT tariff_push_pkey PRIMARY KEY (device_id);

ALTER TABLE ONLY public.tariff_version
    ADD CONSTRAINT tariff_version_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.tariff_version
    ADD CONSTRAINT tariff_version_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tariff_version
    ADD CONSTRAINT tariff_version_tariff_id_no_key UNIQUE (tariff_id, no);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_id_organise_id_key UNIQUE (id, organise_id);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_organise_id_employee_no_key UNIQUE (organise_id, employee_no);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.user_password_history
    ADD CONSTRAINT user_password_history_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.user_role
    ADD CONSTRAINT user_role_pkey PRIMARY KEY (user_id, role_id);

ALTER TABLE ONLY public.whitelist_entry
    ADD CONSTRAINT whitelist_entry_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.whitelist_use
    ADD CONSTRAINT whitelist_use_pkey PRIMARY KEY (order_id);

CREATE INDEX account_agent ON public.account USING btree (organise_id, agent_id, kind, owner_id) WHERE (agent_id IS NOT NULL);

CREATE INDEX account_day_day ON public.account_day USING btree (day);

CREATE INDEX account_kind ON public.account USING btree (kind, owner_id, organise_id);

CREATE INDEX account_site ON public.account USING btree (organise_id, site_id, kind, owner_id) WHERE (site_id IS NOT NULL);

CREATE INDEX agent_gone ON public.agent USING btree (organise_id, id) WHERE (deleted_at IS NOT NULL);

CREATE INDEX agent_list ON public.agent USING btree (organise_id, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX agent_parent ON public.agent USING btree (parent_agent_id);

CREATE INDEX agent_recent ON public.agent USING btree (id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX agent_tops ON public.agent USING btree (organise_id, id) WHERE ((parent_agent_id IS NULL) AND (deleted_at IS NULL));

CREATE INDEX alarm_attempt_alarm ON public.alarm_attempt USING btree (alarm_id, id DESC);

CREATE INDEX alarm_closing ON public.alarm USING btree (close_at) WHERE ((status < 3) AND (close_at IS NOT NULL));

CREATE INDEX alarm_device ON public.alarm USING btree (device_id, kind, port_no, last_at DESC);

CREATE INDEX alarm_find ON public.alarm USING btree (organise_id, device_no);

CREATE INDEX alarm_incident ON public.alarm USING btree (incident_id) WHERE (incident_id IS NOT NULL);

CREATE INDEX alarm_list ON public.alarm USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE UNIQUE INDEX alarm_open ON public.alarm USING btree (device_id, port_no, kind) WHERE (status < 3);

CREATE INDEX alarm_open_at_site ON public.alarm USING btree (site_id, severity) WHERE (status < 3);

CREATE INDEX alarm_signal_due ON public.alarm_signal USING btree (due_at, id);

CREATE UNIQUE INDEX alarm_signal_key ON public.alarm_signal USING btree (device_id, kind, port_no, key) WHERE (key IS NOT NULL);

CREATE INDEX alarm_told ON public.alarm USING btree (organise_id, told_at DESC) WHERE (told_at IS NOT NULL);

CREATE INDEX alarm_unclosed ON public.alarm USING btree (organise_id, site_id, severity, id) INCLUDE (agent_id, first_at) WHERE (status < 3);

CREATE INDEX alarm_ungrouped ON public.alarm USING btree (organise_id, kind, created_at) WHERE ((status < 3) AND (incident_id IS NULL));

CREATE INDEX alarm_untold ON public.alarm USING btree (organise_id) WHERE ((status < 3) AND (told_at IS NULL));

CREATE INDEX alarm_waiting ON public.alarm USING btree (organise_id, kind, id) INCLUDE (agent_id, site_id) WHERE (status = 1);

CREATE INDEX alarm_worst ON public.alarm USING btree (organise_id, (
CASE
    WHEN (status < 3) THEN (4 - severity)
    ELSE 0
END) DESC, (
CASE
    WHEN (status < 3) THEN ('999999999999999999'::bigint - id)
    ELSE id
END) DESC) INCLUDE (agent_id, site_id);

CREATE INDEX alarm_worst_at_site ON public.alarm USING btree (site_id, (
CASE
    WHEN (status < 3) THEN (4 - severity)
    ELSE 0
END) DESC, (
CASE
    WHEN (status < 3) THEN ('999999999999999999'::bigint - id)
    ELSE id
END) DESC) WHERE (site_id IS NOT NULL);

CREATE INDEX alarm_worst_of_all ON public.alarm USING btree ((
CASE
    WHEN (status < 3) THEN (4 - severity)
    ELSE 0
END) DESC, (
CASE
    WHEN (status < 3) THEN ('999999999999999999'::bigint - id)
    ELSE id
END) DESC);

CREATE INDEX alipay_attempt_invite ON public.alipay_attempt USING btree (invite_id, id DESC);

CREATE UNIQUE INDEX alipay_attempt_open ON public.alipay_attempt USING btree (invite_id) WHERE (status = 1);

CREATE UNIQUE INDEX alipay_invite_one ON public.alipay_invite USING btree (organise_id) WHERE ((revoked_at IS NULL) AND (used_at IS NULL));

CREATE INDEX attribute_template_item_attribute ON public.attribute_template_item USING btree (platform_attribute_id);

CREATE INDEX audit_log_chain ON ONLY public.audit_log USING btree (organise_id, seq);

CREATE INDEX audit_log_list ON ONLY public.audit_log USING btree (organise_id, at DESC, id DESC);

CREATE INDEX audit_log_recent ON ONLY public.audit_log USING btree (at DESC, id DESC);

CREATE INDEX audit_log_user ON ONLY public.audit_log USING btree (user_id, at DESC);

CREATE INDEX balance_adjustment_day ON public.balance_adjustment USING btree (organise_id, created_at) WHERE (direction = 1);

CREATE INDEX balance_adjustment_list ON public.balance_adjustment USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX balance_adjustment_member ON public.balance_adjustment USING btree (member_id, id DESC);

CREATE INDEX balance_adjustment_picture ON public.balance_adjustment USING btree (picture_id) WHERE (picture_id IS NOT NULL);

CREATE INDEX balance_adjustment_site ON public.balance_adjustment USING btree (organise_id, site_id) WHERE (site_id IS NOT NULL);

CREATE INDEX balance_adjustment_waiting ON public.balance_adjustment USING btree (organise_id, id) WHERE (status = 1);

CREATE INDEX batch_item_failed ON public.batch_item USING btree (job_id, seq) WHERE (status = 2);

CREATE INDEX batch_item_running ON public.batch_item USING btree (job_id, seq) WHERE (status = 4);

CREATE INDEX batch_item_waiting ON public.batch_item USING btree (job_id, seq) WHERE (status = 0);

CREATE INDEX batch_job_held ON public.batch_job USING btree (organise_id, id DESC) WHERE (status = 7);

CREATE INDEX batch_job_own ON public.batch_job USING btree (user_id, id DESC);

CREATE INDEX batch_job_running ON public.batch_job USING btree (updated_at) WHERE (status = ANY (ARRAY[1, 2]));

CREATE INDEX captcha_expiry ON public.captcha USING btree (expires_at);

CREATE INDEX card_replacement_card ON public.card_replacement USING btree (card_id);

CREATE UNIQUE INDEX card_replacement_card_no ON public.card_replacement USING btree (organise_id, new_card_no) WHERE (status = 1);

CREATE UNIQUE INDEX card_replacement_chip_no ON public.card_replacement USING btree (organise_id, new_chip_no) WHERE (status = 1);

CREATE UNIQUE INDEX card_replacement_waiting ON public.card_replacement USING btree (card_id) WHERE (status = 1);

CREATE INDEX card_step_card ON public.card_step USING btree (card_id, id DESC);

CREATE INDEX card_swipe_card ON ONLY public.card_swipe USING btree (card_id, id DESC) WHERE (card_id IS NOT NULL);

CREATE INDEX card_swipe_key ON ONLY public.card_swipe USING btree (device_id, swipe_key);

CREATE INDEX card_swipe_list ON ONLY public.card_swipe USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX channel_bill_day ON public.channel_bill USING btree (merchant_id, day, id DESC);

CREATE INDEX channel_bill_line_pay ON ONLY public.channel_bill_line USING btree (bill_id, pay_no);

CREATE INDEX channel_bill_line_refund ON ONLY public.channel_bill_line USING btree (bill_id, refund_no) WHERE (refund_no IS NOT NULL);

CREATE INDEX charge_news_device ON public.charge_news USING btree (device_id, ord, id);

CREATE INDEX charging_order_agent ON ONLY public.charging_order USING btree (organise_id, agent_id, id DESC) INCLUDE (site_id);

CREATE INDEX charging_order_card ON ONLY public.charging_order USING btree (card_id, id DESC) WHERE (card_id IS NOT NULL);

CREATE INDEX charging_order_device ON ONLY public.charging_order USING btree (device_id, id DESC);

CREATE INDEX charging_order_list ON ONLY public.charging_order USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX charging_order_member ON ONLY public.charging_order USING btree (member_id, id DESC) WHERE (member_id IS NOT NULL);

CREATE INDEX charging_order_mode ON ONLY public.charging_order USING btree (organise_id, start_mode, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX charging_order_open ON ONLY public.charging_order USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id) WHERE (status = ANY (ARRAY[1, 2]));

CREATE INDEX charging_order_review ON ONLY public.charging_order USING btree (organise_id, id DESC) WHERE (status = 5);

CREATE INDEX charging_order_settled ON ONLY public.charging_order USING btree (organise_id, settled_at) WHERE (settled_at IS NOT NULL);

CREATE INDEX charging_order_site ON ONLY public.charging_order USING btree (organise_id, site_id, id DESC) INCLUDE (agent_id);

CREATE INDEX charging_order_status ON ONLY public.charging_order USING btree (organise_id, status, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX charging_order_type ON ONLY public.charging_order USING btree (organise_id, device_type_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX coupon_agent ON public.coupon USING btree (organise_id, agent_id, id);

CREATE INDEX coupon_grant_agent ON public.coupon_grant USING btree (organise_id, agent_id, id);

CREATE INDEX coupon_grant_coupon ON public.coupon_grant USING btree (coupon_id, member_id);

CREATE INDEX coupon_grant_list ON public.coupon_grant USING btree (organise_id, id);

CREATE INDEX coupon_grant_member ON public.coupon_grant USING btree (member_id, id);

CREATE INDEX coupon_grant_site ON public.coupon_grant USING btree (organise_id, site_id, id);

CREATE INDEX coupon_grant_state ON public.coupon_grant USING btree (coupon_id, status);

CREATE INDEX coupon_list ON public.coupon USING btree (organise_id, id);

CREATE INDEX coupon_site ON public.coupon USING btree (organise_id, site_id, id);

CREATE INDEX credential_change_user ON public.credential_change USING btree (user_id, created_at);

CREATE INDEX department_organise ON public.department USING btree (organise_id, parent_id, id);

CREATE INDEX department_parent ON public.department USING btree (parent_id);

CREATE INDEX desk_shift_agent ON public.desk_shift USING btree (agent_id, organise_id) WHERE (agent_id IS NOT NULL);

CREATE INDEX desk_shift_clerk ON public.desk_shift USING btree (clerk_id, id DESC);

CREATE INDEX desk_shift_list ON public.desk_shift USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE UNIQUE INDEX desk_shift_open ON public.desk_shift USING btree (organise_id, clerk_id) WHERE (status = 1);

CREATE INDEX desk_shift_site ON public.desk_shift USING btree (site_id, organise_id) WHERE (site_id IS NOT NULL);

CREATE INDEX device_appointed ON public.device USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id) WHERE ((deleted_at IS NULL) AND (appointed_ports > 0));

CREATE INDEX device_by_agent ON public.device USING btree (organise_id, agent_id, id DESC) INCLUDE (site_id) WHERE (deleted_at IS NULL);

CREATE INDEX device_by_category ON public.device USING btree (organise_id, category_id, id DESC) INCLUDE (agent_id, site_id) WHERE (deleted_at IS NULL);

CREATE INDEX device_by_city ON public.device USING btree (organise_id, city_code, id DESC) INCLUDE (agent_id, site_id) WHERE (deleted_at IS NULL);

CREATE INDEX device_by_day ON public.device USING btree (organise_id, created_at) WHERE (deleted_at IS NULL);

CREATE INDEX device_by_district ON public.device USING btree (organise_id, district_code, id DESC) INCLUDE (agent_id, site_id) WHERE (deleted_at IS NULL);

CREATE INDEX device_by_install ON public.device USING btree (organise_id, install_status, id DESC) INCLUDE (agent_id, site_id) WHERE (deleted_at IS NULL);

CREATE INDEX device_by_online ON public.device USING btree (organise_id, online, id DESC) INCLUDE (agent_id, site_id, device_type_id, province_code, city_code, district_code) WHERE (deleted_at IS NULL);

CREATE INDEX device_by_province ON public.device USING btree (organise_id, province_code, id DESC) INCLUDE (agent_id, site_id) WHERE (deleted_at IS NULL);

CREATE INDEX device_by_service_status ON public.device USING btree (organise_id, service_status, id DESC) INCLUDE (agent_id, site_id) WHERE (deleted_at IS NULL);

CREATE INDEX device_by_site ON public.device USING btree (organise_id, site_id, id DESC) INCLUDE (agent_id) WHERE (deleted_at IS NULL);

CREATE INDEX device_by_small ON public.device USING btree (organise_id, small_category_id, id DESC) INCLUDE (agent_id, site_id) WHERE (deleted_at IS NULL);

CREATE INDEX device_by_status ON public.device USING btree (organise_id, status, id DESC) INCLUDE (agent_id, site_id) WHERE (deleted_at IS NULL);

CREATE INDEX device_by_tariff ON public.device USING btree (tariff_id) WHERE (tariff_id IS NOT NULL);

CREATE INDEX device_by_type ON public.device USING btree (organise_id, device_type_id, id DESC) INCLUDE (agent_id, site_id) WHERE (deleted_at IS NULL);

CREATE INDEX device_by_version ON public.device USING btree (organise_id, software_version, id DESC) INCLUDE (agent_id, site_id) WHERE (deleted_at IS NULL);

CREATE INDEX device_category_children ON public.device_category USING btree (parent_id, sort);

CREATE INDEX device_command_device ON ONLY public.device_command USING btree (device_id, id DESC);

CREATE INDEX device_command_job ON ONLY public.device_command USING btree (job_id, job_seq) WHERE ((job_id IS NOT NULL) AND (NOT superseded));

CREATE INDEX device_command_open ON ONLY public.device_command USING btree (expires_at) WHERE (status = ANY (ARRAY[1, 2]));

CREATE INDEX device_command_parked ON ONLY public.device_command USING btree (device_id) WHERE (status = 2);

CREATE INDEX device_command_queued ON ONLY public.device_command USING btree (id) WHERE (status = 1);

CREATE INDEX device_command_sent ON ONLY public.device_command USING btree (answer_by) WHERE (status = 3);

CREATE INDEX device_connected ON public.device USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id) WHERE ((deleted_at IS NULL) AND (connected_ports > 0));

CREATE INDEX device_credential_device ON public.device_credential USING btree (device_id);

CREATE UNIQUE INDEX device_credential_fingerprint ON public.device_credential USING btree (fingerprint);

CREATE INDEX device_credential_list ON public.device_credential USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE UNIQUE INDEX device_credential_password ON public.device_credential USING btree (device_id) WHERE ((kind = 'password'::text) AND (state <> 2));

CREATE INDEX device_credential_revoked ON public.device_credential USING btree (revoked_at) WHERE (state = 2);

CREATE INDEX device_dead_letter_waiting ON public.device_dead_letter USING btree (id DESC) WHERE (status = 1);

CREATE INDEX device_down ON public.device USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id) WHERE ((deleted_at IS NULL) AND (down_ports > 0));

CREATE INDEX device_event_device ON ONLY public.device_event USING btree (device_id, at DESC);

CREATE INDEX device_fault ON public.device USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id) WHERE ((deleted_at IS NULL) AND (fault_ports > 0));

CREATE INDEX device_find_iccid ON public.device USING btree (organise_id, iccid) WHERE (deleted_at IS NULL);

CREATE INDEX device_find_imei ON public.device USING btree (organise_id, imei) WHERE (deleted_at IS NULL);

CREATE INDEX device_find_name ON public.device USING btree (organise_id, name COLLATE "C") WHERE (deleted_at IS NULL);

CREATE INDEX device_find_no ON public.device USING btree (organise_id, device_no) WHERE (deleted_at IS NULL);

CREATE INDEX device_free ON public.device USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id) WHERE ((deleted_at IS NULL) AND (free_ports > 0));

CREATE UNIQUE INDEX device_iccid ON public.device USING btree (iccid) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX device_imei ON public.device USING btree (imei) WHERE (deleted_at IS NULL);

CREATE INDEX device_in_district ON public.device USING btree (district_code, id) WHERE (deleted_at IS NULL);

CREATE INDEX device_list ON public.device USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id, created_at) WHERE (deleted_at IS NULL);

CREATE INDEX device_message_device ON ONLY public.device_message USING btree (device_id, id DESC);

CREATE UNIQUE INDEX device_number ON public.device USING btree (device_no) WHERE (deleted_at IS NULL);

CREATE INDEX device_outage_offline ON public.device_outage USING btree (began_at DESC) INCLUDE (organise_id, agent_id, site_id) WHERE ((ended_at IS NULL) AND (cause = 1));

CREATE UNIQUE INDEX device_outage_open ON public.device_outage USING btree (device_id) WHERE (ended_at IS NULL);

CREATE INDEX device_outage_running ON public.device_outage USING btree (organise_id, agent_id, site_id) WHERE (ended_at IS NULL);

CREATE INDEX device_recent ON public.device USING btree (id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX device_service_due ON public.device USING btree (service_status, service_until) WHERE (deleted_at IS NULL);

CREATE INDEX device_service_order ON public.device USING btree (organise_id, service_until, id) INCLUDE (agent_id, site_id) WHERE (deleted_at IS NULL);

CREATE INDEX device_service_order_of_all ON public.device USING btree (service_until, id) WHERE (deleted_at IS NULL);

CREATE INDEX device_state_check ON public.device_state USING btree (check_at) WHERE (check_at IS NOT NULL);

CREATE INDEX device_type_category ON public.device_type USING btree (category_id, small_category_id);

CREATE INDEX device_type_protocol ON public.device_type USING btree (protocol_id);

CREATE INDEX device_type_set ON public.device_type USING btree (instruction_set_id);

CREATE INDEX device_type_template ON public.device_type USING btree (attribute_template_id);

CREATE INDEX device_unconfirmed ON public.device USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id) WHERE ((deleted_at IS NULL) AND (line_confirmed_at IS NULL));

CREATE INDEX device_warning ON public.device USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id) WHERE ((deleted_at IS NULL) AND (warning_ports > 0));

CREATE UNIQUE INDEX device_wire ON public.device USING btree (adapter, wire_id) WHERE (deleted_at IS NULL);

CREATE INDEX device_working ON public.device USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id) WHERE ((deleted_at IS NULL) AND (working_ports > 0));

CREATE INDEX download_expiry ON public.download USING btree (expires_at) WHERE (status = 2);

CREATE INDEX download_list ON public.download USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id) WHERE (deleted_at IS NULL);

CREATE INDEX download_own ON public.download USING btree (user_id, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX enterprise_refund_list ON public.enterprise_refund USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX enterprise_refund_member ON public.enterprise_refund USING btree (member_id, id DESC);

CREATE INDEX enterprise_refund_open ON public.enterprise_refund USING btree (organise_id, status, id) WHERE (finished_at IS NULL);

CREATE INDEX enterprise_refund_voucher ON public.enterprise_refund USING btree (voucher_id) WHERE (voucher_id IS NOT NULL);

CREATE INDEX entry_account ON ONLY public.entry USING btree (account_id, posted_at DESC, seq DESC);

CREATE INDEX entry_later ON ONLY public.entry USING btree (later) WHERE (later IS NOT NULL);

CREATE INDEX entry_ref ON ONLY public.entry USING btree (ref, organise_id);

CREATE UNIQUE INDEX factor_reset_pending ON public.factor_reset USING btree (user_id) WHERE (status = 0);

CREATE INDEX gift_lot_due ON public.gift_lot USING btree (member_id, ends_at) INCLUDE (organise_id) WHERE ((left_fen > 0) AND (ends_at IS NOT NULL));

CREATE INDEX gift_lot_member ON public.gift_lot USING btree (organise_id, member_id, ends_at, id);

CREATE INDEX help_document_list ON public.help_document USING btree (type, sort, id) WHERE (deleted_at IS NULL);

CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (created_at);

CREATE INDEX incident_list ON public.incident USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE UNIQUE INDEX incident_open ON public.incident USING btree (organise_id, kind, dimension, value) WHERE (status = 1);

CREATE INDEX ledger_block_from ON public.ledger_block USING btree (from_xid);

CREATE INDEX ledger_block_own ON public.ledger_block USING btree (organise_id, from_xid);

CREATE INDEX ledger_proof_day_day ON public.ledger_proof_day USING btree (day);

CREATE INDEX member_agent ON public.member USING btree (organise_id, agent_id, id DESC);

CREATE UNIQUE INDEX member_app_of_organise ON public.member_app USING btree (organise_id, app_id);

CREATE UNIQUE INDEX member_block_card ON public.member_block USING btree (organise_id, card_id) WHERE (lifted_at IS NULL);

CREATE INDEX member_block_list ON public.member_block USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE UNIQUE INDEX member_block_member ON public.member_block USING btree (organise_id, member_id) WHERE (lifted_at IS NULL);

CREATE INDEX member_block_of_member ON public.member_block USING btree (member_id) WHERE (member_id IS NOT NULL);

CREATE UNIQUE INDEX member_block_phone ON public.member_block USING btree (organise_id, phone) WHERE (lifted_at IS NULL);

CREATE INDEX member_block_site ON public.member_block USING btree (organise_id, site_id) WHERE (site_id IS NOT NULL);

CREATE INDEX member_disabled ON public.member USING btree (organise_id, id) WHERE (status = 0);

CREATE INDEX member_identity_agent ON public.member_identity USING btree (organise_id, agent_id, channel, linked_at DESC, id DESC) INCLUDE (site_id);

CREATE INDEX member_identity_all ON public.member_identity USING btree (channel, linked_at DESC, id DESC);

CREATE INDEX member_identity_app ON public.member_identity USING btree (app_id, linked_at DESC, id DESC);

CREATE INDEX member_identity_following ON public.member_identity USING btree (organise_id, following, linked_at DESC, id DESC) WHERE (channel = 1);

CREATE INDEX member_identity_list ON public.member_identity USING btree (organise_id, channel, linked_at DESC, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX member_identity_site ON public.member_identity USING btree (organise_id, site_id, channel, linked_at DESC, id DESC) INCLUDE (agent_id);

CREATE INDEX member_identity_union ON public.member_identity USING btree (organise_id, union_id) WHERE (union_id IS NOT NULL);

CREATE INDEX member_list ON public.member USING btree (organise_id, id DESC);

CREATE INDEX member_nickname ON public.member USING btree (organise_id, nickname);

CREATE INDEX member_nickname_all ON public.member USING btree (nickname);

CREATE UNIQUE INDEX member_phone ON public.member USING btree (organise_id, phone) WHERE (phone IS NOT NULL);

CREATE INDEX member_phone_all ON public.member USING btree (phone) WHERE (phone IS NOT NULL);

CREATE INDEX member_plan_due ON public.member_plan USING btree (id) WHERE (income_fen < price_fen);

CREATE INDEX member_plan_list ON public.member_plan USING btree (organise_id, id DESC);

CREATE INDEX member_plan_member ON public.member_plan USING btree (member_id, to_on);

CREATE INDEX member_plan_version ON public.member_plan USING btree (version_id);

CREATE INDEX member_site ON public.member USING btree (organise_id, site_id, id DESC);

CREATE INDEX menu_parent ON public.menu USING btree (parent_id, sort, id);

CREATE INDEX message_replay_device ON public.message_replay USING btree (device_id, id DESC);

CREATE INDEX message_replay_due ON public.message_replay USING btree (next_at) WHERE (status = ANY (ARRAY[0, 1]));

CREATE UNIQUE INDEX message_replay_lane ON public.message_replay USING btree (lane) WHERE (status = 1);

CREATE INDEX message_replay_last ON public.message_replay USING btree (lane, last_id DESC);

CREATE UNIQUE INDEX message_replay_target ON public.message_replay USING btree (target_device_id) WHERE (status = ANY (ARRAY[0, 1]));

CREATE INDEX monthly_plan_agent ON public.monthly_plan USING btree (agent_id, organise_id) WHERE (agent_id IS NOT NULL);

CREATE INDEX monthly_plan_list ON public.monthly_plan USING btree (organise_id, id DESC);

CREATE INDEX monthly_plan_site ON public.monthly_plan USING btree (site_id, organise_id) WHERE (site_id IS NOT NULL);

CREATE INDEX notification_list ON public.notification USING btree (user_id, id DESC);

CREATE INDEX notification_unread ON public.notification USING btree (user_id) WHERE (read_at IS NULL);

CREATE UNIQUE INDEX offline_recharge_bank_ref ON public.offline_recharge USING btree (organise_id, bank_ref) WHERE ((bank_ref IS NOT NULL) AND (status = ANY (ARRAY[1, 2])));

CREATE INDEX offline_recharge_card ON public.offline_recharge USING btree (card_id, id DESC) WHERE (card_id IS NOT NULL);

CREATE INDEX offline_recharge_day ON public.offline_recharge USING btree (organise_id, created_at) WHERE (status = ANY (ARRAY[1, 2]));

CREATE INDEX offline_recharge_list ON public.offline_recharge USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX offline_recharge_member ON public.offline_recharge USING btree (member_id, id DESC) WHERE (member_id IS NOT NULL);

CREATE INDEX offline_recharge_of_shift ON public.offline_recharge USING btree (shift_id, id DESC) WHERE (shift_id IS NOT NULL);

CREATE INDEX offline_recharge_picture ON public.offline_recharge USING btree (picture_id) WHERE (picture_id IS NOT NULL);

CREATE UNIQUE INDEX offline_recharge_same_voucher ON public.offline_recharge USING btree (organise_id, picture_sha256) WHERE ((picture_sha256 IS NOT NULL) AND (status = ANY (ARRAY[1, 2])));

CREATE INDEX offline_recharge_site ON public.offline_recharge USING btree (organise_id, site_id) WHERE (site_id IS NOT NULL);

CREATE INDEX offline_recharge_waiting ON public.offline_recharge USING btree (organise_id, id) WHERE (status = 1);

CREATE INDEX open_app_of_organise ON public.open_app USING btree (organise_id, id DESC);

CREATE UNIQUE INDEX open_charge_card ON public.open_charge USING btree (card_id) WHERE (card_id IS NOT NULL);

CREATE INDEX open_charge_confirm ON public.open_charge USING btree (confirm_by) WHERE (confirm_by IS NOT NULL);

CREATE INDEX open_charge_end ON public.open_charge USING btree (end_by) WHERE (end_by IS NOT NULL);

CREATE INDEX open_charge_list ON public.open_charge USING btree (organise_id, order_id DESC);

CREATE INDEX open_charge_money ON public.open_charge USING btree (order_id) WHERE money_due;

CREATE INDEX open_charge_site ON public.open_charge USING btree (site_id, order_id DESC) WHERE (site_id IS NOT NULL);

CREATE INDEX operation_area_agent ON public.operation_area USING btree (agent_id);

CREATE INDEX operation_area_list ON public.operation_area USING btree (organise_id, id DESC);

CREATE INDEX operation_area_site_site ON public.operation_area_site USING btree (assigned_site_id);

CREATE INDEX operation_area_user_user ON public.operation_area_user USING btree (user_id);

CREATE INDEX organise_gone ON public.organise USING btree (id) WHERE (deleted_at IS NOT NULL);

CREATE INDEX organise_list ON public.organise USING btree (id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX outbox_waiting ON ONLY public.outbox USING btree (id) WHERE (published_at IS NULL);

CREATE INDEX passkey_user ON public.passkey USING btree (user_id);

CREATE UNIQUE INDEX pay_key_serial ON public.pay_key USING btree (merchant_id, serial, provider_key_id) WHERE (retired_at IS NULL);

CREATE INDEX pay_key_try ON public.pay_key USING btree (try_at) WHERE (try_at IS NOT NULL);

CREATE UNIQUE INDEX pay_merchant_default ON public.pay_merchant USING btree (organise_id, provider) WHERE (is_default AND (deleted_at IS NULL));

CREATE UNIQUE INDEX pay_merchant_no ON public.pay_merchant USING btree (organise_id, provider, merchant_no, COALESCE(sub_merchant_no, ''::text)) WHERE (deleted_at IS NULL);

CREATE INDEX pay_notice_ask ON public.pay_notice USING btree (ask_at) WHERE (ask_at IS NOT NULL);

CREATE INDEX pay_notice_pay ON public.pay_notice USING btree (merchant_id, pay_no);

CREATE INDEX pay_notice_problem ON public.pay_notice USING btree (organise_id, received_at DESC) WHERE (status = 3);

CREATE INDEX pay_notice_waiting ON public.pay_notice USING btree (received_at) WHERE (status = 1);

CREATE INDEX pay_order_agent ON ONLY public.pay_order USING btree (organise_id, agent_id, id DESC) INCLUDE (site_id);

CREATE INDEX pay_order_list ON ONLY public.pay_order USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX pay_order_look ON ONLY public.pay_order USING btree (look_at) WHERE (look_at IS NOT NULL);

CREATE INDEX pay_order_member ON ONLY public.pay_order USING btree (member_id, id DESC) WHERE (member_id IS NOT NULL);

CREATE INDEX pay_order_paid ON ONLY public.pay_order USING btree (merchant_id, paid_at) WHERE (paid_at IS NOT NULL);

CREATE INDEX pay_order_ref ON ONLY public.pay_order USING btree (ref_id) WHERE (ref_id IS NOT NULL);

CREATE INDEX pay_order_site ON ONLY public.pay_order USING btree (organise_id, site_id, id DESC) INCLUDE (agent_id);

CREATE INDEX pay_order_status ON ONLY public.pay_order USING btree (organise_id, status, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX pay_order_transaction ON ONLY public.pay_order USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);

CREATE INDEX pay_refund_arrived ON ONLY public.pay_refund USING btree (merchant_id, arrived_at) WHERE (arrived_at IS NOT NULL);

CREATE INDEX pay_refund_list ON ONLY public.pay_refund USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX pay_refund_look ON ONLY public.pay_refund USING btree (look_at) WHERE (look_at IS NOT NULL);

CREATE INDEX pay_refund_order ON ONLY public.pay_refund USING btree (pay_order_id);

CREATE INDEX pay_refund_ref ON ONLY public.pay_refund USING btree (ref_id);

CREATE INDEX personal_reveal_of_user ON public.personal_reveal USING btree (user_id, created_at);

CREATE INDEX plan_order_list ON public.plan_order USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX plan_order_member ON public.plan_order USING btree (member_id, plan_id, id DESC);

CREATE INDEX plan_order_sold ON public.plan_order USING btree (plan_id) WHERE (status = 2);

CREATE UNIQUE INDEX plan_use_open ON public.plan_use USING btree (pass_id) WHERE (ended_at IS NULL);

CREATE INDEX plan_use_pass ON public.plan_use USING btree (pass_id, used_on);

CREATE INDEX posting_xid ON ONLY public.posting USING btree (xid);

CREATE INDEX qr_batch_list ON public.qr_batch USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE UNIQUE INDEX qr_code_bound ON public.qr_code USING btree (device_id, kind, COALESCE((port_no)::integer, 0)) WHERE (device_id IS NOT NULL);

CREATE INDEX qr_code_by_batch ON public.qr_code USING btree (batch_no, id DESC);

CREATE INDEX qr_code_by_kind ON public.qr_code USING btree (organise_id, kind, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX qr_code_by_set ON public.qr_code USING btree (set_no);

CREATE INDEX qr_code_list ON public.qr_code USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX qr_suspicion_list ON public.qr_suspicion USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE UNIQUE INDEX qr_suspicion_open ON public.qr_suspicion USING btree (code_id, likely_device_id) WHERE (state = 0);

CREATE INDEX recharge_order_agent ON ONLY public.recharge_order USING btree (organise_id, agent_id, id DESC) INCLUDE (site_id);

CREATE INDEX recharge_order_card ON ONLY public.recharge_order USING btree (card_id, id DESC) WHERE (card_id IS NOT NULL);

CREATE INDEX recharge_order_list ON ONLY public.recharge_order USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX recharge_order_member ON ONLY public.recharge_order USING btree (member_id, id DESC) WHERE (member_id IS NOT NULL);

CREATE INDEX recharge_order_site ON ONLY public.recharge_order USING btree (organise_id, site_id, id DESC) INCLUDE (agent_id);

CREATE INDEX recharge_order_status ON ONLY public.recharge_order USING btree (organise_id, status, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX recharge_plan_list ON public.recharge_plan USING btree (organise_id, id DESC);

CREATE INDEX recharge_refund_agent ON public.recharge_refund USING btree (organise_id, agent_id, id DESC) INCLUDE (site_id);

CREATE INDEX recharge_refund_list ON public.recharge_refund USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX recharge_refund_member ON public.recharge_refund USING btree (member_id, id DESC);

CREATE INDEX recharge_refund_open ON public.recharge_refund USING btree (organise_id, status, id) WHERE (finished_at IS NULL);

CREATE INDEX recharge_refund_recharge ON public.recharge_refund USING btree (recharge_id);

CREATE INDEX recharge_refund_site ON public.recharge_refund USING btree (organise_id, site_id, id DESC) INCLUDE (agent_id);

CREATE UNIQUE INDEX recharge_tier_of_plan ON public.recharge_tier USING btree (plan_id, pay_fen) WHERE (plan_id IS NOT NULL);

CREATE UNIQUE INDEX recharge_tier_one ON public.recharge_tier USING btree (organise_id, pay_fen) WHERE (status = 1);

CREATE INDEX recon_break_list ON public.recon_break USING btree (organise_id, id DESC);

CREATE INDEX recon_break_open ON public.recon_break USING btree (organise_id) WHERE (status = 1);

CREATE INDEX recon_break_owner ON public.recon_break USING btree (owner_id, id DESC) WHERE (owner_id IS NOT NULL);

CREATE INDEX recon_repair_break ON public.recon_repair USING btree (break_id, id);

CREATE UNIQUE INDEX recon_repair_waiting ON public.recon_repair USING btree (break_id) WHERE (status = 1);

CREATE INDEX recon_run_day ON public.recon_run USING btree (day DESC, id DESC);

CREATE INDEX recon_run_list ON public.recon_run USING btree (organise_id, day DESC, id DESC);

CREATE INDEX refund_order_agent ON public.refund_order USING btree (organise_id, agent_id, id DESC) INCLUDE (site_id);

CREATE INDEX refund_order_list ON public.refund_order USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX refund_order_member ON public.refund_order USING btree (member_id, id DESC) WHERE (member_id IS NOT NULL);

CREATE INDEX refund_order_order ON public.refund_order USING btree (order_id);

CREATE INDEX refund_order_site ON public.refund_order USING btree (organise_id, site_id, id DESC) INCLUDE (agent_id);

CREATE INDEX refund_order_waiting ON public.refund_order USING btree (organise_id, id) WHERE (status = 1);

CREATE INDEX region_children ON public.region USING btree (parent_adcode, sort);

CREATE UNIQUE INDEX repair_ticket_alarm ON public.repair_ticket USING btree (alarm_id) WHERE (status = 2);

CREATE INDEX repair_ticket_device ON public.repair_ticket USING btree (device_id, id DESC);

CREATE INDEX repair_ticket_find ON public.repair_ticket USING btree (organise_id, device_no);

CREATE INDEX repair_ticket_list ON public.repair_ticket USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX repair_ticket_mine ON public.repair_ticket USING btree (assignee_id, id DESC) WHERE (assignee_id IS NOT NULL);

CREATE INDEX repair_ticket_of_alarm ON public.repair_ticket USING btree (alarm_id, id DESC) WHERE (alarm_id IS NOT NULL);

CREATE INDEX repair_ticket_open ON public.repair_ticket USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id) WHERE (status = 2);

CREATE INDEX repair_ticket_open_at_site ON public.repair_ticket USING btree (site_id) WHERE (status = 2);

CREATE INDEX resource_menu ON public.resource USING btree (menu_id, action);

CREATE INDEX role_organise ON public.role USING btree (organise_id, id DESC);

CREATE UNIQUE INDEX saved_view_default ON public.saved_view USING btree (user_id, list_key) WHERE is_default;

CREATE INDEX saved_view_shared ON public.saved_view USING btree (organise_id, list_key) WHERE shared;

CREATE INDEX screen_link_list ON public.screen_link USING btree (organise_id, id DESC);

CREATE INDEX session_of_user ON public.session USING btree (user_id) WHERE (ended_at IS NULL);

CREATE INDEX site_by_agent ON public.site USING btree (organise_id, agent_id, id DESC) INCLUDE (type, status) WHERE (deleted_at IS NULL);

CREATE INDEX site_by_city ON public.site USING btree (organise_id, city_code, id DESC) INCLUDE (agent_id, type, status) WHERE (deleted_at IS NULL);

CREATE INDEX site_by_district ON public.site USING btree (organise_id, district_code, id DESC) INCLUDE (agent_id, type, status) WHERE (deleted_at IS NULL);

CREATE INDEX site_by_province ON public.site USING btree (organise_id, province_code, id DESC) INCLUDE (agent_id, type, status) WHERE (deleted_at IS NULL);

CREATE INDEX site_by_status ON public.site USING btree (organise_id, status, id DESC) INCLUDE (agent_id, type) WHERE (deleted_at IS NULL);

CREATE INDEX site_by_tariff ON public.site USING btree (tariff_id) WHERE (tariff_id IS NOT NULL);

CREATE INDEX site_by_type ON public.site USING btree (organise_id, type, id DESC) INCLUDE (agent_id, status) WHERE (deleted_at IS NULL);

CREATE INDEX site_gone ON public.site USING btree (organise_id, id) INCLUDE (agent_id) WHERE (deleted_at IS NOT NULL);

CREATE INDEX site_in_district ON public.site USING btree (district_code, id);

CREATE INDEX site_list ON public.site USING btree (organise_id, id DESC) INCLUDE (agent_id) WHERE (deleted_at IS NULL);

CREATE INDEX site_name_tail_all ON public.site_name_tail USING btree (tail) INCLUDE (organise_id, agent_id, site_id);

CREATE UNIQUE INDEX site_name_tail_own ON public.site_name_tail USING btree (organise_id, tail, site_id) INCLUDE (agent_id);

CREATE INDEX site_name_tail_site ON public.site_name_tail USING btree (site_id);

CREATE INDEX site_recent ON public.site USING btree (id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX sms_code_phone ON public.sms_code USING btree (phone, purpose, id DESC);

CREATE INDEX sms_message_phone ON public.sms_message USING btree (phone, created_at DESC);

CREATE INDEX sms_message_waiting ON public.sms_message USING btree (id) WHERE (status = 0);

CREATE INDEX stat_cohort_ranking ON public.stat_cohort USING btree (kind, month);

CREATE INDEX stat_day_ranking ON public.stat_day USING btree (kind, day, district);

CREATE INDEX stat_day_regions ON public.stat_day USING btree (organise_id, kind, day) WHERE (kind = ANY (ARRAY[2, 8, 9]));

CREATE INDEX stat_day_site ON public.stat_day USING btree (site_id, day) WHERE (kind = 5);

CREATE INDEX stat_day_sites ON public.stat_day USING btree (organise_id, day) WHERE (kind = 5);

CREATE INDEX stat_device_agent ON public.stat_device USING btree (organise_id, agent_id, span, period, category_id, turnover_fen DESC, device_id);

CREATE INDEX stat_device_all ON public.stat_device USING btree (span, period, category_id, turnover_fen DESC, device_id);

CREATE INDEX stat_device_area ON public.stat_device USING btree (organise_id, district, span, period, category_id, turnover_fen DESC, device_id);

CREATE INDEX stat_device_district ON public.stat_device USING btree (district, span, period, category_id, turnover_fen DESC, device_id);

CREATE INDEX stat_device_organise ON public.stat_device USING btree (organise_id, span, period, category_id, turnover_fen DESC, device_id);

CREATE INDEX stat_device_site ON public.stat_device USING btree (organise_id, site_id, span, period, category_id, turnover_fen DESC, device_id);

CREATE INDEX stat_hour_ranking ON public.stat_hour USING btree (kind, hour);

CREATE INDEX stat_latest_agent ON public.stat_latest USING btree (organise_id, agent_id, category_id, settled_at DESC, order_id DESC);

CREATE INDEX stat_latest_all ON public.stat_latest USING btree (category_id, settled_at DESC, order_id DESC);

CREATE INDEX stat_latest_area ON public.stat_latest USING btree (organise_id, district, category_id, settled_at DESC, order_id DESC);

CREATE INDEX stat_latest_district ON public.stat_latest USING btree (district, category_id, settled_at DESC, order_id DESC);

CREATE INDEX stat_latest_fresh ON public.stat_latest USING btree (order_id) WHERE fresh;

CREATE INDEX stat_latest_organise ON public.stat_latest USING btree (organise_id, category_id, settled_at DESC, order_id DESC);

CREATE INDEX stat_latest_site ON public.stat_latest USING btree (organise_id, site_id, category_id, settled_at DESC, order_id DESC);

CREATE INDEX stat_month_ranking ON public.stat_month USING btree (kind, month, district);

CREATE INDEX stat_month_regions ON public.stat_month USING btree (organise_id, kind, month) WHERE (kind = ANY (ARRAY[2, 8, 9]));

CREATE INDEX stat_month_sites ON public.stat_month USING btree (organise_id, month) WHERE (kind = 5);

CREATE INDEX stat_now_members ON public.stat_now USING btree (kind, district) WHERE (device_type_id = 0);

CREATE INDEX stat_now_site ON public.stat_now USING btree (site_id) WHERE (kind = 5);

CREATE INDEX stored_card_list ON public.stored_card USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id);

CREATE INDEX stored_card_member ON public.stored_card USING btree (member_id) WHERE (member_id IS NOT NULL);

CREATE UNIQUE INDEX stored_card_replaced_by_id ON public.stored_card USING btree (replaced_by_id) WHERE (replaced_by_id IS NOT NULL);

CREATE INDEX stored_card_site ON public.stored_card USING btree (organise_id, site_id) WHERE (site_id IS NOT NULL);

CREATE INDEX stored_file_own ON public.stored_file USING btree (user_id, id DESC);

CREATE INDEX stored_file_stray ON public.stored_file USING btree (created_at) WHERE ((kind = 'picture'::text) AND (NOT attached));

CREATE INDEX tariff_lab_list ON public.tariff_lab USING btree (tariff_id, id DESC);

CREATE INDEX tariff_list ON public.tariff USING btree (organise_id, id DESC);

CREATE UNIQUE INDEX tariff_name ON public.tariff USING btree (organise_id, name) WHERE (deleted_at IS NULL);

CREATE INDEX tariff_push_failed ON public.tariff_push USING btree (updated_at) WHERE (state = 4);

CREATE INDEX tariff_push_to_send ON public.tariff_push USING btree (updated_at) WHERE (state = 1);

CREATE INDEX tariff_push_version ON public.tariff_push USING btree (version_id, state);

CREATE UNIQUE INDEX tariff_version_draft ON public.tariff_version USING btree (tariff_id) WHERE (state = 0);

CREATE INDEX tariff_version_due ON public.tariff_version USING btree (effective_at) WHERE (state = 1);

CREATE UNIQUE INDEX tariff_version_in_force ON public.tariff_version USING btree (tariff_id) WHERE (state = 2);

CREATE UNIQUE INDEX tariff_version_scheduled ON public.tariff_version USING btree (tariff_id) WHERE (state = 1);

CREATE INDEX user_account_department ON public.user_account USING btree (department_id) WHERE (deleted_at IS NULL);

CREATE INDEX user_account_list ON public.user_account USING btree (organise_id, id DESC) INCLUDE (agent_id, site_id) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX user_account_login_name_key ON public.user_account USING btree (login_name) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX user_account_phone_key ON public.user_account USING btree (phone) WHERE (deleted_at IS NULL);

CREATE INDEX user_password_history_user ON public.user_password_history USING btree (user_id, id DESC);

CREATE INDEX user_role_role ON public.user_role USING btree (role_id);

CREATE INDEX whitelist_entry_agent ON public.whitelist_entry USING btree (organise_id, agent_id, id);

CREATE INDEX whitelist_entry_card ON public.whitelist_entry USING btree (card_id) WHERE (card_id IS NOT NULL);

CREATE INDEX whitelist_entry_phone ON public.whitelist_entry USING btree (organise_id, phone) WHERE (phone IS NOT NULL);

CREATE INDEX whitelist_entry_site ON public.whitelist_entry USING btree (organise_id, site_id, id);

CREATE INDEX whitelist_use_entry ON public.whitelist_use USING btree (entry_id, used_on) WHERE (returned_at IS NULL);

CREATE STATISTICS public.stat_day_place (dependencies, mcv) ON kind, organise_id, agent_id, district FROM public.stat_day;

CREATE STATISTICS public.stat_hour_place (dependencies, mcv) ON kind, organise_id, agent_id, district FROM public.stat_hour;

CREATE STATISTICS public.stat_month_place (dependencies, mcv) ON kind, organise_id, agent_id, district FROM public.stat_month;

CREATE TRIGGER add_months_changed AFTER UPDATE ON public.stat_day REFERENCING OLD TABLE AS was NEW TABLE AS is_now FOR EACH STATEMENT EXECUTE FUNCTION app.add_months();

CREATE TRIGGER add_months_gone AFTER DELETE ON public.stat_day REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION app.add_months();

CREATE TRIGGER add_months_made AFTER INSERT ON public.stat_day REFERENCING NEW TABLE AS is_now FOR EACH STATEMENT EXECUTE FUNCTION app.add_months();

CREATE TRIGGER alarms_follow AFTER UPDATE ON public.device FOR EACH ROW WHEN (((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.agent_id IS DISTINCT FROM new.agent_id)) OR (old.site_id IS DISTINCT FROM new.site_id)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION app.alarms_follow_device();

CREATE TRIGGER attributes_follow AFTER UPDATE ON public.device FOR EACH ROW WHEN ((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.agent_id IS DISTINCT FROM new.agent_id)) OR (old.site_id IS DISTINCT FROM new.site_id))) EXECUTE FUNCTION app.attributes_follow();

CREATE TRIGGER balanced AFTER INSERT ON public.entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_unbalanced();

CREATE TRIGGER capture_cancelled AFTER UPDATE ON public.device_command FOR EACH ROW WHEN (((new.status = 8) AND (old.status <> 8))) EXECUTE FUNCTION app.capture_device();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.agent FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.alarm FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.alarm_default FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.alarm_rule FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.alipay_invite FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.attribute_template FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.attribute_template_item FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.balance_adjustment FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.card_replacement FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.card_step FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.charging_order FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.coupon FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.coupon_grant FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.credential_change FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.department FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.department_menu FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.desk_shift FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.device FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.device_attribute FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.device_category FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.device_credential FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.device_dead_letter FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.device_type FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.device_type_key FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.dtu_protocol FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.enterprise_refund FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.factor_reset FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.help_document FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.instruction FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.instruction_set FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.member FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.member_app FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.member_block FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.menu FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.message_replay FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.monthly_plan FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.monthly_plan_version FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.notification_preference FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.offline_recharge FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.open_app FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.operation_area FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.operation_area_site FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.operation_area_user FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.organise FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.organise_base_service FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.passkey FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.pay_key FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.pay_merchant FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.personal_reveal FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.platform_attribute FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.qr_batch FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.qr_code FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.qr_suspicion FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.recharge_plan FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.recharge_refund FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.recharge_tier FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.recon_break FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.recon_repair FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.recovery_code FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.refund_order FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.refund_policy FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.repair_ticket FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.resource FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.role FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.role_menu FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.role_resource FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.saved_view FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.screen_link FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.site FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.stored_card FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.supplier FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.tariff FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.tariff_version FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.user_account FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.user_role FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_change AFTER INSERT OR DELETE OR UPDATE ON public.whitelist_entry FOR EACH ROW EXECUTE FUNCTION app.capture_change();

CREATE TRIGGER capture_given AFTER INSERT ON public.device_command FOR EACH ROW EXECUTE FUNCTION app.capture_device();

CREATE TRIGGER capture_switched AFTER UPDATE OF enabled ON public.port FOR EACH ROW WHEN ((old.enabled IS DISTINCT FROM new.enabled)) EXECUTE FUNCTION app.capture_device();

CREATE TRIGGER codes_follow AFTER UPDATE ON public.device FOR EACH ROW WHEN (((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.agent_id IS DISTINCT FROM new.agent_id)) OR (old.site_id IS DISTINCT FROM new.site_id)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION app.codes_follow_device();

CREATE TRIGGER count_activity_ended AFTER UPDATE OF status ON public.charging_order FOR EACH ROW WHEN (((new.status = 3) AND (old.status <> 3) AND (new.member_id IS NOT NULL))) EXECUTE FUNCTION app.count_activity();

CREATE TRIGGER count_activity_made AFTER INSERT ON public.charging_order FOR EACH ROW WHEN (((new.status = 3) AND (new.member_id IS NOT NULL))) EXECUTE FUNCTION app.count_activity();

CREATE TRIGGER count_devices_changed AFTER UPDATE ON public.device REFERENCING OLD TABLE AS was NEW TABLE AS is_now FOR EACH STATEMENT EXECUTE FUNCTION app.count_devices();

CREATE TRIGGER count_devices_made AFTER INSERT ON public.device REFERENCING NEW TABLE AS is_now FOR EACH STATEMENT EXECUTE FUNCTION app.count_devices();

CREATE TRIGGER count_faults AFTER INSERT ON public.alarm REFERENCING NEW TABLE AS raised FOR EACH STATEMENT EXECUTE FUNCTION app.count_faults();

CREATE TRIGGER count_member_made AFTER INSERT ON public.member FOR EACH ROW EXECUTE FUNCTION app.count_member();

CREATE TRIGGER count_member_moved AFTER UPDATE OF organise_id, agent_id, site_id, registered_at ON public.member FOR EACH ROW WHEN (((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.agent_id IS DISTINCT FROM new.agent_id)) OR (old.site_id IS DISTINCT FROM new.site_id)) OR (old.registered_at IS DISTINCT FROM new.registered_at))) EXECUTE FUNCTION app.count_member();

CREATE TRIGGER count_order_ended AFTER UPDATE OF status ON public.charging_order FOR EACH ROW WHEN (((new.status = ANY (ARRAY[3, 4])) AND (old.status <> new.status))) EXECUTE FUNCTION app.count_order();

CREATE TRIGGER count_order_made AFTER INSERT ON public.charging_order FOR EACH ROW WHEN ((new.status = ANY (ARRAY[3, 4]))) EXECUTE FUNCTION app.count_order();

CREATE TRIGGER count_outage_ended AFTER UPDATE OF ended_at ON public.device_outage FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION app.count_outage();

CREATE TRIGGER count_outage_made AFTER INSERT ON public.device_outage FOR EACH ROW EXECUTE FUNCTION app.count_outage();

CREATE TRIGGER count_recharge_made AFTER INSERT ON public.recharge_order FOR EACH ROW WHEN ((new.status = 2)) EXECUTE FUNCTION app.count_recharge();

CREATE TRIGGER count_recharge_paid AFTER UPDATE OF status ON public.recharge_order FOR EACH ROW WHEN (((new.status = 2) AND (old.status <> 2))) EXECUTE FUNCTION app.count_recharge();

CREATE TRIGGER count_refund_arrived AFTER UPDATE OF status ON public.pay_refund FOR EACH ROW WHEN (((new.status = 3) AND (old.status <> 3) AND (new.purpose = 1))) EXECUTE FUNCTION app.count_recharge_refund();

CREATE TRIGGER count_refund_decided AFTER UPDATE OF status ON public.refund_order FOR EACH ROW WHEN (((new.status = ANY (ARRAY[2, 4])) AND (old.status = 1))) EXECUTE FUNCTION app.count_refund();

CREATE TRIGGER count_refund_made AFTER INSERT ON public.pay_refund FOR EACH ROW WHEN (((new.status = 3) AND (new.purpose = 1))) EXECUTE FUNCTION app.count_recharge_refund();

CREATE TRIGGER count_refund_made AFTER INSERT ON public.refund_order FOR EACH ROW WHEN ((new.status = ANY (ARRAY[2, 4]))) EXECUTE FUNCTION app.count_refund();

CREATE TRIGGER count_service_changed AFTER UPDATE ON public.device REFERENCING OLD TABLE AS was NEW TABLE AS is_now FOR EACH STATEMENT EXECUTE FUNCTION app.count_service();

CREATE TRIGGER count_service_made AFTER INSERT ON public.device REFERENCING NEW TABLE AS is_now FOR EACH STATEMENT EXECUTE FUNCTION app.count_service();

CREATE TRIGGER credentials_follow AFTER UPDATE ON public.device FOR EACH ROW WHEN (((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.agent_id IS DISTINCT FROM new.agent_id)) OR (old.site_id IS DISTINCT FROM new.site_id)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION app.credentials_follow_device();

CREATE TRIGGER device_barred AFTER INSERT OR UPDATE OF state ON public.device_credential FOR EACH ROW EXECUTE FUNCTION app.device_barred();

CREATE TRIGGER device_copies BEFORE INSERT OR UPDATE OF site_id, device_type_id ON public.device FOR EACH ROW EXECUTE FUNCTION app.device_copies();

CREATE TRIGGER device_parts_added AFTER INSERT ON public.device FOR EACH ROW EXECUTE FUNCTION app.device_parts();

CREATE TRIGGER device_parts_moved AFTER UPDATE ON public.device FOR EACH ROW WHEN (((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.agent_id IS DISTINCT FROM new.agent_id)) OR (old.site_id IS DISTINCT FROM new.site_id)) OR (old.port_count IS DISTINCT FROM new.port_count))) EXECUTE FUNCTION app.device_parts();

CREATE TRIGGER device_service BEFORE INSERT OR UPDATE OF service_until ON public.device FOR EACH ROW EXECUTE FUNCTION app.device_service();

CREATE TRIGGER devices_follow AFTER UPDATE ON public.site FOR EACH ROW WHEN (((((old.province_code IS DISTINCT FROM new.province_code) OR (old.city_code IS DISTINCT FROM new.city_code)) OR (old.district_code IS DISTINCT FROM new.district_code)) OR (old.agent_id IS DISTINCT FROM new.agent_id))) EXECUTE FUNCTION app.devices_follow_site();

CREATE TRIGGER guard_shift_cash BEFORE INSERT ON public.offline_recharge FOR EACH ROW WHEN ((new.shift_id IS NOT NULL)) EXECUTE FUNCTION app.guard_shift_cash();

CREATE TRIGGER guard_shift_decision BEFORE UPDATE ON public.offline_recharge FOR EACH ROW WHEN (((new.shift_id IS NOT NULL) AND (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION app.guard_shift_cash();

CREATE TRIGGER keep_audit_resource BEFORE UPDATE ON public.resource FOR EACH ROW WHEN (((new.action <> 'export'::text) AND (old.action <> new.action))) EXECUTE FUNCTION app.keep_audit_resource();

CREATE TRIGGER keep_auditor_apart BEFORE INSERT OR UPDATE ON public.user_role FOR EACH ROW EXECUTE FUNCTION app.keep_auditor_apart();

CREATE TRIGGER keep_auditor_reading BEFORE INSERT OR UPDATE ON public.role_resource FOR EACH ROW EXECUTE FUNCTION app.keep_auditor_reading();

CREATE TRIGGER keep_block BEFORE UPDATE ON public.member_block FOR EACH ROW WHEN ((((old.lifted_at IS NOT NULL) AND ((old.lifted_at IS DISTINCT FROM new.lifted_at) OR (old.lifted_by_id IS DISTINCT FROM new.lifted_by_id))) OR (((((((((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.member_id IS DISTINCT FROM new.member_id)) OR (old.phone IS DISTINCT FROM new.phone)) OR (old.card_id IS DISTINCT FROM new.card_id)) OR (old.scope IS DISTINCT FROM new.scope)) OR (old.reason IS DISTINCT FROM new.reason)) OR (old.ends_at IS DISTINCT FROM new.ends_at)) OR (old.created_by_id IS DISTINCT FROM new.created_by_id)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR (old.by_agent_id IS DISTINCT FROM new.by_agent_id)) OR (old.by_site_id IS DISTINCT FROM new.by_site_id)))) EXECUTE FUNCTION app.keep_block();

CREATE TRIGGER keep_break BEFORE UPDATE ON public.recon_break FOR EACH ROW WHEN ((((((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.merchant_id IS DISTINCT FROM new.merchant_id)) OR (old.day IS DISTINCT FROM new.day)) OR (old.pair IS DISTINCT FROM new.pair)) OR (old.kind IS DISTINCT FROM new.kind)) OR (old.subject IS DISTINCT FROM new.subject)) OR ((old.status <> new.status) AND (old.status <> 1) AND (new.status <> 1)) OR ((old.status = ANY (ARRAY[2, 3])) AND (new.status = 1) AND (NOT (((old.ours_fen IS DISTINCT FROM new.ours_fen) OR (old.theirs_fen IS DISTINCT FROM new.theirs_fen)) OR (old.words IS DISTINCT FROM new.words)))))) EXECUTE FUNCTION app.keep_break();

CREATE TRIGGER keep_card BEFORE UPDATE ON public.stored_card FOR EACH ROW WHEN (((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.card_no IS DISTINCT FROM new.card_no)) OR (old.chip_no IS DISTINCT FROM new.chip_no)) OR ((old.status = 2) AND (new.status <> 2)) OR (new.counter < old.counter))) EXECUTE FUNCTION app.keep_card();

CREATE TRIGGER keep_flow BEFORE UPDATE ON public.card_replacement FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL ('{1>2,1>3,1>4}'::text[])))) EXECUTE FUNCTION app.refuse_move();

CREATE TRIGGER keep_flow BEFORE UPDATE ON public.charging_order FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL ('{1>2,1>3,2>3,5>3,1>4,5>4,1>5,2>5,4>5}'::text[])))) EXECUTE FUNCTION app.refuse_move();

CREATE TRIGGER keep_flow BEFORE UPDATE ON public.coupon FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL ('{1>2,1>3,1>4,2>4}'::text[])))) EXECUTE FUNCTION app.refuse_move();

CREATE TRIGGER keep_flow BEFORE UPDATE ON public.coupon_grant FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL ('{1>2,2>3,2>1,3>1,1>4}'::text[])))) EXECUTE FUNCTION app.refuse_move();

CREATE TRIGGER keep_flow BEFORE UPDATE ON public.desk_shift FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL ('{1>2,2>3}'::text[])))) EXECUTE FUNCTION app.refuse_move();

CREATE TRIGGER keep_flow BEFORE UPDATE ON public.device_command FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL ('{1>2,3>2,2>1,1>3,3>4,7>4,3>5,7>5,1>6,2>6,3>6,3>7,1>8,2>8}'::text[])))) EXECUTE FUNCTION app.refuse_move();

CREATE TRIGGER keep_flow BEFORE UPDATE ON public.download FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL ('{0>1,1>2,0>3,1>3,3>0,4>0,2>4}'::text[])))) EXECUTE FUNCTION app.refuse_move();

CREATE TRIGGER keep_flow BEFORE UPDATE ON public.plan_order FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL ('{1>2,1>3}'::text[])))) EXECUTE FUNCTION app.refuse_move();

CREATE TRIGGER keep_flow BEFORE UPDATE ON public.stored_card FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL ('{0>1,1>0,0>2,1>2}'::text[])))) EXECUTE FUNCTION app.refuse_move();

CREATE TRIGGER keep_flow BEFORE UPDATE ON public.whitelist_entry FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL ('{1>2,1>3,1>4,2>4,2>1}'::text[])))) EXECUTE FUNCTION app.refuse_move();

CREATE TRIGGER keep_pass BEFORE UPDATE ON public.member_plan FOR EACH ROW WHEN ((((((((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.member_id IS DISTINCT FROM new.member_id)) OR (old.plan_id IS DISTINCT FROM new.plan_id)) OR (old.version_id IS DISTINCT FROM new.version_id)) OR (old.order_id IS DISTINCT FROM new.order_id)) OR (old.price_fen IS DISTINCT FROM new.price_fen)) OR (old.from_on IS DISTINCT FROM new.from_on)) OR (old.to_on IS DISTINCT FROM new.to_on)) OR (new.income_days < old.income_days))) EXECUTE FUNCTION app.refuse_move();

CREATE TRIGGER keep_payment BEFORE UPDATE ON public.pay_order FOR EACH ROW WHEN (((((((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.merchant_id IS DISTINCT FROM new.merchant_id)) OR (old.purpose IS DISTINCT FROM new.purpose)) OR (old.ref_id IS DISTINCT FROM new.ref_id)) OR (old.member_id IS DISTINCT FROM new.member_id)) OR (old.amount_fen IS DISTINCT FROM new.amount_fen)) OR (old.profit_sharing IS DISTINCT FROM new.profit_sharing)) OR ((old.status <> new.status) AND (NOT ((old.status = 1) OR ((old.status = 3) AND (new.status = 2) AND new.paid_late)))) OR ((old.refunded_fen > new.refunded_fen) AND (new.status <> 2)))) EXECUTE FUNCTION app.keep_payment();

CREATE TRIGGER keep_recharge BEFORE UPDATE ON public.recharge_order FOR EACH ROW WHEN ((((((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.target IS DISTINCT FROM new.target)) OR (old.member_id IS DISTINCT FROM new.member_id)) OR (old.card_id IS DISTINCT FROM new.card_id)) OR (old.amount_fen IS DISTINCT FROM new.amount_fen)) OR (old.gift_fen IS DISTINCT FROM new.gift_fen)) OR ((old.status <> new.status) AND (old.status <> 1)))) EXECUTE FUNCTION app.keep_payment();

CREATE TRIGGER keep_recharge_offer BEFORE UPDATE ON public.recharge_order FOR EACH ROW WHEN (((old.plan_id IS DISTINCT FROM new.plan_id) OR (old.gift_valid_days IS DISTINCT FROM new.gift_valid_days))) EXECUTE FUNCTION app.keep_payment();

CREATE TRIGGER keep_refund BEFORE UPDATE ON public.enterprise_refund FOR EACH ROW WHEN (((((((((((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.member_id IS DISTINCT FROM new.member_id)) OR (old.company IS DISTINCT FROM new.company)) OR (old.amount_fen IS DISTINCT FROM new.amount_fen)) OR (old.payee IS DISTINCT FROM new.payee)) OR (old.account_sealed IS DISTINCT FROM new.account_sealed)) OR (old.account_shown IS DISTINCT FROM new.account_shown)) OR (old.bank IS DISTINCT FROM new.bank)) OR (old.reason IS DISTINCT FROM new.reason)) OR (old.created_by_id IS DISTINCT FROM new.created_by_id)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR ((old.status <> new.status) AND (NOT app.refund_step(old.status, new.status))) OR (old.audited_by_id <> new.audited_by_id) OR (old.approved_by_id <> new.approved_by_id))) EXECUTE FUNCTION app.keep_refund();

CREATE TRIGGER keep_refund BEFORE UPDATE ON public.pay_refund FOR EACH ROW WHEN (((((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.pay_order_id IS DISTINCT FROM new.pay_order_id)) OR (old.amount_fen IS DISTINCT FROM new.amount_fen)) OR (old.purpose IS DISTINCT FROM new.purpose)) OR (old.ref_id IS DISTINCT FROM new.ref_id)) OR ((old.status <> new.status) AND ((old.status = ANY (ARRAY[3, 4])) OR ((new.status < old.status) AND (old.status <> 5)) OR ((new.status < 3) AND (old.status = 5)))))) EXECUTE FUNCTION app.keep_payment();

CREATE TRIGGER keep_refund BEFORE UPDATE ON public.recharge_refund FOR EACH ROW WHEN (((((((((((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.recharge_id IS DISTINCT FROM new.recharge_id)) OR (old.pay_order_id IS DISTINCT FROM new.pay_order_id)) OR (old.member_id IS DISTINCT FROM new.member_id)) OR (old.amount_fen IS DISTINCT FROM new.amount_fen)) OR (old.payout_fen IS DISTINCT FROM new.payout_fen)) OR (old.gift_fen IS DISTINCT FROM new.gift_fen)) OR (old.gift_spent_fen IS DISTINCT FROM new.gift_spent_fen)) OR (old.reason IS DISTINCT FROM new.reason)) OR (old.created_by_id IS DISTINCT FROM new.created_by_id)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR ((old.status <> new.status) AND (NOT app.refund_step(old.status, new.status))) OR (old.audited_by_id <> new.audited_by_id) OR (old.approved_by_id <> new.approved_by_id))) EXECUTE FUNCTION app.keep_refund();

CREATE TRIGGER keep_refund BEFORE UPDATE ON public.refund_order FOR EACH ROW WHEN (((((((((((((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.order_id IS DISTINCT FROM new.order_id)) OR (old.member_id IS DISTINCT FROM new.member_id)) OR (old.way IS DISTINCT FROM new.way)) OR (old.amount_fen IS DISTINCT FROM new.amount_fen)) OR (old.paid_fen IS DISTINCT FROM new.paid_fen)) OR (old.gift_fen IS DISTINCT FROM new.gift_fen)) OR (old.electricity_fen IS DISTINCT FROM new.electricity_fen)) OR (old.service_fen IS DISTINCT FROM new.service_fen)) OR (old.occupancy_fen IS DISTINCT FROM new.occupancy_fen)) OR (old.reason IS DISTINCT FROM new.reason)) OR (old.created_by_id IS DISTINCT FROM new.created_by_id)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR ((old.kind <> new.kind) AND (old.status <> 1)) OR ((old.status <> new.status) AND (NOT ((old.status = 1) OR ((old.status = 2) AND (new.status = 4))))) OR ((old.decided_at IS NOT NULL) AND ((old.decided_by_id IS DISTINCT FROM new.decided_by_id) OR (old.decided_at IS DISTINCT FROM new.decided_at))))) EXECUTE FUNCTION app.keep_refund();

CREATE TRIGGER keep_replaced BEFORE UPDATE ON public.stored_card FOR EACH ROW WHEN ((((old.replaced_by_id IS NOT NULL) AND (new.replaced_by_id IS DISTINCT FROM old.replaced_by_id)) OR (new.in_stock AND (NOT old.in_stock)))) EXECUTE FUNCTION app.keep_card();

CREATE TRIGGER keep_request BEFORE UPDATE ON public.balance_adjustment FOR EACH ROW WHEN (((((((((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.member_id IS DISTINCT FROM new.member_id)) OR (old.direction IS DISTINCT FROM new.direction)) OR (old.wallet IS DISTINCT FROM new.wallet)) OR (old.amount_fen IS DISTINCT FROM new.amount_fen)) OR (old.reason IS DISTINCT FROM new.reason)) OR (old.picture_id IS DISTINCT FROM new.picture_id)) OR (old.created_by_id IS DISTINCT FROM new.created_by_id)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR ((old.status <> 1) AND (old.status <> new.status)))) EXECUTE FUNCTION app.keep_adjustment();

CREATE TRIGGER keep_request BEFORE UPDATE ON public.offline_recharge FOR EACH ROW WHEN ((((((((((((((((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.agent_id IS DISTINCT FROM new.agent_id)) OR (old.site_id IS DISTINCT FROM new.site_id)) OR (old.target IS DISTINCT FROM new.target)) OR (old.member_id IS DISTINCT FROM new.member_id)) OR (old.card_id IS DISTINCT FROM new.card_id)) OR (old.amount_fen IS DISTINCT FROM new.amount_fen)) OR (old.gift_fen IS DISTINCT FROM new.gift_fen)) OR (old.gift_valid_days IS DISTINCT FROM new.gift_valid_days)) OR (old.way IS DISTINCT FROM new.way)) OR (old.bank_ref IS DISTINCT FROM new.bank_ref)) OR (old.picture_id IS DISTINCT FROM new.picture_id)) OR (old.picture_sha256 IS DISTINCT FROM new.picture_sha256)) OR (old.remark IS DISTINCT FROM new.remark)) OR (old.created_by_id IS DISTINCT FROM new.created_by_id)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR ((old.status <> 1) AND ((old.status IS DISTINCT FROM new.status) OR (old.recharge_id IS DISTINCT FROM new.recharge_id))))) EXECUTE FUNCTION app.keep_offline_recharge();

CREATE TRIGGER keep_request BEFORE UPDATE ON public.recon_repair FOR EACH ROW WHEN (((((((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.break_id IS DISTINCT FROM new.break_id)) OR (old.action IS DISTINCT FROM new.action)) OR (old.posting IS DISTINCT FROM new.posting)) OR (old.reason IS DISTINCT FROM new.reason)) OR (old.created_by_id IS DISTINCT FROM new.created_by_id)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR ((old.status <> 1) AND (old.status <> new.status)))) EXECUTE FUNCTION app.keep_adjustment();

CREATE TRIGGER keep_role_kind BEFORE UPDATE ON public.role FOR EACH ROW WHEN ((old.audit_only <> new.audit_only)) EXECUTE FUNCTION app.keep_role_kind();

CREATE TRIGGER keep_sale BEFORE UPDATE ON public.plan_order FOR EACH ROW WHEN (((((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.member_id IS DISTINCT FROM new.member_id)) OR (old.plan_id IS DISTINCT FROM new.plan_id)) OR (old.version_id IS DISTINCT FROM new.version_id)) OR (old.amount_fen IS DISTINCT FROM new.amount_fen)) OR (old.provider IS DISTINCT FROM new.provider))) EXECUTE FUNCTION app.refuse_move();

CREATE TRIGGER keep_shift BEFORE UPDATE ON public.desk_shift FOR EACH ROW WHEN (((((((((old.id IS DISTINCT FROM new.id) OR (old.organise_id IS DISTINCT FROM new.organise_id)) OR (old.agent_id IS DISTINCT FROM new.agent_id)) OR (old.site_id IS DISTINCT FROM new.site_id)) OR (old.clerk_id IS DISTINCT FROM new.clerk_id)) OR (old.clerk IS DISTINCT FROM new.clerk)) OR (old.opened_at IS DISTINCT FROM new.opened_at)) OR ((old.status > 1) AND (((((old.closed_at IS DISTINCT FROM new.closed_at) OR (old.recharges IS DISTINCT FROM new.recharges)) OR (old.expected_fen IS DISTINCT FROM new.expected_fen)) OR (old.counted_fen IS DISTINCT FROM new.counted_fen)) OR (old.reason IS DISTINCT FROM new.reason))) OR ((old.status = 3) AND (((((old.received_by_id IS DISTINCT FROM new.received_by_id) OR (old.received_by IS DISTINCT FROM new.received_by)) OR (old.received_at IS DISTINCT FROM new.received_at)) OR (old.received_fen IS DISTINCT FROM new.received_fen)) OR (old.received_reason IS DISTINCT FROM new.received_reason))))) EXECUTE FUNCTION app.keep_desk_shift();

CREATE TRIGGER keep_shift BEFORE UPDATE ON public.offline_recharge FOR EACH ROW WHEN (((old.shift_id IS DISTINCT FROM new.shift_id) OR ((old.status <> 1) AND (old.after_shift IS DISTINCT FROM new.after_shift)))) EXECUTE FUNCTION app.keep_offline_recharge();

CREATE TRIGGER keep_version BEFORE UPDATE ON public.monthly_plan_version FOR EACH ROW EXECUTE FUNCTION app.refuse_move();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.tariff_version FOR EACH ROW EXECUTE FUNCTION app.keep_version();

CREATE TRIGGER move_accounts AFTER UPDATE OF agent_id ON public.site FOR EACH ROW WHEN ((old.agent_id IS DISTINCT FROM new.agent_id)) EXECUTE FUNCTION app.move_accounts();

CREATE TRIGGER move_activity AFTER UPDATE OF organise_id, agent_id, site_id, registered_at ON public.member FOR EACH ROW WHEN (((((old.organise_id IS DISTINCT FROM new.organise_id) OR (old.agent_id IS DISTINCT FROM new.agent_id)) OR (old.site_id IS DISTINCT FROM new.site_id)) OR (old.registered_at IS DISTINCT FROM new.registered_at))) EXECUTE FUNCTION app.move_activity();

CREATE TRIGGER move_blocks AFTER UPDATE OF agent_id, site_id ON public.member FOR EACH ROW WHEN (((old.agent_id IS DISTINCT FROM new.agent_id) OR (old.site_id IS DISTINCT FROM new.site_id))) EXECUTE FUNCTION app.move_member_blocks();

CREATE TRIGGER move_blocks AFTER UPDATE OF agent_id ON public.site FOR EACH ROW WHEN ((old.agent_id IS DISTINCT FROM new.agent_id)) EXECUTE FUNCTION app.move_site_blocks();

CREATE TRIGGER move_member AFTER UPDATE OF site_id ON public.member FOR EACH ROW WHEN ((old.site_id IS DISTINCT FROM new.site_id)) EXECUTE FUNCTION app.move_member();

CREATE TRIGGER move_members AFTER UPDATE OF agent_id ON public.site FOR EACH ROW WHEN ((old.agent_id IS DISTINCT FROM new.agent_id)) EXECUTE FUNCTION app.move_members();

CREATE TRIGGER move_rankings AFTER UPDATE OF district_code ON public.site FOR EACH ROW WHEN ((old.district_code IS DISTINCT FROM new.district_code)) EXECUTE FUNCTION app.move_rankings();

CREATE TRIGGER move_stats AFTER UPDATE OF district_code ON public.site FOR EACH ROW WHEN ((old.district_code IS DISTINCT FROM new.district_code)) EXECUTE FUNCTION app.move_stats();

CREATE TRIGGER name_tails AFTER INSERT OR UPDATE OF organise_id, agent_id, name, code, deleted_at ON public.site FOR EACH ROW EXECUTE FUNCTION app.write_name_tails();

CREATE TRIGGER never_changes BEFORE DELETE OR UPDATE ON public.channel_bill FOR EACH ROW EXECUTE FUNCTION app.refuse_change();

CREATE TRIGGER never_changes BEFORE DELETE OR UPDATE ON public.channel_bill_line FOR EACH ROW EXECUTE FUNCTION app.refuse_change();

CREATE TRIGGER never_changes BEFORE DELETE OR UPDATE ON public.entry FOR EACH ROW EXECUTE FUNCTION app.refuse_change();

CREATE TRIGGER never_changes BEFORE DELETE OR UPDATE ON public.ledger_block FOR EACH ROW EXECUTE FUNCTION app.refuse_change();

CREATE TRIGGER never_changes BEFORE DELETE OR UPDATE ON public.posting FOR EACH ROW EXECUTE FUNCTION app.refuse_change();

CREATE TRIGGER organise_stays BEFORE UPDATE ON public.organise FOR EACH ROW WHEN ((old.test <> new.test)) EXECUTE FUNCTION app.organise_stays();

CREATE TRIGGER rank_order_ended AFTER UPDATE OF status ON public.charging_order FOR EACH ROW WHEN (((new.status = 3) AND (old.status <> 3))) EXECUTE FUNCTION app.rank_order();

CREATE TRIGGER rank_order_made AFTER INSERT ON public.charging_order FOR EACH ROW WHEN ((new.status = 3)) EXECUTE FUNCTION app.rank_order();

CREATE TRIGGER sum_days_changed AFTER UPDATE ON public.account_day REFERENCING OLD TABLE AS was NEW TABLE AS is_now FOR EACH STATEMENT EXECUTE FUNCTION app.sum_account_days();

CREATE TRIGGER sum_days_made AFTER INSERT ON public.account_day REFERENCING NEW TABLE AS is_now FOR EACH STATEMENT EXECUTE FUNCTION app.sum_account_days();

CREATE TRIGGER tell_pile_changed AFTER UPDATE ON public.device FOR EACH ROW WHEN (((new.adapter = 'ykc'::text) AND ((((((old.adapter IS DISTINCT FROM new.adapter) OR (old.tariff_id IS DISTINCT FROM new.tariff_id)) OR (old.site_id IS DISTINCT FROM new.site_id)) OR (old.agent_id IS DISTINCT FROM new.agent_id)) OR (old.organise_id IS DISTINCT FROM new.organise_id)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at)))) EXECUTE FUNCTION app.tell_piles();

CREATE TRIGGER tell_pile_made AFTER INSERT ON public.device FOR EACH ROW WHEN ((new.adapter = 'ykc'::text)) EXECUTE FUNCTION app.tell_piles();

CREATE TRIGGER tell_piles_of_site AFTER UPDATE ON public.site FOR EACH ROW WHEN ((old.tariff_id IS DISTINCT FROM new.tariff_id)) EXECUTE FUNCTION app.tell_piles();

CREATE TRIGGER tell_piles_of_tariff AFTER UPDATE ON public.tariff FOR EACH ROW WHEN (((old.version_id IS DISTINCT FROM new.version_id) OR (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION app.tell_piles();

CREATE TRIGGER tell_work AFTER INSERT ON public.pay_order FOR EACH STATEMENT EXECUTE FUNCTION app.tell_pay_work();

CREATE TRIGGER tell_work AFTER INSERT ON public.pay_refund FOR EACH STATEMENT EXECUTE FUNCTION app.tell_pay_work();

CREATE TRIGGER touch BEFORE UPDATE ON public.agent FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.alarm FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.alarm_default FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.alarm_rule FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.attribute_template FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.balance_adjustment FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.batch_job FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.card_replacement FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.coupon FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.coupon_grant FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.department FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.desk_shift FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.device FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.device_category FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.device_credential FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.device_type FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.device_type_key FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.download FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.dtu_protocol FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.enterprise_refund FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.help_document FOR EACH ROW WHEN (((((old.type IS DISTINCT FROM new.type) OR (old.title IS DISTINCT FROM new.title)) OR (old.body IS DISTINCT FROM new.body)) OR (old.screen IS DISTINCT FROM new.screen))) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.help_feedback FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.instruction FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.instruction_set FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.member FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.member_app FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.menu FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.monthly_plan FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.notification_preference FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.offline_recharge FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.open_app FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.operation_area FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.organise FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.organise_base_service FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.pay_merchant FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.platform_attribute FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.qr_batch FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.qr_code FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.qr_suspicion FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.recharge_plan FOR EACH ROW WHEN (((old.* IS DISTINCT FROM new.*) AND (NOT (old.used_at IS DISTINCT FROM new.used_at)))) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.recharge_refund FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.recharge_tier FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.recon_break FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.refund_order FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.repair_ticket FOR EACH ROW EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.resource FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.role FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.saved_view FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.screen_link FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.site FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.stored_card FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.supplier FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.tariff FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.user_account FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.whitelist_entry FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.touch();

CREATE TRIGGER uncount_order AFTER UPDATE OF status ON public.charging_order FOR EACH ROW WHEN (((old.status = 4) AND (new.status = 5))) EXECUTE FUNCTION app.uncount_order();

CREATE TRIGGER wake AFTER INSERT ON public.charge_news FOR EACH STATEMENT EXECUTE FUNCTION app.wake_charges();

CREATE TRIGGER wake AFTER INSERT ON public.device_command FOR EACH STATEMENT EXECUTE FUNCTION app.wake_commands();

CREATE TRIGGER wake_relay AFTER INSERT ON public.outbox FOR EACH STATEMENT EXECUTE FUNCTION app.wake_relay();

CREATE TRIGGER watch_outages_changed AFTER UPDATE ON public.device REFERENCING OLD TABLE AS was NEW TABLE AS is_now FOR EACH STATEMENT EXECUTE FUNCTION app.watch_outages();

CREATE TRIGGER watch_outages_made AFTER INSERT ON public.device REFERENCING NEW TABLE AS is_now FOR EACH STATEMENT EXECUTE FUNCTION app.watch_outages();

ALTER TABLE ONLY public.account_day
    ADD CONSTRAINT account_day_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.account_sum
    ADD CONSTRAINT account_sum_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);

ALTER TABLE ONLY public.agent
    ADD CONSTRAINT agent_admin FOREIGN KEY (admin_user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.agent
    ADD CONSTRAINT agent_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.agent
    ADD CONSTRAINT agent_parent_agent_id_organise_id_fkey FOREIGN KEY (parent_agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.alarm
    ADD CONSTRAINT alarm_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.alarm_attempt
    ADD CONSTRAINT alarm_attempt_alarm_id_fkey FOREIGN KEY (alarm_id) REFERENCES public.alarm(id);

ALTER TABLE ONLY public.alarm_attempt
    ADD CONSTRAINT alarm_attempt_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.alarm
    ADD CONSTRAINT alarm_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.device(id);

ALTER TABLE ONLY public.alarm
    ADD CONSTRAINT alarm_incident_id_organise_id_fkey FOREIGN KEY (incident_id, organise_id) REFERENCES public.incident(id, organise_id);

ALTER TABLE ONLY public.alarm
    ADD CONSTRAINT alarm_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.alarm_rule
    ADD CONSTRAINT alarm_rule_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.alarm
    ADD CONSTRAINT alarm_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.alipay_attempt
    ADD CONSTRAINT alipay_attempt_invite_id_organise_id_fkey FOREIGN KEY (invite_id, organise_id) REFERENCES public.alipay_invite(id, organise_id);

ALTER TABLE ONLY public.alipay_attempt
    ADD CONSTRAINT alipay_attempt_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.alipay_authorisation
    ADD CONSTRAINT alipay_authorisation_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.alipay_invite
    ADD CONSTRAINT alipay_invite_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.alipay_invite
    ADD CONSTRAINT alipay_invite_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.alipay_invite
    ADD CONSTRAINT alipay_invite_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.attribute_template_item
    ADD CONSTRAINT attribute_template_item_attribute_template_id_fkey FOREIGN KEY (attribute_template_id) REFERENCES public.attribute_template(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.attribute_template_item
    ADD CONSTRAINT attribute_template_item_platform_attribute_id_fkey FOREIGN KEY (platform_attribute_id) REFERENCES public.platform_attribute(id);

ALTER TABLE ONLY public.balance_adjustment
    ADD CONSTRAINT balance_adjustment_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.balance_adjustment
    ADD CONSTRAINT balance_adjustment_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.balance_adjustment
    ADD CONSTRAINT balance_adjustment_decided_by_id_fkey FOREIGN KEY (decided_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.balance_adjustment
    ADD CONSTRAINT balance_adjustment_member_id_organise_id_fkey FOREIGN KEY (member_id, organise_id) REFERENCES public.member(id, organise_id);

ALTER TABLE ONLY public.balance_adjustment
    ADD CONSTRAINT balance_adjustment_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.balance_adjustment
    ADD CONSTRAINT balance_adjustment_picture_id_organise_id_fkey FOREIGN KEY (picture_id, organise_id) REFERENCES public.stored_file(id, organise_id);

ALTER TABLE ONLY public.balance_adjustment
    ADD CONSTRAINT balance_adjustment_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.batch_item
    ADD CONSTRAINT batch_item_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.batch_job(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.batch_job
    ADD CONSTRAINT batch_job_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.batch_job
    ADD CONSTRAINT batch_job_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.card_replacement
    ADD CONSTRAINT card_replacement_card_id_organise_id_fkey FOREIGN KEY (card_id, organise_id) REFERENCES public.stored_card(id, organise_id);

ALTER TABLE ONLY public.card_replacement
    ADD CONSTRAINT card_replacement_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.card_replacement
    ADD CONSTRAINT card_replacement_decided_by_id_fkey FOREIGN KEY (decided_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.card_replacement
    ADD CONSTRAINT card_replacement_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.card_step
    ADD CONSTRAINT card_step_by_id_fkey FOREIGN KEY (by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.card_step
    ADD CONSTRAINT card_step_card_id_organise_id_fkey FOREIGN KEY (card_id, organise_id) REFERENCES public.stored_card(id, organise_id);

ALTER TABLE ONLY public.card_step
    ADD CONSTRAINT card_step_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.channel_bill
    ADD CONSTRAINT channel_bill_merchant_id_organise_id_fkey FOREIGN KEY (merchant_id, organise_id) REFERENCES public.pay_merchant(id, organise_id);

ALTER TABLE ONLY public.channel_bill
    ADD CONSTRAINT channel_bill_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE public.charging_order
    ADD CONSTRAINT charging_order_card_id_organise_id_fkey FOREIGN KEY (card_id, organise_id) REFERENCES public.stored_card(id, organise_id);

ALTER TABLE public.charging_order
    ADD CONSTRAINT charging_order_member_id_organise_id_fkey FOREIGN KEY (member_id, organise_id) REFERENCES public.member(id, organise_id);

ALTER TABLE public.charging_order
    ADD CONSTRAINT charging_order_tariff_version_id_fkey FOREIGN KEY (tariff_version_id) REFERENCES public.tariff_version(id);

ALTER TABLE ONLY public.coupon
    ADD CONSTRAINT coupon_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agent(id);

ALTER TABLE ONLY public.coupon_grant
    ADD CONSTRAINT coupon_grant_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agent(id);

ALTER TABLE ONLY public.coupon_grant
    ADD CONSTRAINT coupon_grant_coupon_id_fkey FOREIGN KEY (coupon_id) REFERENCES public.coupon(id);

ALTER TABLE ONLY public.coupon_grant
    ADD CONSTRAINT coupon_grant_member_id_organise_id_fkey FOREIGN KEY (member_id, organise_id) REFERENCES public.member(id, organise_id);

ALTER TABLE ONLY public.coupon_grant
    ADD CONSTRAINT coupon_grant_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.coupon_grant
    ADD CONSTRAINT coupon_grant_site_id_fkey FOREIGN KEY (site_id) REFERENCES public.site(id);

ALTER TABLE ONLY public.coupon
    ADD CONSTRAINT coupon_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.coupon
    ADD CONSTRAINT coupon_site_id_fkey FOREIGN KEY (site_id) REFERENCES public.site(id);

ALTER TABLE ONLY public.credential_change
    ADD CONSTRAINT credential_change_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.credential_change
    ADD CONSTRAINT credential_change_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.department
    ADD CONSTRAINT department_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.department_menu
    ADD CONSTRAINT department_menu_department_id_organise_id_fkey FOREIGN KEY (department_id, organise_id) REFERENCES public.department(id, organise_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.department_menu
    ADD CONSTRAINT department_menu_menu_id_fkey FOREIGN KEY (menu_id) REFERENCES public.menu(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.department
    ADD CONSTRAINT department_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.department
    ADD CONSTRAINT department_parent_id_organise_id_fkey FOREIGN KEY (parent_id, organise_id) REFERENCES public.department(id, organise_id);

ALTER TABLE ONLY public.department
    ADD CONSTRAINT department_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.desk_shift
    ADD CONSTRAINT desk_shift_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.desk_shift
    ADD CONSTRAINT desk_shift_clerk_id_fkey FOREIGN KEY (clerk_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.desk_shift
    ADD CONSTRAINT desk_shift_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.desk_shift
    ADD CONSTRAINT desk_shift_received_by_id_fkey FOREIGN KEY (received_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.desk_shift
    ADD CONSTRAINT desk_shift_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.device_attribute
    ADD CONSTRAINT device_attribute_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.device(id);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.device_category(id);

ALTER TABLE ONLY public.device_category
    ADD CONSTRAINT device_category_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES public.device_category(id);

ALTER TABLE ONLY public.device_credential
    ADD CONSTRAINT device_credential_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.device(id);

ALTER TABLE ONLY public.device_credential
    ADD CONSTRAINT device_credential_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_device_type_id_fkey FOREIGN KEY (device_type_id) REFERENCES public.device_type(id);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_enrol_organise_id_fkey FOREIGN KEY (enrol_organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.device_outage
    ADD CONSTRAINT device_outage_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.device(id);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_small_category_id_fkey FOREIGN KEY (small_category_id) REFERENCES public.device_category(id);

ALTER TABLE ONLY public.device_state
    ADD CONSTRAINT device_state_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.device(id);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_tariff_id_organise_id_fkey FOREIGN KEY (tariff_id, organise_id) REFERENCES public.tariff(id, organise_id);

ALTER TABLE ONLY public.device_type
    ADD CONSTRAINT device_type_attribute_template_id_fkey FOREIGN KEY (attribute_template_id) REFERENCES public.attribute_template(id);

ALTER TABLE ONLY public.device_type
    ADD CONSTRAINT device_type_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.device_category(id);

ALTER TABLE ONLY public.device_type
    ADD CONSTRAINT device_type_instruction_set_id_fkey FOREIGN KEY (instruction_set_id) REFERENCES public.instruction_set(id);

ALTER TABLE ONLY public.device_type_key
    ADD CONSTRAINT device_type_key_device_type_id_fkey FOREIGN KEY (device_type_id) REFERENCES public.device_type(id);

ALTER TABLE ONLY public.device_type
    ADD CONSTRAINT device_type_protocol_id_fkey FOREIGN KEY (protocol_id) REFERENCES public.dtu_protocol(id);

ALTER TABLE ONLY public.device_type
    ADD CONSTRAINT device_type_small_category_id_fkey FOREIGN KEY (small_category_id) REFERENCES public.device_category(id);

ALTER TABLE ONLY public.download
    ADD CONSTRAINT download_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.download
    ADD CONSTRAINT download_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.enterprise_refund
    ADD CONSTRAINT enterprise_refund_approved_by_id_fkey FOREIGN KEY (approved_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.enterprise_refund
    ADD CONSTRAINT enterprise_refund_audited_by_id_fkey FOREIGN KEY (audited_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.enterprise_refund
    ADD CONSTRAINT enterprise_refund_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.enterprise_refund
    ADD CONSTRAINT enterprise_refund_member_id_organise_id_fkey FOREIGN KEY (member_id, organise_id) REFERENCES public.member(id, organise_id);

ALTER TABLE ONLY public.enterprise_refund
    ADD CONSTRAINT enterprise_refund_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.enterprise_refund
    ADD CONSTRAINT enterprise_refund_paid_by_id_fkey FOREIGN KEY (paid_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.enterprise_refund
    ADD CONSTRAINT enterprise_refund_voucher_id_organise_id_fkey FOREIGN KEY (voucher_id, organise_id) REFERENCES public.stored_file(id, organise_id);

ALTER TABLE ONLY public.factor_reset
    ADD CONSTRAINT factor_reset_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.factor_reset
    ADD CONSTRAINT factor_reset_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.factor_reset
    ADD CONSTRAINT factor_reset_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.gift_lot
    ADD CONSTRAINT gift_lot_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.member(id);

ALTER TABLE ONLY public.gift_lot
    ADD CONSTRAINT gift_lot_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.gift_lot_use
    ADD CONSTRAINT gift_lot_use_lot_id_fkey FOREIGN KEY (lot_id) REFERENCES public.gift_lot(id);

ALTER TABLE ONLY public.gift_lot_use
    ADD CONSTRAINT gift_lot_use_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.help_feedback
    ADD CONSTRAINT help_feedback_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.help_document(id);

ALTER TABLE ONLY public.help_feedback
    ADD CONSTRAINT help_feedback_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.incident
    ADD CONSTRAINT incident_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.incident
    ADD CONSTRAINT incident_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.incident
    ADD CONSTRAINT incident_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.instruction
    ADD CONSTRAINT instruction_instruction_set_id_fkey FOREIGN KEY (instruction_set_id) REFERENCES public.instruction_set(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.instruction_set
    ADD CONSTRAINT instruction_set_protocol_id_fkey FOREIGN KEY (protocol_id) REFERENCES public.dtu_protocol(id);

ALTER TABLE ONLY public.login_ticket
    ADD CONSTRAINT login_ticket_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.member_app
    ADD CONSTRAINT member_app_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.member_block
    ADD CONSTRAINT member_block_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.member_block
    ADD CONSTRAINT member_block_by_agent_id_organise_id_fkey FOREIGN KEY (by_agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.member_block
    ADD CONSTRAINT member_block_by_site_id_organise_id_fkey FOREIGN KEY (by_site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.member_block
    ADD CONSTRAINT member_block_card_id_organise_id_fkey FOREIGN KEY (card_id, organise_id) REFERENCES public.stored_card(id, organise_id);

ALTER TABLE ONLY public.member_block
    ADD CONSTRAINT member_block_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.member_block
    ADD CONSTRAINT member_block_lifted_by_id_fkey FOREIGN KEY (lifted_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.member_block
    ADD CONSTRAINT member_block_member_id_organise_id_fkey FOREIGN KEY (member_id, organise_id) REFERENCES public.member(id, organise_id);

ALTER TABLE ONLY public.member_block
    ADD CONSTRAINT member_block_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.member_block
    ADD CONSTRAINT member_block_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.member_identity
    ADD CONSTRAINT member_identity_app_id_organise_id_fkey FOREIGN KEY (app_id, organise_id) REFERENCES public.member_app(id, organise_id);

ALTER TABLE ONLY public.member_identity
    ADD CONSTRAINT member_identity_member_id_organise_id_fkey FOREIGN KEY (member_id, organise_id) REFERENCES public.member(id, organise_id);

ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.member_plan
    ADD CONSTRAINT member_plan_member_id_organise_id_fkey FOREIGN KEY (member_id, organise_id) REFERENCES public.member(id, organise_id);

ALTER TABLE ONLY public.member_plan
    ADD CONSTRAINT member_plan_order_id_organise_id_fkey FOREIGN KEY (order_id, organise_id) REFERENCES public.plan_order(id, organise_id);

ALTER TABLE ONLY public.member_plan
    ADD CONSTRAINT member_plan_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.member_plan
    ADD CONSTRAINT member_plan_version_id_organise_id_fkey FOREIGN KEY (version_id, organise_id) REFERENCES public.monthly_plan_version(id, organise_id);

ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.menu
    ADD CONSTRAINT menu_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES public.menu(id);

ALTER TABLE ONLY public.message_replay
    ADD CONSTRAINT message_replay_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.device(id);

ALTER TABLE ONLY public.message_replay
    ADD CONSTRAINT message_replay_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.message_replay
    ADD CONSTRAINT message_replay_target_device_id_target_organise_id_fkey FOREIGN KEY (target_device_id, target_organise_id) REFERENCES public.device(id, organise_id);

ALTER TABLE ONLY public.message_replay
    ADD CONSTRAINT message_replay_target_organise_id_target_test_fkey FOREIGN KEY (target_organise_id, target_test) REFERENCES public.organise(id, test);

ALTER TABLE ONLY public.monthly_plan
    ADD CONSTRAINT monthly_plan_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.monthly_plan
    ADD CONSTRAINT monthly_plan_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.monthly_plan
    ADD CONSTRAINT monthly_plan_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.monthly_plan
    ADD CONSTRAINT monthly_plan_version_id_organise_id_fkey FOREIGN KEY (version_id, organise_id) REFERENCES public.monthly_plan_version(id, organise_id);

ALTER TABLE ONLY public.monthly_plan_version
    ADD CONSTRAINT monthly_plan_version_plan_id_organise_id_fkey FOREIGN KEY (plan_id, organise_id) REFERENCES public.monthly_plan(id, organise_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.notification_preference
    ADD CONSTRAINT notification_preference_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.notification_preference
    ADD CONSTRAINT notification_preference_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.notification_preference
    ADD CONSTRAINT notification_preference_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.notification_preference
    ADD CONSTRAINT notification_preference_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.notification
    ADD CONSTRAINT notification_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.offline_recharge
    ADD CONSTRAINT offline_recharge_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.offline_recharge
    ADD CONSTRAINT offline_recharge_card_id_organise_id_fkey FOREIGN KEY (card_id, organise_id) REFERENCES public.stored_card(id, organise_id);

ALTER TABLE ONLY public.offline_recharge
    ADD CONSTRAINT offline_recharge_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.offline_recharge
    ADD CONSTRAINT offline_recharge_decided_by_id_fkey FOREIGN KEY (decided_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.offline_recharge
    ADD CONSTRAINT offline_recharge_member_id_organise_id_fkey FOREIGN KEY (member_id, organise_id) REFERENCES public.member(id, organise_id);

ALTER TABLE ONLY public.offline_recharge
    ADD CONSTRAINT offline_recharge_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.offline_recharge
    ADD CONSTRAINT offline_recharge_picture_id_organise_id_fkey FOREIGN KEY (picture_id, organise_id) REFERENCES public.stored_file(id, organise_id);

ALTER TABLE ONLY public.offline_recharge
    ADD CONSTRAINT offline_recharge_recharge_id_fkey FOREIGN KEY (recharge_id) REFERENCES public.recharge_order(id);

ALTER TABLE ONLY public.offline_recharge
    ADD CONSTRAINT offline_recharge_shift FOREIGN KEY (shift_id, organise_id) REFERENCES public.desk_shift(id, organise_id) NOT VALID;

ALTER TABLE ONLY public.offline_recharge
    ADD CONSTRAINT offline_recharge_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.open_app
    ADD CONSTRAINT open_app_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.operation_area
    ADD CONSTRAINT operation_area_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.operation_area
    ADD CONSTRAINT operation_area_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.operation_area_site
    ADD CONSTRAINT operation_area_site_area_id_organise_id_fkey FOREIGN KEY (area_id, organise_id) REFERENCES public.operation_area(id, organise_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.operation_area_site
    ADD CONSTRAINT operation_area_site_assigned_site_id_organise_id_fkey FOREIGN KEY (assigned_site_id, organise_id) REFERENCES public.site(id, organise_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.operation_area_user
    ADD CONSTRAINT operation_area_user_area_id_organise_id_fkey FOREIGN KEY (area_id, organise_id) REFERENCES public.operation_area(id, organise_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.operation_area_user
    ADD CONSTRAINT operation_area_user_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.organise
    ADD CONSTRAINT organise_admin FOREIGN KEY (admin_user_id, id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.organise_base_service
    ADD CONSTRAINT organise_base_service_id_fkey FOREIGN KEY (id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.passkey_challenge
    ADD CONSTRAINT passkey_challenge_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.session(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.pay_key
    ADD CONSTRAINT pay_key_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.pay_key
    ADD CONSTRAINT pay_key_merchant_id_organise_id_fkey FOREIGN KEY (merchant_id, organise_id) REFERENCES public.pay_merchant(id, organise_id);

ALTER TABLE ONLY public.pay_key
    ADD CONSTRAINT pay_key_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.pay_merchant
    ADD CONSTRAINT pay_merchant_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE public.pay_refund
    ADD CONSTRAINT pay_refund_pay_order_id_fkey FOREIGN KEY (pay_order_id) REFERENCES public.pay_order(id);

ALTER TABLE ONLY public.personal_reveal
    ADD CONSTRAINT personal_reveal_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.plan_order
    ADD CONSTRAINT plan_order_member_id_organise_id_fkey FOREIGN KEY (member_id, organise_id) REFERENCES public.member(id, organise_id);

ALTER TABLE ONLY public.plan_order
    ADD CONSTRAINT plan_order_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.plan_order
    ADD CONSTRAINT plan_order_plan_id_organise_id_fkey FOREIGN KEY (plan_id, organise_id) REFERENCES public.monthly_plan(id, organise_id);

ALTER TABLE ONLY public.plan_order
    ADD CONSTRAINT plan_order_version_id_organise_id_fkey FOREIGN KEY (version_id, organise_id) REFERENCES public.monthly_plan_version(id, organise_id);

ALTER TABLE ONLY public.plan_use
    ADD CONSTRAINT plan_use_pass_id_organise_id_fkey FOREIGN KEY (pass_id, organise_id) REFERENCES public.member_plan(id, organise_id);

ALTER TABLE ONLY public.port
    ADD CONSTRAINT port_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.device(id);

ALTER TABLE ONLY public.qr_batch
    ADD CONSTRAINT qr_batch_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.qr_batch
    ADD CONSTRAINT qr_batch_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.qr_batch
    ADD CONSTRAINT qr_batch_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.qr_code
    ADD CONSTRAINT qr_code_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES public.qr_batch(id);

ALTER TABLE ONLY public.qr_code
    ADD CONSTRAINT qr_code_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.device(id);

ALTER TABLE ONLY public.qr_code
    ADD CONSTRAINT qr_code_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.qr_suspicion
    ADD CONSTRAINT qr_suspicion_code_id_fkey FOREIGN KEY (code_id) REFERENCES public.qr_code(id);

ALTER TABLE ONLY public.qr_suspicion
    ADD CONSTRAINT qr_suspicion_expected_device_id_fkey FOREIGN KEY (expected_device_id) REFERENCES public.device(id);

ALTER TABLE ONLY public.qr_suspicion
    ADD CONSTRAINT qr_suspicion_likely_device_id_fkey FOREIGN KEY (likely_device_id) REFERENCES public.device(id);

ALTER TABLE ONLY public.qr_suspicion
    ADD CONSTRAINT qr_suspicion_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE public.recharge_order
    ADD CONSTRAINT recharge_order_member_id_organise_id_fkey FOREIGN KEY (member_id, organise_id) REFERENCES public.member(id, organise_id);

ALTER TABLE ONLY public.recharge_plan
    ADD CONSTRAINT recharge_plan_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.recharge_plan
    ADD CONSTRAINT recharge_plan_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.recharge_plan
    ADD CONSTRAINT recharge_plan_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.recharge_refund
    ADD CONSTRAINT recharge_refund_approved_by_id_fkey FOREIGN KEY (approved_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.recharge_refund
    ADD CONSTRAINT recharge_refund_audited_by_id_fkey FOREIGN KEY (audited_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.recharge_refund
    ADD CONSTRAINT recharge_refund_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.recharge_refund
    ADD CONSTRAINT recharge_refund_member_id_organise_id_fkey FOREIGN KEY (member_id, organise_id) REFERENCES public.member(id, organise_id);

ALTER TABLE ONLY public.recharge_refund
    ADD CONSTRAINT recharge_refund_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.recharge_refund
    ADD CONSTRAINT recharge_refund_recharge_id_fkey FOREIGN KEY (recharge_id) REFERENCES public.recharge_order(id);

ALTER TABLE ONLY public.recharge_tier
    ADD CONSTRAINT recharge_tier_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.recharge_tier
    ADD CONSTRAINT recharge_tier_plan FOREIGN KEY (plan_id, organise_id) REFERENCES public.recharge_plan(id, organise_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.recon_break
    ADD CONSTRAINT recon_break_merchant_id_organise_id_fkey FOREIGN KEY (merchant_id, organise_id) REFERENCES public.pay_merchant(id, organise_id);

ALTER TABLE ONLY public.recon_break
    ADD CONSTRAINT recon_break_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.recon_break
    ADD CONSTRAINT recon_break_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.recon_repair
    ADD CONSTRAINT recon_repair_break_id_organise_id_fkey FOREIGN KEY (break_id, organise_id) REFERENCES public.recon_break(id, organise_id);

ALTER TABLE ONLY public.recon_repair
    ADD CONSTRAINT recon_repair_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.recon_repair
    ADD CONSTRAINT recon_repair_decided_by_id_fkey FOREIGN KEY (decided_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.recon_repair
    ADD CONSTRAINT recon_repair_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.recon_run
    ADD CONSTRAINT recon_run_merchant_id_organise_id_fkey FOREIGN KEY (merchant_id, organise_id) REFERENCES public.pay_merchant(id, organise_id);

ALTER TABLE ONLY public.recon_run
    ADD CONSTRAINT recon_run_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.recovery_code
    ADD CONSTRAINT recovery_code_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.refund_order
    ADD CONSTRAINT refund_order_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.refund_order
    ADD CONSTRAINT refund_order_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.refund_order
    ADD CONSTRAINT refund_order_decided_by_id_fkey FOREIGN KEY (decided_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.refund_order
    ADD CONSTRAINT refund_order_member_id_organise_id_fkey FOREIGN KEY (member_id, organise_id) REFERENCES public.member(id, organise_id);

ALTER TABLE ONLY public.refund_order
    ADD CONSTRAINT refund_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.charging_order(id);

ALTER TABLE ONLY public.refund_order
    ADD CONSTRAINT refund_order_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.refund_order
    ADD CONSTRAINT refund_order_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.refund_policy
    ADD CONSTRAINT refund_policy_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.refund_policy
    ADD CONSTRAINT refund_policy_updated_by_id_fkey FOREIGN KEY (updated_by_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.region
    ADD CONSTRAINT region_parent_adcode_fkey FOREIGN KEY (parent_adcode) REFERENCES public.region(adcode);

ALTER TABLE ONLY public.repair_ticket
    ADD CONSTRAINT repair_ticket_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.repair_ticket
    ADD CONSTRAINT repair_ticket_alarm_id_fkey FOREIGN KEY (alarm_id) REFERENCES public.alarm(id);

ALTER TABLE ONLY public.repair_ticket
    ADD CONSTRAINT repair_ticket_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.repair_ticket
    ADD CONSTRAINT repair_ticket_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.device(id);

ALTER TABLE ONLY public.repair_ticket
    ADD CONSTRAINT repair_ticket_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.repair_ticket
    ADD CONSTRAINT repair_ticket_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.resource
    ADD CONSTRAINT resource_menu_id_fkey FOREIGN KEY (menu_id) REFERENCES public.menu(id);

ALTER TABLE ONLY public.role
    ADD CONSTRAINT role_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.role_menu
    ADD CONSTRAINT role_menu_menu_id_fkey FOREIGN KEY (menu_id) REFERENCES public.menu(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.role_menu
    ADD CONSTRAINT role_menu_role_id_organise_id_fkey FOREIGN KEY (role_id, organise_id) REFERENCES public.role(id, organise_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.role
    ADD CONSTRAINT role_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.role_resource
    ADD CONSTRAINT role_resource_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES public.resource(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.role_resource
    ADD CONSTRAINT role_resource_role_id_organise_id_fkey FOREIGN KEY (role_id, organise_id) REFERENCES public.role(id, organise_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.role
    ADD CONSTRAINT role_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.saved_view
    ADD CONSTRAINT saved_view_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.saved_view
    ADD CONSTRAINT saved_view_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.saved_view
    ADD CONSTRAINT saved_view_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.saved_view
    ADD CONSTRAINT saved_view_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.screen_link
    ADD CONSTRAINT screen_link_city_code_fkey FOREIGN KEY (city_code) REFERENCES public.region(adcode);

ALTER TABLE ONLY public.screen_link
    ADD CONSTRAINT screen_link_district_code_fkey FOREIGN KEY (district_code) REFERENCES public.region(adcode);

ALTER TABLE ONLY public.screen_link
    ADD CONSTRAINT screen_link_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.screen_link
    ADD CONSTRAINT screen_link_province_code_fkey FOREIGN KEY (province_code) REFERENCES public.region(adcode);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.site
    ADD CONSTRAINT site_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.site_name_tail
    ADD CONSTRAINT site_name_tail_site_id_fkey FOREIGN KEY (site_id) REFERENCES public.site(id);

ALTER TABLE ONLY public.site
    ADD CONSTRAINT site_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.site
    ADD CONSTRAINT site_tariff_id_organise_id_fkey FOREIGN KEY (tariff_id, organise_id) REFERENCES public.tariff(id, organise_id);

ALTER TABLE ONLY public.sms_code
    ADD CONSTRAINT sms_code_member_id_organise_id_fkey FOREIGN KEY (member_id, organise_id) REFERENCES public.member(id, organise_id);

ALTER TABLE ONLY public.sms_code
    ADD CONSTRAINT sms_code_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.sms_message
    ADD CONSTRAINT sms_message_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.stored_card
    ADD CONSTRAINT stored_card_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.stored_card
    ADD CONSTRAINT stored_card_member_id_organise_id_fkey FOREIGN KEY (member_id, organise_id) REFERENCES public.member(id, organise_id);

ALTER TABLE ONLY public.stored_card
    ADD CONSTRAINT stored_card_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.stored_card
    ADD CONSTRAINT stored_card_replaced_by FOREIGN KEY (replaced_by_id, organise_id) REFERENCES public.stored_card(id, organise_id);

ALTER TABLE ONLY public.stored_card
    ADD CONSTRAINT stored_card_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.stored_file
    ADD CONSTRAINT stored_file_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.stored_file
    ADD CONSTRAINT stored_file_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.stored_file
    ADD CONSTRAINT stored_file_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.stored_file
    ADD CONSTRAINT stored_file_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.tariff
    ADD CONSTRAINT tariff_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.tariff_lab
    ADD CONSTRAINT tariff_lab_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.tariff_lab
    ADD CONSTRAINT tariff_lab_tariff_id_organise_id_fkey FOREIGN KEY (tariff_id, organise_id) REFERENCES public.tariff(id, organise_id);

ALTER TABLE ONLY public.tariff_lab
    ADD CONSTRAINT tariff_lab_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.user_account(id);

ALTER TABLE ONLY public.tariff
    ADD CONSTRAINT tariff_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.tariff_push
    ADD CONSTRAINT tariff_push_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.device(id);

ALTER TABLE ONLY public.tariff_push
    ADD CONSTRAINT tariff_push_version_id_fkey FOREIGN KEY (version_id) REFERENCES public.tariff_version(id);

ALTER TABLE ONLY public.tariff
    ADD CONSTRAINT tariff_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.tariff
    ADD CONSTRAINT tariff_version_id_organise_id_fkey FOREIGN KEY (version_id, organise_id) REFERENCES public.tariff_version(id, organise_id);

ALTER TABLE ONLY public.tariff_version
    ADD CONSTRAINT tariff_version_tariff_id_organise_id_fkey FOREIGN KEY (tariff_id, organise_id) REFERENCES public.tariff(id, organise_id);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_agent_id_organise_id_fkey FOREIGN KEY (agent_id, organise_id) REFERENCES public.agent(id, organise_id);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_department_id_organise_id_fkey FOREIGN KEY (department_id, organise_id) REFERENCES public.department(id, organise_id);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_site_id_organise_id_fkey FOREIGN KEY (site_id, organise_id) REFERENCES public.site(id, organise_id);

ALTER TABLE ONLY public.user_password_history
    ADD CONSTRAINT user_password_history_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id);

ALTER TABLE ONLY public.user_role
    ADD CONSTRAINT user_role_role_id_organise_id_fkey FOREIGN KEY (role_id, organise_id) REFERENCES public.role(id, organise_id);

ALTER TABLE ONLY public.user_role
    ADD CONSTRAINT user_role_user_id_organise_id_fkey FOREIGN KEY (user_id, organise_id) REFERENCES public.user_account(id, organise_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.whitelist_entry
    ADD CONSTRAINT whitelist_entry_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agent(id);

ALTER TABLE ONLY public.whitelist_entry
    ADD CONSTRAINT whitelist_entry_card_id_fkey FOREIGN KEY (card_id) REFERENCES public.stored_card(id);

ALTER TABLE ONLY public.whitelist_entry
    ADD CONSTRAINT whitelist_entry_organise_id_fkey FOREIGN KEY (organise_id) REFERENCES public.organise(id);

ALTER TABLE ONLY public.whitelist_entry
    ADD CONSTRAINT whitelist_entry_site_id_fkey FOREIGN KEY (site_id) REFERENCES public.site(id);

ALTER TABLE ONLY public.whitelist_use
    ADD CONSTRAINT whitelist_use_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES public.whitelist_entry(id);

ALTER TABLE public.account ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.account_day ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.account_sum ENABLE ROW LEVEL SECURITY;

CREATE POLICY adding ON public.alarm_default FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.attribute_template FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.attribute_template_item FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.device_category FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.device_type FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.device_type_key FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.dtu_protocol FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.help_document FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.instruction FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.instruction_set FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.member_app AS RESTRICTIVE FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) <= 1));

CREATE POLICY adding ON public.menu FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.organise FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.organise_base_service FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.outage_mark FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.platform_attribute FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.region FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.resource FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY adding ON public.tariff_push_due FOR INSERT WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

ALTER TABLE public.agent ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.alarm ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.alarm_attempt ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.alarm_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.alarm_rule ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.alarm_signal ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.alipay_attempt ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.alipay_authorisation ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.alipay_invite ENABLE ROW LEVEL SECURITY;

CREATE POLICY any_change ON public.audit_pending USING (true);

ALTER TABLE public.attempt ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.attribute_template ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.attribute_template_item ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_chain ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_device ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_log ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_pending ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_proof ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.balance_adjustment ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.batch_item ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.batch_job ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.captcha ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.card_replacement ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.card_step ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.card_swipe ENABLE ROW LEVEL SECURITY;

CREATE POLICY catalogue ON public.stored_file FOR SELECT USING ((id = ANY (ARRAY( SELECT device_type.picture_id
   FROM public.device_type
  WHERE (device_type.picture_id IS NOT NULL)))));

CREATE POLICY changing ON public.alarm_default FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.attribute_template FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.attribute_template_item FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.device_category FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.device_type FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.device_type_key FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.dtu_protocol FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.help_document FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.instruction FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.instruction_set FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.member_app AS RESTRICTIVE FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) <= 1));

CREATE POLICY changing ON public.menu FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.organise FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.organise_base_service FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.outage_mark FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.platform_attribute FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.region FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.resource FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY changing ON public.tariff_push_due FOR UPDATE USING ((( SELECT app.scope_level() AS scope_level) = 0));

ALTER TABLE public.channel_bill ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.channel_bill_line ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.charge_news ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.charge_sample ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.charging_order ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.coupon ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.coupon_grant ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.credential_change ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.department ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.department_menu ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.desk_shift ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_attribute ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_category ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_command ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_credential ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_dead_letter ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_event ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_message ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_outage ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_record ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_state ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_type ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_type_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.download ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.dtu_protocol ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.enterprise_refund ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.entry ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.factor_reset ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.gift_lot ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.gift_lot_use ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.help_document ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.help_feedback ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.idempotency_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.incident ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.instruction ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.instruction_set ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.ledger_block ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.ledger_edge ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.ledger_proof ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.ledger_proof_day ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.ledger_proof_head ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.login_ticket ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.member ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.member_app ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.member_block ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.member_identity ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.member_month ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.member_plan ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.menu ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.message_replay ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.monthly_plan ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.monthly_plan_version ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.notification ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.notification_preference ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.offline_recharge ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.open_app ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.open_charge ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.operation_area ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.operation_area_site ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.operation_area_user ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.organise ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.organise_base_service ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.outage_mark ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.outbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.passkey ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.passkey_challenge ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.pay_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.pay_merchant ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.pay_notice ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.pay_order ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.pay_refund ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.personal_reveal ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.plan_order ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.plan_use ENABLE ROW LEVEL SECURITY;

CREATE POLICY platform ON public.attempt USING ((( SELECT app.scope_level() AS scope_level) = 0)) WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY platform ON public.captcha USING ((( SELECT app.scope_level() AS scope_level) = 0)) WITH CHECK ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY platform ON public.charge_news USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY platform ON public.device_dead_letter USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY platform ON public.supplier USING ((( SELECT app.scope_level() AS scope_level) = 0));

ALTER TABLE public.platform_attribute ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.port ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.posting ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.qr_batch ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.qr_code ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.qr_suspicion ENABLE ROW LEVEL SECURITY;

CREATE POLICY reading ON public.alarm_default FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.attribute_template FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.attribute_template_item FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.device_category FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.device_type FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.device_type_key FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.dtu_protocol FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.help_document FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.instruction FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.instruction_set FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.ledger_edge USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.ledger_proof USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY reading ON public.ledger_proof_day USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY reading ON public.ledger_proof_head USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY reading ON public.menu FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.organise FOR SELECT USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY reading ON public.organise_base_service FOR SELECT USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY reading ON public.outage_mark FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.platform_attribute FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.region FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.resource FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.tariff FOR SELECT USING ((organise_id = ( SELECT app.organise_id() AS organise_id)));

CREATE POLICY reading ON public.tariff_push_due FOR SELECT USING ((( SELECT app.scope_level() AS scope_level) >= 0));

CREATE POLICY reading ON public.tariff_version FOR SELECT USING (((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (state <> 0)));

ALTER TABLE public.recharge_order ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.recharge_plan ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.recharge_refund ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.recharge_tier ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.recon_break ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.recon_repair ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.recon_run ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.recovery_code ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.refund_order ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.refund_policy ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.region ENABLE ROW LEVEL SECURITY;

CREATE POLICY removing ON public.alarm_default FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.attribute_template FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.attribute_template_item FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.device_category FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.device_type FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.device_type_key FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.dtu_protocol FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.help_document FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.instruction FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.instruction_set FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.member_app AS RESTRICTIVE FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) <= 1));

CREATE POLICY removing ON public.menu FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.organise FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.organise_base_service FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.outage_mark FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.platform_attribute FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.region FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.resource FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

CREATE POLICY removing ON public.tariff_push_due FOR DELETE USING ((( SELECT app.scope_level() AS scope_level) = 0));

ALTER TABLE public.repair_ticket ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.resource ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.role ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.role_menu ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.role_resource ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.saved_view ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.screen_link ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.session ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.site ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.site_name_tail ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sms_code ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sms_message ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stat_cohort ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stat_cohort_delta ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stat_day ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stat_delta ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stat_device ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stat_device_delta ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stat_hour ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stat_latest ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stat_month ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stat_now ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stat_now_delta ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stat_outage ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stat_outage_delta ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stored_card ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stored_file ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.supplier ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.tariff ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.tariff_lab ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.tariff_push ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.tariff_push_due ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.tariff_version ENABLE ROW LEVEL SECURITY;

CREATE POLICY tenant ON public.account USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.account_day USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.account_sum USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.agent USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND ((id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])) OR (parent_agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[]))))
    ELSE false
END);

CREATE POLICY tenant ON public.alarm USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.alarm_attempt USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.alarm_rule USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.alarm_signal USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.alipay_attempt USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.alipay_authorisation USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.alipay_invite USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.audit_chain USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.audit_device USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.audit_log USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.audit_proof USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.balance_adjustment USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.batch_item USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.batch_job USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.card_replacement USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.card_step USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.card_swipe USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.channel_bill USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    ELSE false
END);

CREATE POLICY tenant ON public.channel_bill_line USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    ELSE false
END);

CREATE POLICY tenant ON public.charge_sample USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.charging_order USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.coupon USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.coupon_grant USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.credential_change USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.department USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.department_menu USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.desk_shift USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.device USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.device_attribute USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.device_command USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.device_credential USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.device_event USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.device_message USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.device_outage USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.device_record USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.device_state USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.download USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.enterprise_refund USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.entry USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.factor_reset USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.gift_lot USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.gift_lot_use USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.help_feedback USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.idempotency_key USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.incident USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.ledger_block USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.login_ticket USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.member USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.member_app USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.member_block USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.member_identity USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.member_month USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.member_plan USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.message_replay USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.monthly_plan USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.monthly_plan_version USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.notification USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.notification_preference USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.offline_recharge USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.open_app USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.open_charge USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.operation_area USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.operation_area_site USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.operation_area_user USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.outbox USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.passkey USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.passkey_challenge USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.pay_key USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.pay_merchant USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.pay_notice USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.pay_order USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.pay_refund USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.personal_reveal USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.plan_order USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.plan_use USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.port USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.posting USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.qr_batch USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.qr_code USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.qr_suspicion USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.recharge_order USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.recharge_plan USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.recharge_refund USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.recharge_tier USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.recon_break USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    ELSE false
END);

CREATE POLICY tenant ON public.recon_repair USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    ELSE false
END);

CREATE POLICY tenant ON public.recon_run USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    ELSE false
END);

CREATE POLICY tenant ON public.recovery_code USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.refund_order USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.refund_policy USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY tenant ON public.repair_ticket USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.role USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.role_menu USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.role_resource USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.saved_view USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.screen_link USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.session USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.site USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.site_name_tail USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.sms_code USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.sms_message USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stat_cohort USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stat_cohort_delta USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stat_day USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stat_delta USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stat_device USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stat_device_delta USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stat_hour USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stat_latest USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stat_month USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stat_now USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stat_now_delta USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stat_outage USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stat_outage_delta USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stored_card USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.stored_file USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.tariff USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.tariff_lab USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.tariff_push USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.tariff_version USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.user_account USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.user_password_history USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.user_role USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END) WITH CHECK (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.whitelist_entry USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    WHEN 1 THEN (organise_id = ( SELECT app.organise_id() AS organise_id))
    WHEN 2 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (agent_id = ANY (( SELECT app.agent_ids() AS agent_ids)::bigint[])))
    WHEN 3 THEN ((organise_id = ( SELECT app.organise_id() AS organise_id)) AND (site_id = ANY (( SELECT app.site_ids() AS site_ids)::bigint[])))
    ELSE false
END);

CREATE POLICY tenant ON public.whitelist_use USING (
CASE ( SELECT app.scope_level() AS scope_level)
    WHEN 0 THEN true
    ELSE (organise_id = ( SELECT app.organise_id() AS organise_id))
END);

CREATE POLICY unbound ON public.qr_code USING (((device_id IS NULL) AND (organise_id = ( SELECT app.organise_id() AS organise_id)) AND (( SELECT app.scope_level() AS scope_level) = ANY (ARRAY[2, 3])))) WITH CHECK (false);

ALTER TABLE public.user_account ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.user_password_history ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.user_role ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.whitelist_entry ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.whitelist_use ENABLE ROW LEVEL SECURITY;

CREATE POLICY whole_organise ON public.open_app AS RESTRICTIVE USING ((( SELECT app.scope_level() AS scope_level) <= 1));

GRANT USAGE ON SCHEMA app TO wattdeck_api;
GRANT USAGE ON SCHEMA app TO wattdeck_worker;

REVOKE USAGE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO wattdeck_api;
GRANT USAGE ON SCHEMA public TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.account_balance(asked bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.account_balance(asked bigint) TO wattdeck_api;
GRANT ALL ON FUNCTION app.account_balance(asked bigint) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.account_breaks(accounts bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION app.account_breaks(accounts bigint[]) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.activity_base(from_month date, upto_month date) FROM PUBLIC;
GRANT ALL ON FUNCTION app.activity_base(from_month date, upto_month date) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.add_gift(organise bigint, member bigint, fen bigint, source text, valid_days integer, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.add_months() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.agent_ids() FROM PUBLIC;
GRANT ALL ON FUNCTION app.agent_ids() TO wattdeck_api;
GRANT ALL ON FUNCTION app.agent_ids() TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.agents_below(top bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.agents_below(top bigint) TO wattdeck_api;
GRANT ALL ON FUNCTION app.agents_below(top bigint) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.alarms_follow_device() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.analysis_breaks(from_day date, upto_day date) FROM PUBLIC;
GRANT ALL ON FUNCTION app.analysis_breaks(from_day date, upto_day date) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.attributes_follow() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.audit_append(entry jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION app.audit_append(entry jsonb) TO wattdeck_api;
GRANT ALL ON FUNCTION app.audit_append(entry jsonb) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.audit_breaks() FROM PUBLIC;

GRANT SELECT ON TABLE public.audit_log TO wattdeck_api;
GRANT SELECT ON TABLE public.audit_log TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.audit_hash(prev bytea, entry public.audit_log) FROM PUBLIC;
GRANT ALL ON FUNCTION app.audit_hash(prev bytea, entry public.audit_log) TO wattdeck_worker;

REVOKE ALL ON PROCEDURE app.audit_table(IN tbl regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.capture_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.capture_device() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.card_in_use(card bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.card_in_use(card bigint) TO wattdeck_api;
GRANT ALL ON FUNCTION app.card_in_use(card bigint) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.city_of(district text) FROM PUBLIC;
GRANT ALL ON FUNCTION app.city_of(district text) TO wattdeck_api;
GRANT ALL ON FUNCTION app.city_of(district text) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.close_coupon(for_order bigint, organise bigint, off bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.close_coupon(for_order bigint, organise bigint, off bigint) TO wattdeck_api;
GRANT ALL ON FUNCTION app.close_coupon(for_order bigint, organise bigint, off bigint) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.codes_follow_device() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.command_id() FROM PUBLIC;
GRANT ALL ON FUNCTION app.command_id() TO wattdeck_api;
GRANT ALL ON FUNCTION app.command_id() TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.count_activity() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.count_devices() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.count_faults() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.count_member() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.count_order() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.count_outage() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.count_recharge() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.count_recharge_refund() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.count_refund() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.count_service() FROM PUBLIC;

GRANT SELECT ON TABLE public.coupon_grant TO wattdeck_worker;
GRANT SELECT,INSERT ON TABLE public.coupon_grant TO wattdeck_api;

GRANT UPDATE(status) ON TABLE public.coupon_grant TO wattdeck_api;

GRANT UPDATE(voided_by) ON TABLE public.coupon_grant TO wattdeck_api;

GRANT UPDATE(void_reason) ON TABLE public.coupon_grant TO wattdeck_api;

REVOKE ALL ON FUNCTION app.coupon_offers(organise bigint, agent bigint, site bigint, member bigint, locks boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION app.coupon_offers(organise bigint, agent bigint, site bigint, member bigint, locks boolean) TO wattdeck_api;
GRANT ALL ON FUNCTION app.coupon_offers(organise bigint, agent bigint, site bigint, member bigint, locks boolean) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.credentials_follow_device() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.credentials_linked(one bigint, other bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.credentials_linked(one bigint, other bigint) TO wattdeck_api;

REVOKE ALL ON FUNCTION app.device_barred() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.device_copies() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.device_parts() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.device_service() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.devices_follow_site() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.ensure_id_months(tbl text, ahead integer, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION app.ensure_id_months(tbl text, ahead integer, at timestamp with time zone) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.ensure_months(tbl text, ahead integer, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION app.ensure_months(tbl text, ahead integer, at timestamp with time zone) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.expire_gift(organise bigint, member bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.expire_gift(organise bigint, member bigint) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.fold_analysis(slice integer) FROM PUBLIC;
GRANT ALL ON FUNCTION app.fold_analysis(slice integer) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.fold_places(slice integer) FROM PUBLIC;
GRANT ALL ON FUNCTION app.fold_places(slice integer) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.fold_rankings(slice integer) FROM PUBLIC;
GRANT ALL ON FUNCTION app.fold_rankings(slice integer) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.fold_stats(slice integer) FROM PUBLIC;
GRANT ALL ON FUNCTION app.fold_stats(slice integer) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.forget_guesses(keys text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION app.forget_guesses(keys text[]) TO wattdeck_api;

REVOKE ALL ON FUNCTION app.guard_shift_cash() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.held_breaks() FROM PUBLIC;
GRANT ALL ON FUNCTION app.held_breaks() TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.hold_coupon(coupon_grant_id bigint, organise bigint, for_order bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.hold_coupon(coupon_grant_id bigint, organise bigint, for_order bigint) TO wattdeck_api;
GRANT ALL ON FUNCTION app.hold_coupon(coupon_grant_id bigint, organise bigint, for_order bigint) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.keep_adjustment() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.keep_audit_resource() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.keep_auditor_apart() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.keep_auditor_reading() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.keep_block() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.keep_break() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.keep_card() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.keep_days(parent text, ahead integer, keep integer, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION app.keep_days(parent text, ahead integer, keep integer, at timestamp with time zone) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.keep_desk_shift() FROM PUBLIC;

REVOKE ALL ON PROCEDURE app.keep_flow(IN tbl regclass, IN col name, IN moves text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.keep_offline_recharge() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.keep_outbox_days(ahead integer, keep integer, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION app.keep_outbox_days(ahead integer, keep integer, at timestamp with time zone) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.keep_payment() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.keep_refund() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.keep_role_kind() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.keep_version() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.ledger_breaks(organise bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.ledger_breaks_between(since xid8, upto xid8) FROM PUBLIC;
GRANT ALL ON FUNCTION app.ledger_breaks_between(since xid8, upto xid8) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.ledger_breaks_of_entries(organise bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.live_menus() FROM PUBLIC;
GRANT ALL ON FUNCTION app.live_menus() TO wattdeck_api;
GRANT ALL ON FUNCTION app.live_menus() TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.lock_card_in_use(card bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.lock_card_in_use(card bigint) TO wattdeck_api;
GRANT ALL ON FUNCTION app.lock_card_in_use(card bigint) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.make_month(tbl text, child text, from_at timestamp with time zone, to_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.members_of_phone(asked text, organise bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.members_of_phone(asked text, organise bigint) TO wattdeck_api;
GRANT ALL ON FUNCTION app.members_of_phone(asked text, organise bigint) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.message_id(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION app.message_id(at timestamp with time zone) TO wattdeck_api;
GRANT ALL ON FUNCTION app.message_id(at timestamp with time zone) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.message_time(id bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.message_time(id bigint) TO wattdeck_api;
GRANT ALL ON FUNCTION app.message_time(id bigint) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.month_of(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION app.month_of(at timestamp with time zone) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.move_accounts() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.move_activity() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.move_member() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.move_member_blocks() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.move_members() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.move_rankings() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.move_site_blocks() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.move_stats() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.next_code(prefix text, sequence regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION app.next_code(prefix text, sequence regclass) TO wattdeck_api;
GRANT ALL ON FUNCTION app.next_code(prefix text, sequence regclass) TO wattdeck_worker;

REVOKE ALL ON PROCEDURE app.open_accounts(IN organises bigint[], IN kinds smallint[], IN owners bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.open_gift_lots(gift_accounts bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.order_breaks(organise bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.order_id() FROM PUBLIC;
GRANT ALL ON FUNCTION app.order_id() TO wattdeck_api;
GRANT ALL ON FUNCTION app.order_id() TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.order_payer(asked bigint, OUT nickname text, OUT phone text) FROM PUBLIC;
GRANT ALL ON FUNCTION app.order_payer(asked bigint, OUT nickname text, OUT phone text) TO wattdeck_api;
GRANT ALL ON FUNCTION app.order_payer(asked bigint, OUT nickname text, OUT phone text) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.order_tariff(asked bigint, OUT name text, OUT no integer, OUT display_text text) FROM PUBLIC;
GRANT ALL ON FUNCTION app.order_tariff(asked bigint, OUT name text, OUT no integer, OUT display_text text) TO wattdeck_api;
GRANT ALL ON FUNCTION app.order_tariff(asked bigint, OUT name text, OUT no integer, OUT display_text text) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.organise_id() FROM PUBLIC;
GRANT ALL ON FUNCTION app.organise_id() TO wattdeck_api;
GRANT ALL ON FUNCTION app.organise_id() TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.organise_stays() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.outage_base(from_at timestamp with time zone, upto_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION app.outage_base(from_at timestamp with time zone, upto_at timestamp with time zone) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.outage_hours(from_at timestamp with time zone, upto_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION app.outage_hours(from_at timestamp with time zone, upto_at timestamp with time zone) TO wattdeck_api;
GRANT ALL ON FUNCTION app.outage_hours(from_at timestamp with time zone, upto_at timestamp with time zone) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.partition_bounds(parent regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.partition_days_left(tbl text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION app.partition_days_left(tbl text, at timestamp with time zone) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.pass_breaks(organise bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.pass_breaks(organise bigint) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.pay_id() FROM PUBLIC;
GRANT ALL ON FUNCTION app.pay_id() TO wattdeck_api;
GRANT ALL ON FUNCTION app.pay_id() TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.place_breaks(from_day date, upto_day date) FROM PUBLIC;
GRANT ALL ON FUNCTION app.place_breaks(from_day date, upto_day date) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.ports_down(removed_at timestamp with time zone, install_status smallint, online boolean, port_count smallint, fault_ports smallint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.ports_down(removed_at timestamp with time zone, install_status smallint, online boolean, port_count smallint, fault_ports smallint) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.post(asked jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION app.post(asked jsonb) TO wattdeck_api;
GRANT ALL ON FUNCTION app.post(asked jsonb) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.posting_digest(id bigint, organise bigint, key text, kind smallint, ref text, memo text, posted_by text, posted_at timestamp with time zone, lines jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION app.posting_digest(id bigint, organise bigint, key text, kind smallint, ref text, memo text, posted_by text, posted_at timestamp with time zone, lines jsonb) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.posting_input(asked jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.prove_accounts(slice integer) FROM PUBLIC;
GRANT ALL ON FUNCTION app.prove_accounts(slice integer) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.prove_audit(organise bigint, again boolean, slice integer) FROM PUBLIC;
GRANT ALL ON FUNCTION app.prove_audit(organise bigint, again boolean, slice integer) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.prove_days(again boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION app.prove_days(again boolean) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.prove_orders(again boolean, slice integer) FROM PUBLIC;
GRANT ALL ON FUNCTION app.prove_orders(again boolean, slice integer) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.prove_postings(again boolean, slice integer) FROM PUBLIC;
GRANT ALL ON FUNCTION app.prove_postings(again boolean, slice integer) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.province_of(district text) FROM PUBLIC;
GRANT ALL ON FUNCTION app.province_of(district text) TO wattdeck_api;
GRANT ALL ON FUNCTION app.province_of(district text) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.rank_order() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.ranking_breaks(from_day date, upto_day date) FROM PUBLIC;
GRANT ALL ON FUNCTION app.ranking_breaks(from_day date, upto_day date) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.rankings_base() FROM PUBLIC;
GRANT ALL ON FUNCTION app.rankings_base() TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.rebuild_analysis(from_day date, upto_day date) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.rebuild_places(from_day date, upto_day date) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.rebuild_rankings(from_day date, upto_day date) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.rebuild_stats(from_day date, upto_day date) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.refund_step(was text, becomes text) FROM PUBLIC;
GRANT ALL ON FUNCTION app.refund_step(was text, becomes text) TO wattdeck_api;
GRANT ALL ON FUNCTION app.refund_step(was text, becomes text) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.refuse_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.refuse_move() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.refuse_unbalanced() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.return_coupon(of_order bigint, organise bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.return_coupon(of_order bigint, organise bigint) TO wattdeck_api;
GRANT ALL ON FUNCTION app.return_coupon(of_order bigint, organise bigint) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.roll_outages() FROM PUBLIC;
GRANT ALL ON FUNCTION app.roll_outages() TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.scope_level() FROM PUBLIC;
GRANT ALL ON FUNCTION app.scope_level() TO wattdeck_api;
GRANT ALL ON FUNCTION app.scope_level() TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.seal_ledger(slice integer, OUT sealed bigint, OUT more boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION app.seal_ledger(slice integer, OUT sealed bigint, OUT more boolean) TO wattdeck_worker;

REVOKE ALL ON PROCEDURE app.secure_organise_table(IN tbl regclass) FROM PUBLIC;

REVOKE ALL ON PROCEDURE app.secure_platform_table(IN tbl regclass) FROM PUBLIC;

REVOKE ALL ON PROCEDURE app.secure_tenant_table(IN tbl regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.service_status(until date) FROM PUBLIC;
GRANT ALL ON FUNCTION app.service_status(until date) TO wattdeck_api;
GRANT ALL ON FUNCTION app.service_status(until date) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.setting(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION app.setting(name text) TO wattdeck_api;
GRANT ALL ON FUNCTION app.setting(name text) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.settlement_stopped(organise bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.sim_carrier(iccid text) FROM PUBLIC;
GRANT ALL ON FUNCTION app.sim_carrier(iccid text) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.site_ids() FROM PUBLIC;
GRANT ALL ON FUNCTION app.site_ids() TO wattdeck_api;
GRANT ALL ON FUNCTION app.site_ids() TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_delta TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stat_delta TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.stat_base(from_at timestamp with time zone, upto_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION app.stat_base(from_at timestamp with time zone, upto_at timestamp with time zone) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.stat_breaks(from_day date, upto_day date) FROM PUBLIC;
GRANT ALL ON FUNCTION app.stat_breaks(from_day date, upto_day date) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.stat_figures(of_table regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION app.stat_figures(of_table regclass) TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_now_delta TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stat_now_delta TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.stat_now_base() FROM PUBLIC;
GRANT ALL ON FUNCTION app.stat_now_base() TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.stat_places(organise bigint, agent bigint, site bigint, district text) FROM PUBLIC;
GRANT ALL ON FUNCTION app.stat_places(organise bigint, agent bigint, site bigint, district text) TO wattdeck_api;
GRANT ALL ON FUNCTION app.stat_places(organise bigint, agent bigint, site bigint, district text) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.sum_account_days() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.sum_breaks(accounts bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION app.sum_breaks(accounts bigint[]) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.tell_pay_work() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.tell_piles() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.touch() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.uncount_order() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.use_gift(organise bigint, member bigint, fen bigint, kind smallint, ref text, granted_by text) FROM PUBLIC;

REVOKE ALL ON FUNCTION app.user_rights(person bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.user_rights(person bigint) TO wattdeck_api;
GRANT ALL ON FUNCTION app.user_rights(person bigint) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.version_in_force(asked bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION app.version_in_force(asked bigint) TO wattdeck_api;
GRANT ALL ON FUNCTION app.version_in_force(asked bigint) TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.visits_since() FROM PUBLIC;
GRANT ALL ON FUNCTION app.visits_since() TO wattdeck_api;
GRANT ALL ON FUNCTION app.visits_since() TO wattdeck_worker;

REVOKE ALL ON FUNCTION app.wake_charges() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.wake_commands() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.wake_relay() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.watch_outages() FROM PUBLIC;

REVOKE ALL ON FUNCTION app.write_name_tails() FROM PUBLIC;

GRANT SELECT ON TABLE public.account TO wattdeck_api;
GRANT SELECT ON TABLE public.account TO wattdeck_worker;

GRANT SELECT ON TABLE public.account_day TO wattdeck_api;
GRANT SELECT ON TABLE public.account_day TO wattdeck_worker;

GRANT SELECT ON TABLE public.account_sum TO wattdeck_api;
GRANT SELECT ON TABLE public.account_sum TO wattdeck_worker;

GRANT USAGE ON SEQUENCE public.agent_code TO wattdeck_api;
GRANT USAGE ON SEQUENCE public.agent_code TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.agent TO wattdeck_api;
GRANT SELECT ON TABLE public.agent TO wattdeck_worker;

GRANT SELECT,UPDATE ON TABLE public.alarm TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.alarm TO wattdeck_worker;

GRANT SELECT ON TABLE public.alarm_attempt TO wattdeck_api;
GRANT SELECT,INSERT ON TABLE public.alarm_attempt TO wattdeck_worker;

GRANT SELECT,UPDATE ON TABLE public.alarm_default TO wattdeck_api;
GRANT SELECT ON TABLE public.alarm_default TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.alarm_rule TO wattdeck_api;
GRANT SELECT ON TABLE public.alarm_rule TO wattdeck_worker;

GRANT SELECT,INSERT ON TABLE public.alarm_signal TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.alarm_signal TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.alipay_attempt TO wattdeck_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.alipay_attempt TO wattdeck_worker;

GRANT SELECT ON TABLE public.alipay_authorisation TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.alipay_authorisation TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.alipay_invite TO wattdeck_api;
GRANT SELECT,UPDATE ON TABLE public.alipay_invite TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.attempt TO wattdeck_api;
GRANT SELECT,DELETE ON TABLE public.attempt TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.attribute_template TO wattdeck_api;
GRANT SELECT ON TABLE public.attribute_template TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.attribute_template_item TO wattdeck_api;
GRANT SELECT ON TABLE public.attribute_template_item TO wattdeck_worker;

GRANT SELECT ON TABLE public.audit_chain TO wattdeck_worker;

GRANT SELECT ON TABLE public.audit_device TO wattdeck_api;

GRANT SELECT,DELETE ON TABLE public.audit_pending TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.audit_proof TO wattdeck_worker;

GRANT SELECT,INSERT ON TABLE public.balance_adjustment TO wattdeck_api;
GRANT SELECT ON TABLE public.balance_adjustment TO wattdeck_worker;

GRANT UPDATE(status) ON TABLE public.balance_adjustment TO wattdeck_api;

GRANT UPDATE(decided_by_id) ON TABLE public.balance_adjustment TO wattdeck_api;

GRANT UPDATE(decided_by) ON TABLE public.balance_adjustment TO wattdeck_api;

GRANT UPDATE(decided_at) ON TABLE public.balance_adjustment TO wattdeck_api;

GRANT UPDATE(decision) ON TABLE public.balance_adjustment TO wattdeck_api;

GRANT SELECT,INSERT,UPDATE ON TABLE public.batch_item TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.batch_item TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.batch_job TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.batch_job TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.captcha TO wattdeck_api;
GRANT SELECT,DELETE ON TABLE public.captcha TO wattdeck_worker;

GRANT SELECT,INSERT ON TABLE public.card_replacement TO wattdeck_api;
GRANT SELECT ON TABLE public.card_replacement TO wattdeck_worker;

GRANT UPDATE(status) ON TABLE public.card_replacement TO wattdeck_api;

GRANT UPDATE(decided_by_id) ON TABLE public.card_replacement TO wattdeck_api;

GRANT UPDATE(decided_by) ON TABLE public.card_replacement TO wattdeck_api;

GRANT UPDATE(decided_at) ON TABLE public.card_replacement TO wattdeck_api;

GRANT UPDATE(decision) ON TABLE public.card_replacement TO wattdeck_api;

GRANT SELECT,INSERT ON TABLE public.card_step TO wattdeck_api;
GRANT SELECT,INSERT ON TABLE public.card_step TO wattdeck_worker;

GRANT SELECT ON TABLE public.card_swipe TO wattdeck_api;
GRANT SELECT,INSERT ON TABLE public.card_swipe TO wattdeck_worker;

GRANT SELECT ON TABLE public.channel_bill TO wattdeck_api;
GRANT SELECT,INSERT ON TABLE public.channel_bill TO wattdeck_worker;

GRANT SELECT ON TABLE public.channel_bill_line TO wattdeck_api;
GRANT SELECT,INSERT ON TABLE public.channel_bill_line TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.charge_news TO wattdeck_worker;

GRANT SELECT ON TABLE public.charge_sample TO wattdeck_api;
GRANT SELECT,INSERT ON TABLE public.charge_sample TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.charging_order TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.charging_order TO wattdeck_worker;

GRANT USAGE ON SEQUENCE public.charging_order_count TO wattdeck_api;
GRANT USAGE ON SEQUENCE public.charging_order_count TO wattdeck_worker;

GRANT SELECT ON TABLE public.coupon TO wattdeck_worker;
GRANT SELECT,INSERT ON TABLE public.coupon TO wattdeck_api;

GRANT UPDATE(granted) ON TABLE public.coupon TO wattdeck_api;

GRANT UPDATE(status) ON TABLE public.coupon TO wattdeck_api;

GRANT UPDATE(decided_by_id) ON TABLE public.coupon TO wattdeck_api;

GRANT UPDATE(decided_by) ON TABLE public.coupon TO wattdeck_api;

GRANT UPDATE(decided_at) ON TABLE public.coupon TO wattdeck_api;

GRANT UPDATE(decision) ON TABLE public.coupon TO wattdeck_api;

GRANT SELECT,INSERT ON TABLE public.credential_change TO wattdeck_api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.department TO wattdeck_api;
GRANT SELECT ON TABLE public.department TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.department_menu TO wattdeck_api;
GRANT SELECT ON TABLE public.department_menu TO wattdeck_worker;

GRANT SELECT,INSERT ON TABLE public.desk_shift TO wattdeck_api;
GRANT SELECT ON TABLE public.desk_shift TO wattdeck_worker;

GRANT UPDATE(status) ON TABLE public.desk_shift TO wattdeck_api;

GRANT UPDATE(closed_at) ON TABLE public.desk_shift TO wattdeck_api;

GRANT UPDATE(recharges) ON TABLE public.desk_shift TO wattdeck_api;

GRANT UPDATE(expected_fen) ON TABLE public.desk_shift TO wattdeck_api;

GRANT UPDATE(counted_fen) ON TABLE public.desk_shift TO wattdeck_api;

GRANT UPDATE(reason) ON TABLE public.desk_shift TO wattdeck_api;

GRANT UPDATE(received_by_id) ON TABLE public.desk_shift TO wattdeck_api;

GRANT UPDATE(received_by) ON TABLE public.desk_shift TO wattdeck_api;

GRANT UPDATE(received_at) ON TABLE public.desk_shift TO wattdeck_api;

GRANT UPDATE(received_fen) ON TABLE public.desk_shift TO wattdeck_api;

GRANT UPDATE(received_reason) ON TABLE public.desk_shift TO wattdeck_api;

GRANT SELECT,INSERT,UPDATE ON TABLE public.device TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.device TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.device_attribute TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.device_attribute TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.device_category TO wattdeck_api;
GRANT SELECT ON TABLE public.device_category TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.device_command TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.device_command TO wattdeck_worker;

GRANT USAGE ON SEQUENCE public.device_command_count TO wattdeck_api;
GRANT USAGE ON SEQUENCE public.device_command_count TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.device_credential TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.device_credential TO wattdeck_worker;

GRANT SELECT,UPDATE ON TABLE public.device_dead_letter TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.device_dead_letter TO wattdeck_worker;

GRANT SELECT ON TABLE public.device_event TO wattdeck_api;
GRANT SELECT,INSERT ON TABLE public.device_event TO wattdeck_worker;

GRANT SELECT ON TABLE public.device_message TO wattdeck_api;
GRANT SELECT,INSERT ON TABLE public.device_message TO wattdeck_worker;

GRANT SELECT ON TABLE public.device_outage TO wattdeck_api;
GRANT SELECT ON TABLE public.device_outage TO wattdeck_worker;

GRANT SELECT ON TABLE public.device_record TO wattdeck_api;
GRANT SELECT,INSERT ON TABLE public.device_record TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.device_state TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.device_state TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.device_type TO wattdeck_api;
GRANT SELECT ON TABLE public.device_type TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.device_type_key TO wattdeck_api;

GRANT SELECT,INSERT,UPDATE ON TABLE public.download TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.download TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.dtu_protocol TO wattdeck_api;
GRANT SELECT ON TABLE public.dtu_protocol TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.enterprise_refund TO wattdeck_api;
GRANT SELECT ON TABLE public.enterprise_refund TO wattdeck_worker;

GRANT SELECT ON TABLE public.entry TO wattdeck_api;
GRANT SELECT ON TABLE public.entry TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.factor_reset TO wattdeck_api;

GRANT SELECT ON TABLE public.gift_lot TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.help_document TO wattdeck_api;

GRANT SELECT,INSERT,UPDATE ON TABLE public.help_feedback TO wattdeck_api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_key TO wattdeck_api;
GRANT SELECT,DELETE ON TABLE public.idempotency_key TO wattdeck_worker;

GRANT SELECT ON TABLE public.incident TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.incident TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.instruction TO wattdeck_api;
GRANT SELECT,INSERT ON TABLE public.instruction TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.instruction_set TO wattdeck_api;
GRANT SELECT,INSERT ON TABLE public.instruction_set TO wattdeck_worker;

GRANT SELECT ON TABLE public.ledger_block TO wattdeck_worker;

GRANT SELECT ON TABLE public.ledger_edge TO wattdeck_api;
GRANT SELECT ON TABLE public.ledger_edge TO wattdeck_worker;

GRANT SELECT,UPDATE ON TABLE public.ledger_proof TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.ledger_proof_day TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.ledger_proof_head TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.login_ticket TO wattdeck_api;
GRANT SELECT,DELETE ON TABLE public.login_ticket TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.member TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.member TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.member_app TO wattdeck_api;
GRANT SELECT ON TABLE public.member_app TO wattdeck_worker;

GRANT SELECT,INSERT ON TABLE public.member_block TO wattdeck_api;
GRANT SELECT ON TABLE public.member_block TO wattdeck_worker;

GRANT UPDATE(lifted_at) ON TABLE public.member_block TO wattdeck_api;

GRANT UPDATE(lifted_by_id) ON TABLE public.member_block TO wattdeck_api;

GRANT UPDATE(lifted_by) ON TABLE public.member_block TO wattdeck_api;

GRANT UPDATE(lift_reason) ON TABLE public.member_block TO wattdeck_api;

GRANT SELECT,INSERT,UPDATE ON TABLE public.member_identity TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.member_identity TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.member_plan TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.member_plan TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.menu TO wattdeck_api;
GRANT SELECT ON TABLE public.menu TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.message_replay TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.message_replay TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.monthly_plan TO wattdeck_api;
GRANT SELECT ON TABLE public.monthly_plan TO wattdeck_worker;

GRANT SELECT,INSERT ON TABLE public.monthly_plan_version TO wattdeck_api;
GRANT SELECT ON TABLE public.monthly_plan_version TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.notification TO wattdeck_api;
GRANT SELECT,INSERT ON TABLE public.notification TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.notification_preference TO wattdeck_api;

GRANT SELECT,INSERT ON TABLE public.offline_recharge TO wattdeck_api;
GRANT SELECT ON TABLE public.offline_recharge TO wattdeck_worker;

GRANT UPDATE(status) ON TABLE public.offline_recharge TO wattdeck_api;

GRANT UPDATE(decided_by_id) ON TABLE public.offline_recharge TO wattdeck_api;

GRANT UPDATE(decided_by) ON TABLE public.offline_recharge TO wattdeck_api;

GRANT UPDATE(decided_at) ON TABLE public.offline_recharge TO wattdeck_api;

GRANT UPDATE(decision) ON TABLE public.offline_recharge TO wattdeck_api;

GRANT UPDATE(recharge_id) ON TABLE public.offline_recharge TO wattdeck_api;

GRANT SELECT,INSERT,UPDATE ON TABLE public.open_app TO wattdeck_api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.open_charge TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.open_charge TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.operation_area TO wattdeck_api;

GRANT SELECT,INSERT,DELETE ON TABLE public.operation_area_site TO wattdeck_api;

GRANT SELECT,INSERT,DELETE ON TABLE public.operation_area_user TO wattdeck_api;

GRANT USAGE ON SEQUENCE public.organise_code TO wattdeck_api;
GRANT USAGE ON SEQUENCE public.organise_code TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.organise TO wattdeck_api;
GRANT SELECT ON TABLE public.organise TO wattdeck_worker;

GRANT UPDATE(basic_service_status) ON TABLE public.organise TO wattdeck_api;
GRANT UPDATE(basic_service_status) ON TABLE public.organise TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.organise_base_service TO wattdeck_api;
GRANT SELECT ON TABLE public.organise_base_service TO wattdeck_worker;

GRANT SELECT ON TABLE public.outage_mark TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.outage_mark TO wattdeck_worker;

GRANT SELECT,INSERT ON TABLE public.outbox TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.outbox TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.passkey TO wattdeck_api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.passkey_challenge TO wattdeck_api;
GRANT SELECT,DELETE ON TABLE public.passkey_challenge TO wattdeck_worker;

GRANT USAGE ON SEQUENCE public.pay_count TO wattdeck_api;
GRANT USAGE ON SEQUENCE public.pay_count TO wattdeck_worker;

GRANT SELECT ON TABLE public.pay_key TO wattdeck_api;
GRANT SELECT ON TABLE public.pay_key TO wattdeck_worker;

GRANT INSERT(organise_id) ON TABLE public.pay_key TO wattdeck_api;

GRANT INSERT(merchant_id) ON TABLE public.pay_key TO wattdeck_api;

GRANT INSERT(serial) ON TABLE public.pay_key TO wattdeck_api;

GRANT INSERT(secret_sealed) ON TABLE public.pay_key TO wattdeck_api;

GRANT INSERT(provider_key_id) ON TABLE public.pay_key TO wattdeck_api;

GRANT INSERT(provider_key) ON TABLE public.pay_key TO wattdeck_api;

GRANT INSERT(created_by) ON TABLE public.pay_key TO wattdeck_api;

GRANT UPDATE(retired_at) ON TABLE public.pay_key TO wattdeck_api;
GRANT UPDATE(retired_at) ON TABLE public.pay_key TO wattdeck_worker;

GRANT INSERT(asked_by) ON TABLE public.pay_key TO wattdeck_api;

GRANT UPDATE(approved_by) ON TABLE public.pay_key TO wattdeck_api;

GRANT UPDATE(approved_at) ON TABLE public.pay_key TO wattdeck_api;

GRANT UPDATE(live_at) ON TABLE public.pay_key TO wattdeck_worker;

GRANT UPDATE(try_at) ON TABLE public.pay_key TO wattdeck_api;
GRANT UPDATE(try_at) ON TABLE public.pay_key TO wattdeck_worker;

GRANT UPDATE(tries) ON TABLE public.pay_key TO wattdeck_worker;

GRANT UPDATE(words) ON TABLE public.pay_key TO wattdeck_api;
GRANT UPDATE(words) ON TABLE public.pay_key TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.pay_merchant TO wattdeck_api;
GRANT SELECT ON TABLE public.pay_merchant TO wattdeck_worker;

GRANT UPDATE(tested_at) ON TABLE public.pay_merchant TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.pay_notice TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.pay_notice TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.pay_order TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.pay_order TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.pay_refund TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.pay_refund TO wattdeck_worker;

GRANT SELECT,INSERT ON TABLE public.personal_reveal TO wattdeck_api;

GRANT SELECT,INSERT,UPDATE ON TABLE public.plan_order TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.plan_order TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.plan_use TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.plan_use TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.platform_attribute TO wattdeck_api;
GRANT SELECT ON TABLE public.platform_attribute TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.port TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.port TO wattdeck_worker;

GRANT SELECT ON TABLE public.posting TO wattdeck_api;
GRANT SELECT ON TABLE public.posting TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.qr_batch TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.qr_batch TO wattdeck_worker;

GRANT SELECT,UPDATE ON TABLE public.qr_code TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.qr_code TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.qr_suspicion TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.qr_suspicion TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.recharge_order TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.recharge_order TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.recharge_plan TO wattdeck_api;
GRANT SELECT ON TABLE public.recharge_plan TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.recharge_refund TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.recharge_refund TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.recharge_tier TO wattdeck_api;
GRANT SELECT ON TABLE public.recharge_tier TO wattdeck_worker;

GRANT SELECT ON TABLE public.recon_break TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.recon_break TO wattdeck_worker;

GRANT UPDATE(owner_id) ON TABLE public.recon_break TO wattdeck_api;

GRANT UPDATE(status) ON TABLE public.recon_break TO wattdeck_api;

GRANT UPDATE(closed_at) ON TABLE public.recon_break TO wattdeck_api;

GRANT UPDATE(closed_by) ON TABLE public.recon_break TO wattdeck_api;

GRANT UPDATE(why) ON TABLE public.recon_break TO wattdeck_api;

GRANT UPDATE(repair_key) ON TABLE public.recon_break TO wattdeck_api;

GRANT SELECT,INSERT ON TABLE public.recon_repair TO wattdeck_api;
GRANT SELECT ON TABLE public.recon_repair TO wattdeck_worker;

GRANT UPDATE(status) ON TABLE public.recon_repair TO wattdeck_api;
GRANT UPDATE(status) ON TABLE public.recon_repair TO wattdeck_worker;

GRANT UPDATE(decided_by_id) ON TABLE public.recon_repair TO wattdeck_api;
GRANT UPDATE(decided_by_id) ON TABLE public.recon_repair TO wattdeck_worker;

GRANT UPDATE(decided_by) ON TABLE public.recon_repair TO wattdeck_api;
GRANT UPDATE(decided_by) ON TABLE public.recon_repair TO wattdeck_worker;

GRANT UPDATE(decided_at) ON TABLE public.recon_repair TO wattdeck_api;
GRANT UPDATE(decided_at) ON TABLE public.recon_repair TO wattdeck_worker;

GRANT UPDATE(decision) ON TABLE public.recon_repair TO wattdeck_api;
GRANT UPDATE(decision) ON TABLE public.recon_repair TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.recon_run TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.recon_run TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.recovery_code TO wattdeck_api;

GRANT SELECT,INSERT,UPDATE ON TABLE public.refund_order TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.refund_order TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.refund_policy TO wattdeck_api;
GRANT SELECT ON TABLE public.refund_policy TO wattdeck_worker;

GRANT SELECT ON TABLE public.region TO wattdeck_api;
GRANT SELECT ON TABLE public.region TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.repair_ticket TO wattdeck_api;
GRANT SELECT,INSERT ON TABLE public.repair_ticket TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.resource TO wattdeck_api;
GRANT SELECT ON TABLE public.resource TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.role TO wattdeck_api;
GRANT SELECT ON TABLE public.role TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.role_menu TO wattdeck_api;
GRANT SELECT ON TABLE public.role_menu TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.role_resource TO wattdeck_api;
GRANT SELECT ON TABLE public.role_resource TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.saved_view TO wattdeck_api;

GRANT SELECT,INSERT ON TABLE public.screen_link TO wattdeck_api;

GRANT UPDATE(last_used_at) ON TABLE public.screen_link TO wattdeck_api;

GRANT UPDATE(revoked_at) ON TABLE public.screen_link TO wattdeck_api;

GRANT UPDATE(revoked_by) ON TABLE public.screen_link TO wattdeck_api;

GRANT UPDATE(updated_at) ON TABLE public.screen_link TO wattdeck_api;

GRANT SELECT,INSERT,UPDATE ON TABLE public.session TO wattdeck_api;
GRANT SELECT,DELETE ON TABLE public.session TO wattdeck_worker;

GRANT USAGE ON SEQUENCE public.site_code TO wattdeck_api;
GRANT USAGE ON SEQUENCE public.site_code TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.site TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.site TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE ON TABLE public.site_name_tail TO wattdeck_api;
GRANT SELECT,INSERT,DELETE ON TABLE public.site_name_tail TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.sms_code TO wattdeck_api;
GRANT SELECT,DELETE ON TABLE public.sms_code TO wattdeck_worker;

GRANT SELECT,INSERT ON TABLE public.sms_message TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sms_message TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_cohort TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stat_cohort TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_cohort_delta TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stat_cohort_delta TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_cohort_live TO wattdeck_api;
GRANT SELECT ON TABLE public.stat_cohort_live TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_day TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stat_day TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_day_live TO wattdeck_api;
GRANT SELECT ON TABLE public.stat_day_live TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_device TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stat_device TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_device_delta TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stat_device_delta TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_hour TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stat_hour TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_hour_live TO wattdeck_api;
GRANT SELECT ON TABLE public.stat_hour_live TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_latest TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stat_latest TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_month TO wattdeck_api;
GRANT SELECT ON TABLE public.stat_month TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_month_live TO wattdeck_api;
GRANT SELECT ON TABLE public.stat_month_live TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_now TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stat_now TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_now_live TO wattdeck_api;
GRANT SELECT ON TABLE public.stat_now_live TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_outage TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stat_outage TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_outage_delta TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stat_outage_delta TO wattdeck_worker;

GRANT SELECT ON TABLE public.stat_outage_live TO wattdeck_api;
GRANT SELECT ON TABLE public.stat_outage_live TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.stored_card TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.stored_card TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.stored_file TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stored_file TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.supplier TO wattdeck_api;
GRANT SELECT ON TABLE public.supplier TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tariff TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tariff TO wattdeck_worker;

GRANT SELECT,INSERT ON TABLE public.tariff_lab TO wattdeck_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.tariff_lab TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.tariff_push TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.tariff_push TO wattdeck_worker;

GRANT SELECT,DELETE ON TABLE public.tariff_push_due TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tariff_version TO wattdeck_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tariff_version TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.user_account TO wattdeck_api;
GRANT SELECT ON TABLE public.user_account TO wattdeck_worker;

GRANT UPDATE(agent_id) ON TABLE public.user_account TO wattdeck_worker;

GRANT SELECT,INSERT ON TABLE public.user_password_history TO wattdeck_api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.user_role TO wattdeck_api;
GRANT SELECT ON TABLE public.user_role TO wattdeck_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.whitelist_entry TO wattdeck_api;
GRANT SELECT,UPDATE ON TABLE public.whitelist_entry TO wattdeck_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.whitelist_use TO wattdeck_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.whitelist_use TO wattdeck_worker;

ALTER DEFAULT PRIVILEGES FOR ROLE wattdeck_owner REVOKE ALL ON FUNCTIONS  FROM PUBLIC;
