-- Up Migration

-- The events of one device are applied in the device's own order, which is not always the order of their message numbers:
-- several gateways may receive what one device says. The time of the insert tells how long an event has waited here. Rows without
-- an order of their own come first, by their numbers.
alter table charge_news
  add column ord bigint not null default 0,
  add column added_at timestamptz not null default now();
create index charge_news_device on charge_news (device_id, ord, id);

-- Back-off of a start or an ending that could not be processed.
alter table open_charge
  add column tries smallint not null default 0,
  add column retry_at timestamptz not null default '-infinity';

-- Down Migration
alter table open_charge
  drop column retry_at,
  drop column tries;
drop index charge_news_device;
alter table charge_news
  drop column added_at,
  drop column ord;
