-- Up Migration

-- Proofs from a checkpoint. What is proven is not read again the next night: each proof walks what is new, and a thirtieth
-- of what is old, in slices. The checkpoint holds the hash up to which a chain is proven, so a chain that is rewritten as a
-- whole is found, too. A checkpoint does not move past a break: the next run finds it again. A slice takes the row of its
-- checkpoint; a second run beside it finds the row locked and does nothing.

create table audit_proof (
  organise_id bigint primary key,
  seq bigint not null default 0,
  hash bytea not null default '\x00',
  -- How far the rolling proof of old entries has come.
  again_seq bigint not null default 0,
  again_hash bytea not null default '\x00',
  proven_at timestamptz not null default now()
);
alter table audit_proof enable row level security;
alter table audit_proof force row level security;
create policy tenant on audit_proof
  using (case (select app.scope_level()) when 0 then true else organise_id = (select app.organise_id()) end);

-- Proves the next entries of one chain; again: the next of those that were proven before.
-- Returns {more, read, breaks: [{seq, what}]}.
create function app.prove_audit(organise bigint, again boolean, slice int) returns jsonb language plpgsql as $$
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

-- What is proven of the ledger. Everything in transactions before `upto`; accounts and orders by their id.
create table ledger_proof (
  id smallint primary key check (id = 1),
  upto xid8 not null default '0',
  again_upto xid8 not null default '0',
  -- Rolling proofs: balances of accounts, days of accounts that only collect, bills of orders.
  account_id bigint not null default 0,
  day date not null default '2000-01-01',
  again_day date not null default '2000-01-01',
  order_id bigint not null default 0,
  again_order_id bigint not null default 0,
  proven_at timestamptz not null default now()
);
insert into ledger_proof (id) values (1);
alter table ledger_proof enable row level security;
alter table ledger_proof force row level security;
create policy reading on ledger_proof using ((select app.scope_level()) = 0);

-- The last block of each organisation that is proven.
create table ledger_proof_head (
  organise_id bigint primary key,
  no bigint not null,
  hash bytea not null
);
alter table ledger_proof_head enable row level security;
alter table ledger_proof_head force row level security;
create policy reading on ledger_proof_head using ((select app.scope_level()) = 0);

-- What entries that are proven say of the days of accounts that only collect.
create table ledger_proof_day (
  account_id bigint not null,
  day date not null,
  fen bigint not null,
  entries bigint not null,
  primary key (account_id, day)
);
create index ledger_proof_day_day on ledger_proof_day (day);
create index account_day_day on account_day (day);
alter table ledger_proof_day enable row level security;
alter table ledger_proof_day force row level security;
create policy reading on ledger_proof_day using ((select app.scope_level()) = 0);

create index ledger_block_from on ledger_block (from_xid);
create index ledger_block_own on ledger_block (organise_id, from_xid);

-- Accounts whose balance is not what their newest entry says.
create function app.account_breaks(accounts bigint[])
returns table (organise_id bigint, what text, ref text) language sql stable as $$
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
$$;

-- Breaks among the postings of these transactions, their entries and their blocks. `since` and `upto` are edges.
create function app.ledger_breaks_between(since xid8, upto xid8)
returns table (organise_id bigint, what text, ref text) language sql stable as $$
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

-- Accounts that only collect whose sums are not what their days say.
create function app.sum_breaks(accounts bigint[])
returns table (organise_id bigint, what text, ref text) language sql stable as $$
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

-- Proves the postings of the next transactions; again: the next of those that were proven before.
create function app.prove_postings(again boolean, slice int) returns jsonb language plpgsql as $$
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

-- Proves the next accounts by their id, from the first when the last is reached.
create function app.prove_accounts(slice int) returns jsonb language plpgsql as $$
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

-- Proves the next day of accounts that only collect, up to two days before the first transaction that is not proven; again:
-- from the first day on.
create function app.prove_days(again boolean) returns jsonb language plpgsql as $$
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

-- Proves that the next orders were billed as they say, up to those of two days ago; again: from the first on.
create function app.prove_orders(again boolean, slice int) returns jsonb language plpgsql as $$
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

-- Money that is put aside for no open order, or the other way round: what stands there now, not history.
create function app.held_breaks() returns table (organise_id bigint, what text, ref text) language sql stable as $$
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

revoke all on function
  app.prove_audit, app.prove_postings, app.prove_accounts, app.prove_days, app.prove_orders, app.held_breaks,
  app.ledger_breaks_between, app.account_breaks, app.sum_breaks
from public;
grant execute on function
  app.prove_audit, app.prove_postings, app.prove_accounts, app.prove_days, app.prove_orders, app.held_breaks,
  app.ledger_breaks_between, app.account_breaks, app.sum_breaks
to wattdeck_worker;
grant select, insert, update on audit_proof, ledger_proof_head, ledger_proof_day to wattdeck_worker;
grant select, update on ledger_proof to wattdeck_worker;

-- Down Migration
drop function app.held_breaks, app.prove_orders, app.prove_days, app.prove_accounts, app.prove_postings, app.ledger_breaks_between,
  app.sum_breaks, app.account_breaks, app.prove_audit;
drop index ledger_block_own, ledger_block_from, account_day_day;
drop table ledger_proof_day, ledger_proof_head, ledger_proof, audit_proof;
