-- Up Migration

-- What the customer centre knows of organisations, agents and sites. Codes are for people: the numbers printed on
-- contracts and nameplates. Regions are adcodes of GB/T 2260.
create sequence organise_code;
create sequence agent_code;
create sequence site_code;
grant usage on sequence organise_code, agent_code, site_code to wattdeck_api, wattdeck_worker;

create function app.next_code(prefix text, sequence regclass) returns text language sql volatile as $$
  select prefix || lpad(number::text, greatest(6, length(number::text)), '0') from nextval(sequence) number
$$;

alter table organise
  add column code text not null unique default app.next_code('JG', 'organise_code'),
  add column short_name text check (length(short_name) between 1 and 20),
  add column type smallint not null default 1 check (type in (1, 2, 3, 4)),
  add column contact text check (length(contact) between 1 and 30),
  add column phone text check (phone ~ '^1[3-9]\d{9}$'),
  add column province_code text,
  add column city_code text,
  add column district_code text,
  add column address text,
  add column public_account text,
  add column mini_program text,
  add column credit_code text check (credit_code ~ '^[0-9A-Z]{18}$'),
  add column legal_person text,
  add column settlement_way smallint not null default 1 check (settlement_way in (1, 2)),
  add column licence_file_id bigint,
  -- Who looks after the organisation: made with it, and what 重置密码 and 登录为 mean.
  add column admin_user_id bigint,
  add column remark text,
  add column created_by text,
  add column deleted_at timestamptz;
create index organise_list on organise (id desc) where deleted_at is null;

alter table agent
  add column code text not null unique default app.next_code('YY', 'agent_code'),
  add column depth smallint not null default 1 check (depth between 1 and 9),
  add column contact text check (length(contact) between 1 and 30),
  add column phone text check (phone ~ '^1[3-9]\d{9}$'),
  add column province_code text,
  add column city_code text,
  add column district_code text,
  add column address text,
  -- The agent's part of the income in hundredths of a percent.
  add column share_bp int not null default 0 check (share_bp between 0 and 10000),
  add column admin_user_id bigint,
  add column remark text,
  add column created_by text,
  add column deleted_at timestamptz;
create index agent_list on agent (organise_id, id desc) where deleted_at is null;

alter table site
  add column code text not null default app.next_code('ZD', 'site_code'),
  add column type smallint not null default 1 check (type between 1 and 5),
  add column province_code text,
  add column city_code text,
  add column district_code text,
  add column address text,
  add column lng numeric(9, 6) check (lng between 73 and 136),
  add column lat numeric(8, 6) check (lat between 3 and 54),
  add column contact text check (length(contact) between 1 and 30),
  add column phone text check (phone ~ '^1[3-9]\d{9}$'),
  add column parking_spaces int not null default 0 check (parking_spaces between 0 and 100000),
  add column capacity_kva int not null default 0 check (capacity_kva between 0 and 1000000),
  add column parking_note text,
  add column open_hours text not null default '00:00-24:00' check (open_hours ~ '^\d\d:\d\d-\d\d:\d\d$'),
  add column price_type smallint not null default 1 check (price_type between 1 and 4),
  add column insured boolean not null default false,
  add column insured_until date,
  add column picture_ids bigint[] not null default '{}',
  add column remark text,
  add column created_by text,
  add column deleted_at timestamptz,
  add constraint site_code_once unique (organise_id, code);
drop index site_organise;

-- Every filter of the list has an index that walks in the list's order, with what row security and the other short
-- filters look at, so that counting stays in the index.
create index site_list on site (organise_id, id desc) include (agent_id) where deleted_at is null;
create index site_by_agent on site (organise_id, agent_id, id desc) include (type, status) where deleted_at is null;
create index site_by_type on site (organise_id, type, id desc) include (agent_id, status) where deleted_at is null;
create index site_by_status on site (organise_id, status, id desc) include (agent_id, type) where deleted_at is null;
create index site_by_province on site (organise_id, province_code, id desc) include (agent_id, type, status) where deleted_at is null;
create index site_by_city on site (organise_id, city_code, id desc) include (agent_id, type, status) where deleted_at is null;
create index site_by_district on site (organise_id, district_code, id desc) include (agent_id, type, status) where deleted_at is null;
create index site_recent on site (id desc) where deleted_at is null;

-- What a site can be found by: its code, and its name from each of its characters on. A keyword is the beginning of
-- such a tail, so that finding costs what is found. The three columns of the owner are those of the site.
create table site_name_tail (
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint not null references site,
  tail text collate "C" not null
);
create unique index site_name_tail_own on site_name_tail (organise_id, tail, site_id) include (agent_id);
create index site_name_tail_all on site_name_tail (tail) include (organise_id, agent_id, site_id);
create index site_name_tail_site on site_name_tail (site_id);
call app.secure_tenant_table('site_name_tail');

create function app.write_name_tails() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from site_name_tail where site_id = new.id;
  end if;
  if new.deleted_at is null then
    insert into site_name_tail (organise_id, agent_id, site_id, tail)
    select new.organise_id, new.agent_id, new.id, tail from (
      select substr(lower(new.name), place, 12) from generate_series(1, length(new.name)) place
      union select lower(new.code)
    ) as tails (tail);
  end if;
  return null;
end $$;
create trigger name_tails after insert or update of organise_id, agent_id, name, code, deleted_at on site
  for each row execute function app.write_name_tails();
-- Sites that are there already; the platform's eyes see all of them.
select set_config('app.scope_level', '0', true);
update site set name = name;

grant select, insert, delete on site_name_tail to wattdeck_api, wattdeck_worker;
grant select, insert, update on organise, agent, site to wattdeck_api;
grant insert, update on site to wattdeck_worker;
-- A job acts with the rights of the person who asked for it, read when it runs.
grant select on role, user_role, role_menu, role_resource, menu, resource, department, department_menu to wattdeck_worker;
grant insert on outbox, notification to wattdeck_worker;

-- Down Migration
drop trigger name_tails on site;
drop function app.write_name_tails;
drop table site_name_tail;
drop index site_recent, site_by_district, site_by_city, site_by_province, site_by_status, site_by_type, site_by_agent, site_list, agent_list, organise_list;
alter table site drop column code, drop column type, drop column province_code, drop column city_code, drop column district_code, drop column address,
  drop column lng, drop column lat, drop column contact, drop column phone, drop column parking_spaces, drop column capacity_kva, drop column parking_note,
  drop column open_hours, drop column price_type, drop column insured, drop column insured_until, drop column picture_ids, drop column remark,
  drop column created_by, drop column deleted_at;
create index site_organise on site (organise_id, agent_id);
alter table agent drop column code, drop column depth, drop column contact, drop column phone, drop column province_code, drop column city_code,
  drop column district_code, drop column address, drop column share_bp, drop column admin_user_id, drop column remark, drop column created_by, drop column deleted_at;
alter table organise drop column code, drop column short_name, drop column type, drop column contact, drop column phone, drop column province_code,
  drop column city_code, drop column district_code, drop column address, drop column public_account, drop column mini_program, drop column credit_code,
  drop column legal_person, drop column settlement_way, drop column licence_file_id, drop column admin_user_id, drop column remark, drop column created_by, drop column deleted_at;
drop function app.next_code;
drop sequence organise_code, agent_code, site_code;
