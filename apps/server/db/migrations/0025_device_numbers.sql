-- Up Migration

-- The number of a removed device is free again, as its wire id is.
alter table device drop constraint device_device_no_key;
create unique index device_number on device (device_no) where deleted_at is null;

-- Down Migration
drop index device_number;
alter table device add constraint device_device_no_key unique (device_no);
