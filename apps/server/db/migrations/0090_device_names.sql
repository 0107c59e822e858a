-- Up Migration
-- no transaction

-- The search of the console finds devices by how their names begin. As a range of bytes: behind row security no index serves LIKE.
create index concurrently if not exists device_find_name on device (organise_id, name collate "C") where deleted_at is null;

-- Down Migration
drop index concurrently if exists device_find_name;
