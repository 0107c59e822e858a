import { asSuperuser } from './database.ts'

/** Walks every organisation's chain of the audit log and lists each broken link. */
const database = process.env['DATABASE'] ?? 'wattdeck'
await asSuperuser(database, async (client) => {
  const { rows: counts } = await client.query<{ entries: string; chains: string }>(
    'select count(*) as entries, count(distinct organise_id) as chains from audit_log',
  )
  const { rows: breaks } = await client.query<{ organise_id: string; seq: string; what: string }>(
    'select * from app.audit_breaks() order by 1, 2',
  )
  for (const { organise_id, seq, what } of breaks) console.log(`organisation ${organise_id}, entry ${seq}: ${what}`)
  console.log(`${counts[0]?.entries ?? 0} entries in ${counts[0]?.chains ?? 0} chains, ${breaks.length} broken`)
  process.exitCode = breaks.length === 0 ? 0 : 1
})
