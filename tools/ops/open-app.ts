import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Vault } from '../../apps/server/src/kit/crypto/vault.ts'
import { asSuperuser } from './database.ts'

/**
 * Gives a program of an organisation access to /open/api: `npm run open-app -- --organise 1001 --name 小程序`. Its secret
 * is shown once. `--networks 203.0.113.0/24,198.51.100.7` limits it to these networks. `--rotate KEY` issues a new
 * secret and keeps the old one for a day; with `--now` the old one ends at once. `--revoke KEY` revokes it for good.
 */
const { values } = parseArgs({
  options: {
    organise: { type: 'string' },
    name: { type: 'string' },
    networks: { type: 'string' },
    rotate: { type: 'string' },
    now: { type: 'boolean', default: false },
    revoke: { type: 'string' },
  },
})
const database = process.env['DATABASE'] ?? 'wattdeck'
const keys = process.env['SECRET_KEYS'] ?? /^SECRET_KEYS=(.*)$/m.exec(readFileSync('.env', 'utf8'))?.[1] ?? ''
const vault = new Vault(keys.split(','))
const secret = randomBytes(32).toString('hex')

const [text, parameters] =
  values.revoke !== undefined
    ? ['update open_app set status = 0 where app_key = $1', [values.revoke]]
    : values.rotate === undefined
      ? [
          'insert into open_app (organise_id, name, app_key, secret_sealed, networks) values ($1, $2, $3, $4, $5)',
          [
            values.organise,
            values.name,
            randomBytes(16).toString('hex'),
            vault.seal(secret),
            values.networks?.split(',') ?? [],
          ],
        ]
      : [
          `update open_app set secret_sealed = $2, old_secret_sealed = case when $3 then null else secret_sealed end,
           old_until = case when $3 then null else now() + interval '1 day' end where app_key = $1`,
          [values.rotate, vault.seal(secret), values.now],
        ]
await asSuperuser(database, async (client) => {
  const { rows } = await client.query<{ app_key: string }>(`${text} returning app_key`, parameters)
  const [app] = rows
  if (app === undefined) throw new Error('there is no such app')
  console.log(`X-App-Key ${app.app_key}\n${values.revoke === undefined ? `secret    ${secret}` : 'revoked'}`)
})
