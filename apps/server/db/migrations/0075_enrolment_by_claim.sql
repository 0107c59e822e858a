-- Up Migration

-- Until when a device that never had a certificate may fetch its first one with the key of its model, and for which owner
-- that was allowed: the key alone, which is in every device of the model, enrols nothing.
alter table device
  add column enrol_until timestamptz,
  add column enrol_organise_id bigint references organise,
  add check ((enrol_until is null) = (enrol_organise_id is null));

-- Down Migration
alter table device
  drop column enrol_until,
  drop column enrol_organise_id;
