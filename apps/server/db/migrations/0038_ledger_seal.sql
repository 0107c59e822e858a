-- Up Migration

-- What accounts that only collect got and gave in a day of Shanghai, of all entries before the edge.
create table account_day (
  account_id bigint not null references account,
  day date not null,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  in_fen bigint not null,
  out_fen bigint not null,
  entries bigint not null,
  primary key (account_id, day)
);
call app.secure_tenant_table('account_day');

-- Each organisation's postings, sealed in blocks that name the one before: what is changed behind our back is found.
create table ledger_block (
  organise_id bigint not null,
  no bigint not null,
  from_xid xid8 not null,
  upto_xid xid8 not null,
  postings int not null,
  prev_hash bytea not null,
  hash bytea not null,
  sealed_at timestamptz not null default now(),
  primary key (organise_id, no)
);
alter table ledger_block enable row level security;
alter table ledger_block force row level security;
create policy tenant on ledger_block
  using (case (select app.scope_level()) when 0 then true else organise_id = (select app.organise_id()) end);

-- All transactions before this one have ended: what they posted is sealed and added up. One row.
create table ledger_edge (
  id smallint primary key check (id = 1),
  upto xid8 not null
);
insert into ledger_edge values (1, '0');
alter table ledger_edge enable row level security;
alter table ledger_edge force row level security;
create policy reading on ledger_edge using ((select app.scope_level()) >= 0);

create trigger never_changes before update or delete on ledger_block for each row execute function app.refuse_change();

-- Seals what was posted since the last time and adds up the accounts that only collect. Answers how many postings.
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

-- The balance of any account now: kept, or added up with what came since the edge.
create function app.account_balance(asked bigint) returns bigint language sql stable as $$
  select case when account.summed then
      coalesce((select sum(in_fen - out_fen) from account_day where account_day.account_id = account.id), 0)
      + coalesce((select sum(amount_fen) from entry where later >= (select upto from ledger_edge) and entry.account_id = account.id), 0)
    else account.balance_fen end
  from account where id = asked
$$;

-- Each thing that is not as it must be, of one organisation or of all, in one moment while everything runs.
create function app.ledger_breaks(organise bigint default null) returns table (organise_id bigint, what text, ref text) language sql stable as $$
  with edge as materialized (select upto from ledger_edge), booked as materialized (
    select entry.* from entry where organise is null or entry.organise_id = organise
  ), made as materialized (
    select posting.* from posting where organise is null or posting.organise_id = organise
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
    select own.*, lag(own.hash, 1, '\x00'::bytea) over chain as last_hash, lag(own.no, 1, 0::bigint) over chain as last_no,
      (select string_agg(made.digest, ''::bytea order by made.id) from made where made.organise_id = own.organise_id and made.xid >= own.from_xid and made.xid < own.upto_xid) as digests
    from ledger_block own where organise is null or own.organise_id = organise
    window chain as (partition by own.organise_id order by own.no)
  ) block
  where block.no <> block.last_no + 1 or block.prev_hash <> block.last_hash or block.hash is distinct from sha256(block.prev_hash || block.digests)
  union all
  -- A block cut off at the end takes its postings out of the chain.
  select made.organise_id, 'not sealed', made.key from made
  where made.xid < (select upto from edge) and not exists (select from ledger_block block
    where block.organise_id = made.organise_id and made.xid >= block.from_xid and made.xid < block.upto_xid)
$$;

revoke all on function app.seal_ledger, app.ledger_breaks from public;
grant select on account_day, ledger_edge to wattdeck_api, wattdeck_worker;
grant select on ledger_block to wattdeck_worker;
grant execute on function app.seal_ledger, app.ledger_breaks to wattdeck_worker;

-- Down Migration
drop function app.ledger_breaks, app.account_balance, app.seal_ledger;
drop table ledger_edge, ledger_block, account_day;
