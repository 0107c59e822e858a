import { readConfig } from '../../apps/server/src/kit/ops/config.ts'
import { createPool } from '../../apps/server/src/kit/db/db.ts'
import { Files } from '../../apps/server/src/kit/files/files.ts'
import { HeadSigner, proveHeads } from '../../apps/server/src/kit/audit/heads.ts'

/** Compares every published head of the audit log and the ledger with the database, and lists the differences. */
const config = readConfig()
const pool = createPool(config.workerDatabaseUrl, 1, 'wattdeck-prove')
const files = new Files({ ...config.files, bucket: config.headsBucket })
const store = { files, prefix: config.prefix, signer: new HeadSigner(config) }
const { files: read, heads, breaks } = await proveHeads(pool, store)
for (const { file, what, organiseId, chain, no } of breaks)
  console.log([file, what, ...(what === 'differs' ? [`organisation ${organiseId}, ${chain} ${no}`] : [])].join(': '))
console.log(`${read} files, ${heads} heads, ${breaks.length} broken`)
process.exitCode = breaks.length === 0 ? 0 : 1
files.close()
await pool.end()
