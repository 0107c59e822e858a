-- Up Migration

-- When a batch was held for a second person. Without an approval it never runs, however often its maker tries it again.
alter table batch_job add column held_at timestamptz;
update batch_job set held_at = created_at where status = 7 or approved_at is not null;
-- Those that were turned down were never approved.
update batch_job set approved_by = null, approved_at = null where status = 5 and started_at is null and approved_at is not null;

-- Down Migration
alter table batch_job drop column held_at;
