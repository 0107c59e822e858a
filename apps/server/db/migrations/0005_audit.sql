-- Up Migration

-- What was done, by whom, with every changed row before and after. Append-only for everybody but the owner; each
-- organisation's rows form a chain of hashes, so a row changed or removed behind our back is found.
create table audit_log (
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  user_id bigint,
  user_name text,
  login_name text,
  module text not null,
  kind text not null,
  content text not null,
  path text not null,
  ip inet,
  duration_ms int not null,
  result smallint not null check (result in (0, 1)),
  reason text,
  request_id text not null,
  changes jsonb not null default '[]',
  seq bigint not null,
  prev_hash bytea not null,
  hash bytea not null,
  primary key (id, at)
) partition by range (at);
create index audit_log_list on audit_log (organise_id, at desc, id desc);
-- The platform reads all organisations' lines together.
create index audit_log_recent on audit_log (at desc, id desc);
create index audit_log_user on audit_log (user_id, at desc);
create index audit_log_chain on audit_log (organise_id, seq);
call app.secure_tenant_table('audit_log');

create table audit_chain (
  organise_id bigint primary key,
  seq bigint not null,
  hash bytea not null
);
alter table audit_chain enable row level security;
alter table audit_chain force row level security;
create policy tenant on audit_chain
  using (case (select app.scope_level()) when 0 then true else organise_id = (select app.organise_id()) end);

-- Makes the partitions of a table from last month to some months ahead. A worker calls it every hour.
create function app.ensure_months(tbl text, ahead int) returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month date;
  made int := 0;
  child text;
begin
  for month in select generate_series(date_trunc('month', now()) - interval '1 month', date_trunc('month', now()) + make_interval(months => ahead), interval '1 month')::date loop
    child := format('%s_%s', tbl, to_char(month, 'YYYYMM'));
    if to_regclass(child) is null then
      execute format('create table %I partition of %I for values from (%L) to (%L)', child, tbl, month, (month + interval '1 month')::date);
      made := made + 1;
    end if;
  end loop;
  return made;
end $$;
revoke all on function app.ensure_months from public;
select app.ensure_months('audit_log', 3);

create function app.audit_hash(prev bytea, entry audit_log) returns bytea language sql stable as $$
  select sha256(prev || convert_to(jsonb_build_array(
    entry.organise_id, entry.agent_id, entry.site_id, entry.seq, entry.duration_ms, (extract(epoch from entry.at) * 1000000)::bigint, entry.user_id, entry.user_name, entry.login_name,
    entry.module, entry.kind, entry.content, entry.path, host(entry.ip), entry.result, entry.reason, entry.request_id, entry.changes
  )::text, 'UTF8'))
$$;

-- The one way into the log. SECURITY DEFINER, reviewed: it inserts one row in the caller's scope and advances the
-- chain of that organisation; the caller holds no other right on these tables than reading the log.
create function app.audit_append(entry jsonb) returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head audit_chain;
  made audit_log;
begin
  insert into audit_chain values ((entry ->> 'organise_id')::bigint, 0, '\x00') on conflict do nothing;
  select * into strict head from audit_chain where organise_id = (entry ->> 'organise_id')::bigint for update;
  made := jsonb_populate_record(null::audit_log, entry);
  made.at := clock_timestamp();
  with taken as (delete from audit_pending where txid = pg_current_xact_id() returning id, change)
  select coalesce(jsonb_agg(change order by id), '[]') into made.changes from taken;
  made.seq := head.seq + 1;
  made.prev_hash := head.hash;
  made.hash := app.audit_hash(head.hash, made);
  insert into audit_log (at, organise_id, agent_id, site_id, user_id, user_name, login_name, module, kind, content, path, ip, duration_ms, result, reason, request_id, changes, seq, prev_hash, hash)
  values (made.at, made.organise_id, made.agent_id, made.site_id, made.user_id, made.user_name, made.login_name, made.module, made.kind, made.content, made.path, made.ip, made.duration_ms, made.result, made.reason, made.request_id, made.changes, made.seq, made.prev_hash, made.hash)
  returning id into made.id;
  update audit_chain set seq = made.seq, hash = made.hash where organise_id = made.organise_id;
  return made.id;
end $$;
revoke all on function app.audit_append from public;

-- Each broken link of the chain: a row whose hash is not its own, a gap, or a head that no row carries.
create function app.audit_breaks() returns table (organise_id bigint, seq bigint, what text) language sql stable as $$
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
revoke all on function app.audit_breaks from public;

-- Down Migration
drop function app.audit_breaks, app.audit_append, app.audit_hash(bytea, audit_log), app.ensure_months;
drop table audit_chain, audit_log;
