-- Up Migration
-- no transaction

-- The unclosed alarms of a site, worst first: the live view groups them by site and reads the first of each.
create index concurrently if not exists alarm_unclosed on alarm (organise_id, site_id, severity, id)
  include (agent_id, first_at)
  where status < 3;

-- Devices that are offline, the latest first: the live view counts those of the last hour.
create index concurrently if not exists device_outage_offline on device_outage (began_at desc)
  include (organise_id, agent_id, site_id)
  where ended_at is null and cause = 1;

-- Down Migration
drop index if exists device_outage_offline;
drop index if exists alarm_unclosed;
