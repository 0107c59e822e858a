-- Up Migration
-- no transaction

-- The list of alarms is ordered as a person works through it: open before closed, severe before minor, old before new.
create index concurrently if not exists alarm_worst on alarm (
  organise_id,
  (case when status < 3 then 4 - severity else 0 end) desc,
  (case when status < 3 then 999999999999999999 - id else id end) desc
) include (agent_id, site_id);

-- The same for the platform, which reads the alarms of all organisations.
create index concurrently if not exists alarm_worst_of_all on alarm (
  (case when status < 3 then 4 - severity else 0 end) desc,
  (case when status < 3 then 999999999999999999 - id else id end) desc
);

-- Down Migration
drop index if exists alarm_worst_of_all;
drop index if exists alarm_worst;
