-- Up Migration

-- DNY and YKC devices identify themselves by a number that anyone can send. Nothing is started on such a device until a
-- person has confirmed its first connection, on site by scanning it or in the list. Null: nobody has. Devices that are
-- here already count as confirmed.
alter table device
  add column line_confirmed_at timestamptz default now(),
  add column line_confirmed_by text;
create index device_unconfirmed on device (organise_id, id desc) include (agent_id, site_id)
  where deleted_at is null and line_confirmed_at is null;

-- Down Migration
drop index device_unconfirmed;
alter table device drop column line_confirmed_at, drop column line_confirmed_by;
