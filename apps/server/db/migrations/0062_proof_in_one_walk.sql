-- Up Migration

-- The proof of the ledger, as in 0054 but for the chain: for each block it looked through all postings, and for each posting
-- through the blocks. A block is made each second, so the proof took the longer the longer the system had run, by the square:
-- more than six minutes for 190,000 postings in 5200 blocks. Here both are sorted once and walked together.
create or replace function app.ledger_breaks_of_entries(organise bigint default null) returns table (organise_id bigint, what text, ref text) language sql stable as $$
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

-- Down Migration
create or replace function app.ledger_breaks_of_entries(organise bigint default null) returns table (organise_id bigint, what text, ref text) language sql stable as $$
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
