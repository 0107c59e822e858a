import { asSuperuser } from './database.ts'

/**
 * Verifies the figures against their base tables, or rebuilds them with --rebuild, while the system runs. All days, or
 * `-- --from 2026-11-01 --upto 2026-12-01`, the last day not included.
 */
const database = process.env['DATABASE'] ?? 'wattdeck'
const optionOf = (name: string, fallback: string) => {
  const at = process.argv.indexOf(name)
  return at === -1 ? fallback : (process.argv[at + 1] ?? fallback)
}
const range = [optionOf('--from', '2020-01-01'), optionOf('--upto', '2100-01-01')]

await asSuperuser(database, async (client) => {
  await client.query(`set statement_timeout = 0; set lock_timeout = 0; set app.scope_level = '0'; set app.organise_id = '0';
    set app.agent_ids = '{}'; set app.site_ids = '{}'`)
  if (process.argv.includes('--rebuild')) {
    // Before the snapshot: waits until the running aggregation has ended, and blocks the next one.
    await client.query("select pg_advisory_lock(hashtext('fold_stats'))")
    await client.query('begin isolation level repeatable read')
    await client.query('select app.rebuild_stats($1, $2), app.rebuild_analysis($1, $2)', range)
    await client.query('commit')
    await client.query("select pg_advisory_unlock(hashtext('fold_stats'))")
  }
  const { rows } = await client.query<{ what: string; place: string }>(
    'select * from app.stat_breaks($1, $2) union all select * from app.analysis_breaks($1, $2)',
    range,
  )
  for (const { what, place } of rows) console.log(`${what} ${place}`)
  console.log(`${rows.length} figures are not what the tables say`)
  process.exitCode = rows.length === 0 ? 0 : 1
})
