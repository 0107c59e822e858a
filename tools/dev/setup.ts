import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Vault } from '../../apps/server/src/kit/crypto/vault.ts'
import { asSuperuser, ensureDatabase, ensureRoles, migrate } from '../ops/database.ts'
import { city } from '../demo/demo-city.ts'
import { ensureDemoData, newSecretKey } from '../demo/demo-data.ts'
import { multiplyDemo } from '../demo/demo-scale.ts'

/**
 * Creates roles, database and schema where missing; safe to run again. `-- --demo` adds demo data, with public
 * passwords.
 */
if (!existsSync('.env')) writeFileSync('.env', `SECRET_KEYS=${newSecretKey()}\n`, { mode: 0o600 })
const secretKeys = process.env['SECRET_KEYS'] ?? /^SECRET_KEYS=(.*)$/m.exec(readFileSync('.env', 'utf8'))?.[1] ?? ''
// `npm run seed -- --scale 100` multiplies the demo data by a hundred.
const scaleAt = process.argv.indexOf('--scale')
const scale = scaleAt === -1 ? 1 : Number(process.argv[scaleAt + 1])
if (!Number.isInteger(scale) || scale < 1 || scale > 1000)
  throw new Error('--scale takes a whole number from 1 to 1000')
const database = process.env['DATABASE'] ?? 'wattdeck'

if (!process.argv.includes('--seed-only')) {
  await ensureRoles()
  await ensureDatabase(database)
  const applied = await migrate(database)
  console.log(applied.length > 0 ? `migrated: ${applied.join(', ')}` : 'schema is up to date')
}
if (process.argv.includes('--demo') || process.argv.includes('--seed-only')) {
  await asSuperuser(database, async (client) => {
    await client.query('set role wattdeck_owner')
    await ensureDemoData(client, new Vault([secretKeys]), { cityPerDay: city.perDay })
    await multiplyDemo(client, scale)
  })
}
console.log(`database ${database} is ready`)
