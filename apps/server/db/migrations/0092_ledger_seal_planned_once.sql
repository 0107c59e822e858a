-- Up Migration

-- The worker seals the ledger every second. Planning its statements over all months took most of that time.
alter function app.seal_ledger(integer) set plan_cache_mode = force_generic_plan;

-- Down Migration
alter function app.seal_ledger(integer) reset plan_cache_mode;
