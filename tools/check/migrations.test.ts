import { describe, expect, it } from 'vitest'
import { migrationFindings } from './migrations.ts'

const judge = (up: string) => migrationFindings(`-- Up Migration\n${up}\n-- Down Migration\ndrop table later;\n`)

describe('a migration', () => {
  it.each([
    'alter table device alter column imei type varchar(20);\n',
    'alter table device rename column imei to modem;\n',
    'alter table device rename to thing;\n',
    'alter table device drop column imei;\n',
    'drop table device;\n',
    'alter table device alter column imei set not null;\n',
    'alter table device add column kind smallint not null;\n',
    'alter table device add constraint kind_known check (kind in (1, 2));\n',
    'alter table device add constraint device_site foreign key (site_id) references site;\n',
    'update device set kind = 1;\n',
    'delete from device where kind = 1;\n',
    'create index device_kind on device (kind);\n',
    'create unique index device_kind on device (kind);\n',
    'do $$\nbegin\n  perform 1;\n  update device set kind = 1;\nend $$;\n',
  ])('is refused when it blocks or breaks running code: %s', (statement) => {
    expect(judge(statement)).toHaveLength(1)
  })

  it.each([
    'alter table device add column kind smallint;\n',
    'alter table device add column kind smallint not null default 1;\n',
    'alter table device add column kind smallint default 1 not null;\n',
    'alter table device add constraint kind_known check (kind in (1, 2)) not valid;\n',
    'alter table device validate constraint kind_known;\n',
    'create index concurrently device_kind on device (kind);\n',
    'create table visit (id bigint primary key);\ncreate index visit_list on visit (id);\n',
    'create or replace function app.kinds() returns int language sql as $$ update device set kind = 1; $$;\n',
    'create function app.kinds() returns void language plpgsql as $$\nbegin\n  perform 1;\n  delete from device;\nend $$;\n',
    '-- safe: no version reads it since 1.4\nalter table device drop column imei;\n',
  ])('passes when it blocks no statement: %s', (statement) => {
    expect(judge(statement)).toEqual([])
  })
})
