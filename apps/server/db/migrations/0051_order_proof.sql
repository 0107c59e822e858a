-- Up Migration

-- Where orders and the ledger do not say the same: money that is put aside for no open order or the other way round, and
-- bills that were not booked as they say.
create function app.order_breaks(organise bigint default null) returns table (organise_id bigint, what text, ref text) language sql stable as $$
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
revoke all on function app.order_breaks from public;
grant execute on function app.order_breaks to wattdeck_worker;

-- Down Migration
drop function app.order_breaks;
