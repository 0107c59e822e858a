import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dropDatabase, ensureDatabase, ensureRoles, migrate, superuserUrl } from '../ops/database.ts'
import { checkMigrations } from './migrations.ts'
import { schemaText } from './schema-text.ts'

/**
 * Checks the migrations, then writes the types of the database and its schema as one text from them; with --verify it
 * only checks that both are up to date.
 */
// Of this process, so that two runs on one machine do not meet.
const database = `wattdeck_types_${process.pid}`
const verify = process.argv.includes('--verify')
checkMigrations(!verify)
await ensureRoles()
await dropDatabase(database)
await ensureDatabase(database)
await migrate(database)
const file = 'apps/server/src/kit/db/db.gen.ts'
const schema = 'apps/server/db/schema.sql'
try {
  const text = await schemaText(superuserUrl(database))
  if (!verify) writeFileSync(schema, text)
  else if (text !== readFileSync(schema, 'utf8')) throw new Error(`${schema} is stale: npm run db:types`)
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
