-- Up Migration

-- Provinces, cities and districts by their code of GB/T 2260. The rows come with the release (src/seed/regions.ts).
create table region (
  adcode text primary key check (adcode ~ '^[1-8]\d{5}$'),
  parent_adcode text references region,
  level smallint not null check (level between 1 and 3),
  name text not null check (length(name) between 1 and 40),
  lng double precision not null check (lng between 73 and 136),
  lat double precision not null check (lat between 3 and 54),
  -- Nobody gave us a centre of its own: it is that of the region above.
  approximate boolean not null,
  sort integer not null,
  check ((level = 1) = (parent_adcode is null))
);
create index region_children on region (parent_adcode, sort);
call app.secure_platform_table('region');
grant select on region to wattdeck_api, wattdeck_worker;

-- Down Migration
drop table region;
