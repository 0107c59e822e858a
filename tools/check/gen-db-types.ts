import { execFileSync } from 'node:child_process'
import { dropDatabase, ensureDatabase, ensureRoles, migrate, superuserUrl } from '../ops/database.ts'

/** Writes the database's types from the migrations; with --verify it only checks that they are up to date. */
// Named after the developer's own database, so that two of them may run it on one machine.
const database = `${process.env['DATABASE'] ?? 'wattdeck'}_types`
await ensureRoles()
await dropDatabase(database)
await ensureDatabase(database)
await migrate(database)
const file = 'apps/server/src/kit/db/db.gen.ts'
const verify = process.argv.includes('--verify')
try {
  execFileSync(
    process.execPath,
    [
      'node_modules/kysely-codegen/dist/cli/bin.js',
      '--dialect=postgres',
      `--url=${superuserUrl(database)}`,
      `--out-file=${file}`,
      '--include-pattern=public.*',
      '--exclude-pattern=public.schema_migration',
      '--type-mapping={"timestamptz":"string","inet":"string"}',
      ...(verify ? ['--verify'] : []),
    ],
    { stdio: 'inherit' },
  )
} finally {
  await dropDatabase(database)
}
