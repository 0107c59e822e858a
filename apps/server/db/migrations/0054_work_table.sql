-- Up Migration

-- What accounts that only collect hold, of all entries before the edge: the sum of their days, so that a balance costs a row
-- and not a row a day. Apart by where the days stand, because whoever got a site later does not see what it held before.
-- Written when days are, by app.seal_ledger and in its scope.
create table account_sum (
  account_id bigint not null references account,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  fen bigint not null,
  unique nulls not distinct (account_id, agent_id, site_id)
) with (fillfactor = 70);
call app.secure_tenant_table('account_sum');

create function app.sum_account_days() returns trigger language plpgsql as $$
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
create trigger sum_days_made after insert on account_day referencing new table as is_now for each statement execute function app.sum_account_days();
create trigger sum_days_changed after update on account_day referencing old table as was new table as is_now for each statement execute function app.sum_account_days();

-- The nightly proof of the ledger proves these sums, too.
alter function app.ledger_breaks(bigint) rename to ledger_breaks_of_entries;
create function app.ledger_breaks(organise bigint default null) returns table (organise_id bigint, what text, ref text) language sql stable as $$
  select * from app.ledger_breaks_of_entries(organise)
  union all
  select min(part.organise_id), 'sums', part.account_id::text from (
    select account_id, agent_id, site_id, organise_id, fen from account_sum
    union all
    select account_id, agent_id, site_id, organise_id, out_fen - in_fen from account_day
  ) part where organise is null or part.organise_id = organise
  group by part.account_id, part.agent_id, part.site_id having sum(part.fen) <> 0
$$;
revoke all on function app.ledger_breaks from public;
grant execute on function app.ledger_breaks to wattdeck_worker;
grant select on account_sum to wattdeck_api, wattdeck_worker;

-- What is there already.
do $$
begin
  perform set_config('app.scope_level', '0', true), set_config('app.organise_id', '0', true), set_config('app.agent_ids', '{}', true), set_config('app.site_ids', '{}', true);
  insert into account_sum (account_id, organise_id, agent_id, site_id, fen)
  select account_id, min(organise_id), agent_id, site_id, sum(in_fen - out_fen) from account_day group by account_id, agent_id, site_id;
end $$;

-- Alarms that nobody has taken note of: few among all there ever were.
create index alarm_waiting on alarm (organise_id, kind, id) include (agent_id, site_id) where status = 1;

-- Down Migration
drop index alarm_waiting;
drop function app.ledger_breaks(bigint);
alter function app.ledger_breaks_of_entries(bigint) rename to ledger_breaks;
drop trigger sum_days_changed on account_day;
drop trigger sum_days_made on account_day;
drop function app.sum_account_days;
drop table account_sum;
