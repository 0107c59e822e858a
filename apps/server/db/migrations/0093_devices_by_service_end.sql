-- Up Migration
-- no transaction

-- Devices sorted by the end of their service; those of one day by their ids, in the same direction.
create index concurrently if not exists device_service_order on device (organise_id, service_until, id)
  include (agent_id, site_id) where deleted_at is null;

-- The same for the platform, which reads the devices of all organisations.
create index concurrently if not exists device_service_order_of_all on device (service_until, id) where deleted_at is null;

drop index concurrently if exists device_by_service;

-- Down Migration
-- no transaction
create index concurrently if not exists device_by_service on device (organise_id, service_until, id desc)
  include (agent_id, site_id) where deleted_at is null;
drop index concurrently if exists device_service_order_of_all;
drop index concurrently if exists device_service_order;
