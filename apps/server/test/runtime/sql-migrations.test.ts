import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dropDatabase, ensureDatabase, ensureRoles, superuserUrl } from '../../../../tools/ops/database.ts'
import { sqlMigrations } from '../../../../tools/ops/sql-migrations.ts'

const database = `${process.env['TEST_RUN'] ?? 'wattdeck_test'}_migrations_${process.pid}`
const dir = mkdtempSync(join(tmpdir(), 'wattdeck-migrations-'))
beforeAll(async () => {
  await ensureRoles()
  await ensureDatabase(database)
})
afterAll(async () => {
  await dropDatabase(database)
  rmSync(dir, { recursive: true })
})

const run = (direction: 'up' | 'down', count?: number) =>
  runner({
    databaseUrl: superuserUrl(database),
    dir,
    direction,
    migrationsTable: 'schema_migration',
    singleTransaction: false,
    migrationLoaderStrategies: [sqlMigrations],
    log: () => undefined,
    ...(count === undefined ? {} : { count }),
  })

async function ask<R extends pg.QueryResultRow>(text: string): Promise<R[]> {
  const client = new pg.Client(superuserUrl(database))
  await client.connect()
  const { rows } = await client.query<R>(text)
  await client.end()
  return rows
}
const indexes = () =>
  ask<{ name: string; valid: boolean }>(
    `select indexrelid::regclass::text as name, indisvalid as valid from pg_index where indrelid = 'visit'::regclass and not indisprimary order by 1`,
  )

describe('a migration', () => {
  it('without a transaction builds an index without blocking other statements, statement by statement, and back', async () => {
    writeFileSync(
      join(dir, '0001_visits.sql'),
      '-- Up Migration\n\ncreate table visit (id bigint primary key, site_id bigint);\n\n-- Down Migration\ndrop table visit;\n',
    )
    writeFileSync(
      join(dir, '0002_visit_index.sql'),
      `-- Up Migration
-- no transaction

-- Lists of a site.
create index concurrently visit_site on visit (site_id);
create index concurrently visit_site_newest on visit (site_id, id desc);

-- Down Migration
drop index concurrently visit_site;
drop index concurrently visit_site_newest;
`,
    )
    expect((await run('up')).map(({ name }) => name)).toEqual(['0001_visits', '0002_visit_index'])
    expect(await indexes()).toEqual([
      { name: 'visit_site', valid: true },
      { name: 'visit_site_newest', valid: true },
    ])
    await run('down', 1)
    expect(await indexes()).toEqual([])
  })

  it('with a transaction rolls back entirely when its second statement fails', async () => {
    writeFileSync(
      join(dir, '0003_broken.sql'),
      '-- Up Migration\n\ncreate table half (id int);\nselect 1 / 0;\n\n-- Down Migration\ndrop table half;\n',
    )
    await run('up', 1)
    await expect(run('up')).rejects.toThrow('division by zero')
    expect(await ask(`select 1 from pg_class where relname = 'half'`)).toEqual([])
  })
})
