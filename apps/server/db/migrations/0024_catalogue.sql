-- Up Migration

-- The pictures of device types are the platform's, and belong to a catalogue that everybody reads.
create policy catalogue on stored_file for select
  using (id = any (array(select picture_id from device_type where picture_id is not null)));

-- Sheets of instructions are brought in by a worker, in the scope of who sent them.
grant insert on instruction_set, instruction to wattdeck_worker;

-- Down Migration
revoke insert on instruction_set, instruction from wattdeck_worker;
drop policy catalogue on stored_file;
