import { execFileSync } from 'node:child_process'
import pg from 'pg'

/**
 * The schema of a migrated database as one text: tables, policies, triggers, functions and rights. It excludes
 * partitions, which workers create by the calendar, and the schema of pg-boss, which pg-boss creates.
 */
export async function schemaText(url: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(`select inhrelid::regclass::text as name from pg_inherits`)
  await client.end()
  const partitions = rows.map(({ name }) => `--exclude-table=${name.includes('.') ? name : `public.${name}`}`)
  const dump = execFileSync('pg_dump', ['--schema-only', '--no-owner', '--exclude-schema=pgboss', ...partitions, url], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  })
  const statements = dump.split('\n').filter((line) => !/^(?:--|SET |SELECT pg_catalog\.set_config|\\)/.test(line))
  return `${statements
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`
}
