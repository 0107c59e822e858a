-- Up Migration
-- no transaction

-- The page of a site counts what is open there. These indexes hold only rows that are open, so a site costs what it has.
create index concurrently if not exists open_charge_site on open_charge (site_id, order_id desc) where site_id is not null;
create index concurrently if not exists alarm_open_at_site on alarm (site_id, severity) where status < 3;
create index concurrently if not exists repair_ticket_open_at_site on repair_ticket (site_id) where status = 2;

-- The alarms of a site in the order of the list: open before closed, severe before minor, old before new.
create index concurrently if not exists alarm_worst_at_site on alarm (
  site_id,
  (case when status < 3 then 4 - severity else 0 end) desc,
  (case when status < 3 then 999999999999999999 - id else id end) desc
) where site_id is not null;

-- Down Migration
drop index if exists alarm_worst_at_site;
drop index if exists repair_ticket_open_at_site;
drop index if exists alarm_open_at_site;
drop index if exists open_charge_site;
