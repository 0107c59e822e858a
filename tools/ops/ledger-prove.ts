import { asSuperuser } from './database.ts'

/**
 * Verifies the ledger of every organisation, or of `-- --organise N`, and its agreement with the orders, while the
 * system runs. Lists every contradiction.
 */
const database = process.env['DATABASE'] ?? 'wattdeck'
const at = process.argv.indexOf('--organise')
const organise = at === -1 ? null : (process.argv[at + 1] ?? null)
await asSuperuser(database, async (client) => {
  await client.query("set statement_timeout = 0; set app.scope_level = '0'")
  // One snapshot for all three, so that they describe the same moment.
  await client.query('begin isolation level repeatable read read only')
  const { rows: tenants } = await client.query<{ organise_id: string; postings: string; entries: string; sum: string }>(
    `select organise_id, count(distinct posting_id) as postings, count(*) as entries, sum(amount_fen) as sum
     from entry where $1::bigint is null or organise_id = $1 group by organise_id order by organise_id`,
    [organise],
  )
  const { rows: breaks } = await client.query<{ organise_id: string; what: string; ref: string }>(
    'select * from app.ledger_breaks($1) union all select * from app.order_breaks($1) union all select * from app.pass_breaks($1) order by 1, 2, 3',
    [organise],
  )
  await client.query('commit')
  for (const { organise_id, what, ref } of breaks) console.log(`organisation ${organise_id}: ${what} ${ref}`)
  for (const { organise_id, postings, entries, sum } of tenants)
    console.log(`organisation ${organise_id}: ${postings} postings, ${entries} entries, sum ${sum}`)
  console.log(`${tenants.length} organisations, ${breaks.length} broken`)
  process.exitCode = breaks.length === 0 ? 0 : 1
})
