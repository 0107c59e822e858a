import type pg from 'pg'
import { headKeysOf } from '../../apps/server/src/kit/audit/heads.ts'
import { codeKeysOf } from '../../apps/server/src/kit/crypto/code-signer.ts'
import { readConfig } from '../../apps/server/src/kit/ops/config.ts'
import { sealedColumns, signerColumns } from '../../apps/server/src/kit/crypto/sealed-columns.ts'
import { Vault } from '../../apps/server/src/kit/crypto/vault.ts'
import { asSuperuser } from './database.ts'

/**
 * Re-encrypts every sealed value with the first of SECRET_KEYS and of SIGNER_KEYS, while the system runs; afterwards
 * the other keys can be removed. Values of the signer that SECRET_KEYS sealed before SIGNER_KEYS existed move to the
 * latter. Prints the CODE_KEYS that stickers need from then on, if they were derived from SECRET_KEYS, and the
 * HEAD_KEYS that verify heads published under older keys.
 */
const database = process.env['DATABASE'] ?? 'wattdeck'
const { secretKeys, signerKeys, headKeys, codes } = readConfig()
const atOnce = 500

type Column = readonly [table: string, column: string]
const parts: { keys: string[]; columns: readonly Column[] }[] = [
  { keys: secretKeys, columns: sealedColumns },
  { keys: [...signerKeys, ...secretKeys], columns: signerColumns },
]

await asSuperuser(database, async (client) => {
  // The content does not change, so triggers that refuse changes or write the audit log are skipped.
  await client.query('set session_replication_role = replica')
  for (const { keys, columns } of parts) for (const column of columns) await reseal(client, keys, column)
})

async function reseal(client: pg.Client, keys: string[], [table, column]: Column): Promise<void> {
  const vault = new Vault(keys)
  const newest = `${keys[0]?.split(':')[0]}.`
  let count = 0
  for (;;) {
    await client.query('begin')
    const { rows } = await client.query<{ place: string; sealed: string }>(
      `select ctid::text as place, ${column} as sealed from ${table}
       where ${column} is not null and not starts_with(${column}, $1) limit ${atOnce} for update`,
      [newest],
    )
    for (const { place, sealed } of rows)
      await client.query(`update ${table} set ${column} = $2 where ctid = $1::tid`, [
        place,
        vault.seal(vault.open(sealed)),
      ])
    await client.query('commit')
    count += rows.length
    if (rows.length < atOnce) break
  }
  console.log(`${table}.${column}: ${count} sealed anew`)
}
if (codes.keys.length === 0) console.log(`CODE_KEYS=${codeKeysOf(secretKeys).join(',')}`)
const olderHeads = [...headKeysOf(secretKeys.slice(1)), ...headKeys]
if (olderHeads.length > 0) console.log(`HEAD_KEYS=${olderHeads.join(',')}`)
