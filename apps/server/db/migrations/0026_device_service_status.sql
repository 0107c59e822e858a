-- Up Migration

-- Of the basic service: 1 normal, 2 ends within 30 days, 3 has ended. It follows from the day, but as a column it is an
-- equality that a list can walk by; a job moves it on when a new day begins.
alter table device add column service_status smallint not null default 1 check (service_status in (1, 2, 3));
create function app.service_status(until date) returns smallint language sql stable as $$
  select case when until < (now() at time zone 'Asia/Shanghai')::date then 3
    when until <= (now() at time zone 'Asia/Shanghai')::date + 30 then 2 else 1 end::smallint
$$;
create function app.device_service() returns trigger language plpgsql as $$
begin
  new.service_status := app.service_status(new.service_until);
  return new;
end $$;
create trigger device_service before insert or update of service_until on device for each row execute function app.device_service();
-- The rows that are there already get what their day says, without a word in the log.
alter table device disable trigger user;
update device set service_status = app.service_status(service_until) where service_status <> app.service_status(service_until);
alter table device enable trigger user;
create index device_by_service_status on device (organise_id, service_status, id desc) include (agent_id, site_id) where deleted_at is null;
-- Which are to be moved on: a range of days for each status.
create index device_service_due on device (service_status, service_until) where deleted_at is null;

-- Counted without reading the rows themselves: days of creation, and who is offline in a place or of a model, which is
-- asked most.
drop index device_list, device_by_online;
create index device_list on device (organise_id, id desc) include (agent_id, site_id, created_at) where deleted_at is null;
create index device_by_online on device (organise_id, online, id desc)
  include (agent_id, site_id, device_type_id, province_code, city_code, district_code) where deleted_at is null;

-- Down Migration
drop index device_list, device_by_online;
create index device_list on device (organise_id, id desc) include (agent_id, site_id) where deleted_at is null;
create index device_by_online on device (organise_id, online, id desc) include (agent_id, site_id) where deleted_at is null;
drop index device_service_due, device_by_service_status;
drop trigger device_service on device;
drop function app.device_service, app.service_status;
alter table device drop column service_status;
