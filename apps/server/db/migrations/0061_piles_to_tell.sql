-- Up Migration

-- Piles whose prices may have changed. To compare every pile with what it was told takes a worker longer than the second
-- in which it looks again. So whatever decides by what a pile charges leaves the pile's number here, in the transaction in
-- which it changes, and a worker compares these piles alone. Rows are only added: nobody who changes a price waits for
-- another, and a pile may be here twice.
create table tariff_push_due (
  id bigint primary key generated always as identity,
  device_id bigint not null
);
call app.secure_platform_table('tariff_push_due');
grant select, delete on tariff_push_due to wattdeck_worker;

-- SECURITY DEFINER with the scope of the system, reviewed: adds numbers of devices to the table above and answers nothing.
-- Who changes a tariff or a site need not see every device that charges by it.
create function app.tell_piles() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  if tg_table_name = 'device' then
    insert into tariff_push_due (device_id) values (new.id);
  elsif tg_table_name = 'site' then
    insert into tariff_push_due (device_id)
    select id from device
    where organise_id = new.organise_id and site_id = new.id and tariff_id is null and adapter = 'ykc' and deleted_at is null;
  else
    insert into tariff_push_due (device_id)
    select id from device where tariff_id = new.id and adapter = 'ykc' and deleted_at is null
    union all
    select device.id from site join device on device.organise_id = site.organise_id and device.site_id = site.id
    where site.tariff_id = new.id and device.tariff_id is null and device.adapter = 'ykc' and device.deleted_at is null;
  end if;
  return null;
end $$;
-- Whichever columns a statement names: the adapter, for one, is set by the trigger that copies it from the device's type.
create trigger tell_pile_made after insert on device for each row when (new.adapter = 'ykc') execute function app.tell_piles();
create trigger tell_pile_changed after update on device for each row
  when (new.adapter = 'ykc' and (old.adapter, old.tariff_id, old.site_id, old.agent_id, old.organise_id, old.deleted_at)
    is distinct from (new.adapter, new.tariff_id, new.site_id, new.agent_id, new.organise_id, new.deleted_at))
  execute function app.tell_piles();
create trigger tell_piles_of_site after update on site for each row
  when (old.tariff_id is distinct from new.tariff_id) execute function app.tell_piles();
create trigger tell_piles_of_tariff after update on tariff for each row
  when ((old.version_id, old.status) is distinct from (new.version_id, new.status)) execute function app.tell_piles();
-- Nobody left the number of those that are there already.
select set_config('app.scope_level', '0', true), set_config('app.organise_id', '0', true),
  set_config('app.agent_ids', '{}', true), set_config('app.site_ids', '{}', true);
insert into tariff_push_due (device_id) select id from device where adapter = 'ykc' and deleted_at is null;

-- What is to be sent, and what is to be sent again: neither is looked for among what is on its way.
drop index tariff_push_open;
create index tariff_push_to_send on tariff_push (updated_at) where state = 1;
create index tariff_push_failed on tariff_push (updated_at) where state = 4;

-- As in 0057, but for CASE: behind row security PostgreSQL takes COALESCE for a function that may tell what it saw, so it
-- looked at every tariff of everybody before it looked for the one. Every start of a charge asks this.
create or replace function app.version_in_force(asked bigint) returns bigint language plpgsql stable as $$
begin
  return (
    select tariff.version_id from device
    left join site on site.id = device.site_id
    join tariff on tariff.id = case when device.tariff_id is null then site.tariff_id else device.tariff_id end and tariff.status = 1
    where device.id = asked
  );
end $$;

-- Down Migration
create or replace function app.version_in_force(asked bigint) returns bigint language plpgsql stable as $$
begin
  return (
    select tariff.version_id from device
    left join site on site.id = device.site_id
    join tariff on tariff.id = coalesce(device.tariff_id, site.tariff_id) and tariff.status = 1
    where device.id = asked
  );
end $$;
drop index tariff_push_failed, tariff_push_to_send;
create index tariff_push_open on tariff_push (updated_at) where state in (1, 2);
-- Its triggers go with it.
drop function app.tell_piles cascade;
drop table tariff_push_due;
