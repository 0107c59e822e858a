-- Up Migration

-- Which charges the money watch must look at. It writes down how much energy and time the money put aside lasts for in any
-- case; a report below that needs no look. So a round reads the charges that are due, not all that are open, and a report
-- that stays below changes no index.
alter table open_charge
  add column money_safe_dwh int not null default -1,
  add column money_safe_s int not null default -1,
  add column money_seen_at timestamptz not null default '-infinity';
alter table open_charge
  add column money_due boolean not null generated always as (
    case
      when reported_at is null then false
      when reported_at <= money_seen_at then false
      else case when energy_dwh is null then false else energy_dwh > money_safe_dwh end
        or case when duration_s is null then false else duration_s > money_safe_s end
    end
  ) stored;
create index open_charge_money on open_charge (order_id) where money_due;
-- Room for the next version of a row on its page: a report then touches no index at all.
alter table open_charge set (fillfactor = 70);

-- Down Migration
alter table open_charge reset (fillfactor);
drop index open_charge_money;
alter table open_charge drop column money_due;
alter table open_charge drop column money_seen_at, drop column money_safe_s, drop column money_safe_dwh;
