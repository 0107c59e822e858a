import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Vault } from '../apps/server/src/kit/vault.ts'
import { asSuperuser } from './database.ts'

/**
 * Lets a program of an organisation call /open/api: `npm run open-app -- --organise 1001 --name 小程序`. Its secret is
 * shown once. With `--rotate KEY` it gets a new one; the old one is good until it is rotated again.
 */
const { values } = parseArgs({
  options: { organise: { type: 'string' }, name: { type: 'string' }, rotate: { type: 'string' } },
})
const database = process.env['DATABASE'] ?? 'wattdeck'
const keys = process.env['SECRET_KEYS'] ?? /^SECRET_KEYS=(.*)$/m.exec(readFileSync('.env', 'utf8'))?.[1] ?? ''
const vault = new Vault(keys.split(','))
const secret = randomBytes(32).toString('hex')

await asSuperuser(database, async (client) => {
  const { rows } =
    values.rotate === undefined
      ? await client.query<{ app_key: string }>(
          'insert into open_app (organise_id, name, app_key, secret_sealed) values ($1, $2, $3, $4) returning app_key',
          [values.organise, values.name, randomBytes(16).toString('hex'), vault.seal(secret)],
        )
      : await client.query<{ app_key: string }>(
          'update open_app set old_secret_sealed = secret_sealed, secret_sealed = $2 where app_key = $1 returning app_key',
          [values.rotate, vault.seal(secret)],
        )
  const [app] = rows
  if (app === undefined) throw new Error('there is no such app')
  console.log(`X-App-Key ${app.app_key}\nsecret    ${secret}`)
})
