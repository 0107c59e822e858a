-- Up Migration

-- When a second line claimed the device while it answered on its own. Bills that come soon after wait for a person.
alter table device_state add column contested_at timestamptz;

-- Two lines that say that they are the same device, or bills of it that contradict each other.
alter table alarm_default drop constraint alarm_default_kind_check, add constraint alarm_default_kind_check check (kind between 1 and 15);
alter table alarm_rule drop constraint alarm_default_kind_check, add constraint alarm_default_kind_check check (kind between 1 and 15);
alter table incident drop constraint incident_kind_check, add constraint incident_kind_check check (kind between 1 and 15);
alter table alarm drop constraint alarm_kind_check, add constraint alarm_kind_check check (kind between 1 and 15);
alter table repair_ticket drop constraint repair_ticket_fault_check, add constraint repair_ticket_fault_check check (fault between 1 and 15);
select
  set_config('app.scope_level', '0', true),
  set_config('app.organise_id', '0', true),
  set_config('app.agent_ids', '{}', true),
  set_config('app.site_ids', '{}', true);
insert into alarm_default (
  kind, enabled, threshold, minutes, hold_down_min, severity, recovers, opens_ticket, notify_types, sms_types
) values (
  15, true, null, null, 30, 1, false, false, '{1,2}', '{}'
);

-- Down Migration
select
  set_config('app.scope_level', '0', true),
  set_config('app.organise_id', '0', true),
  set_config('app.agent_ids', '{}', true),
  set_config('app.site_ids', '{}', true);
update repair_ticket set alarm_id = null where alarm_id in (select id from alarm where kind = 15);
update repair_ticket set fault = 13 where fault = 15;
delete from alarm where kind = 15;
delete from incident where kind = 15;
delete from alarm_signal where kind = 15;
delete from alarm_rule where kind = 15;
delete from alarm_default where kind = 15;
alter table repair_ticket drop constraint repair_ticket_fault_check, add constraint repair_ticket_fault_check check (fault between 1 and 14);
alter table alarm drop constraint alarm_kind_check, add constraint alarm_kind_check check (kind between 1 and 14);
alter table incident drop constraint incident_kind_check, add constraint incident_kind_check check (kind between 1 and 14);
alter table alarm_rule drop constraint alarm_default_kind_check, add constraint alarm_default_kind_check check (kind between 1 and 14);
alter table alarm_default drop constraint alarm_default_kind_check, add constraint alarm_default_kind_check check (kind between 1 and 14);
alter table device_state drop column contested_at;
