import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPool, inScope, commit } from '../../apps/server/src/kit/db/db.ts'
import { scopeOf } from '../../apps/server/src/kit/db/scope.ts'
import { post } from '../../apps/server/src/core/ledger/ledger.ts'
import { apiUrl, asSuperuser, dropDatabase, ensureDatabase, ensureRoles, migrate } from '../../tools/ops/database.ts'

const scope = scopeOf({ organiseId: '1', isPlatform: true, agentId: null, agentIds: [], siteId: null })
const database = 'wattdeck_posting'
const members = 20_000
const sites = 200
const clients = 8
const seconds = Number(process.env['POSTING_SECONDS'] ?? 15)

/** Half a charge: a posting from a member's reserved money to a site. Spread over many sites, or all to one. */
type Way = 'spread' | 'hot'

async function makeFixture(): Promise<void> {
  await ensureRoles()
  await dropDatabase(database)
  await ensureDatabase(database)
  await migrate(database)
  await asSuperuser(database, async (sql) => {
    await sql.query("insert into organise (id, name) values (2, '机构')")
    await sql.query(
      `insert into site (id, organise_id, name) select i, 2, '站点' || i from generate_series(1, ${sites}) i`,
    )
    await sql.query(
      `insert into member (id, organise_id, nickname) select i, 2, '会员' from generate_series(1, ${members}) i`,
    )
    for (let part = 0; part < members / 100; part++)
      await sql.query(
        `select app.post(jsonb_agg(jsonb_build_object('key', 'start/' || i, 'keyAt', '2026-11-01T00:00:00Z', 'organiseId', 2, 'kind', 1, 'ref', 'r',
           'lines', jsonb_build_array(jsonb_build_array(1, i, 100000000), jsonb_build_array(51, 1, -100000000))))) from generate_series($1::int, $1::int + 99) i`,
        [1 + part * 100],
      )
    await sql.query('vacuum analyze')
  })
}

let keys = 0
async function ours(way: Way): Promise<number> {
  const pool = createPool(apiUrl(database), clients)
  const end = Date.now() + seconds * 1000
  let done = 0
  const client = async () => {
    while (Date.now() < end) {
      const member = String(1 + Math.floor(Math.random() * members))
      const site = way === 'hot' ? '1' : String(1 + Math.floor(Math.random() * sites))
      await inScope(pool, scope, 'record', async ({ db }) =>
        commit(
          await post(db, [
            {
              key: `bench/${way}/${++keys}`,
              keyAt: '2026-11-01T00:00:00.000Z',
              place: { organiseId: '2', agentId: null, siteId: site },
              kind: 'bill',
              ref: String(keys),
              lines: [
                { account: 'memberPaid', owner: member, fen: -3n },
                { account: 'siteElectricity', owner: site, fen: 2n },
                { account: 'siteService', owner: site, fen: 1n },
              ],
            },
          ]),
        ),
      )
      done++
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  await pool.end()
  return done / seconds
}

/** The same statements run by pgbench alone. */
function bare(way: Way): number {
  const dir = mkdtempSync(join(tmpdir(), 'wattdeck-posting-'))
  const script = join(dir, 'post.sql')
  writeFileSync(
    script,
    `\\set m random(1, ${members})
\\set s ${way === 'hot' ? '1' : `random(1, ${sites})`}
\\set k random(1, 9000000000000000)
begin\\; set local app.scope_level = '0'\\; set local app.organise_id = '0'\\; set local app.agent_ids = '{}'\\; set local app.site_ids = '{}';
select posted_key as key, posting_id as id, repeated from app.post(('[{"key":"bare/' || :k || '","keyAt":"2026-11-01T00:00:00.000Z","organiseId":"2","agentId":null,"siteId":"' || :s || '","kind":5,"ref":"' || :k || '","memo":null,"by":null,"lines":[[1,"' || :m || '","-3"],[21,"' || :s || '","2"],[22,"' || :s || '","1"]]}]')::jsonb);
commit;
`,
  )
  const { host } = new URL(apiUrl(database))
  const [address = '', port = ''] = host.split(':')
  const args = [
    '-h',
    address,
    '-p',
    port,
    '-U',
    'wattdeck_api',
    '-n',
    '-c',
    String(clients),
    '-j',
    '2',
    '-T',
    String(seconds),
    '-f',
    script,
    database,
  ]
  const text = execFileSync('pgbench', args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  rmSync(dir, { recursive: true })
  return Number(/tps = ([\d.]+)/.exec(text)?.[1] ?? 0)
}

export async function benchPosting(): Promise<void> {
  await makeFixture()
  const rates: Record<string, number> = {}
  for (const way of ['spread', 'hot'] as const) {
    rates[`bare ${way}`] = bare(way)
    rates[`ours ${way}`] = await ours(way)
  }
  const breaks = await asSuperuser(database, async (sql) => {
    await sql.query('select app.seal_ledger()')
    return (await sql.query('select * from app.ledger_breaks()')).rowCount ?? 0
  })
  await dropDatabase(database)
  for (const [name, rate] of Object.entries(rates)) console.log(`${name.padEnd(12)} ${Math.round(rate)} postings/s`)
  const ratio = (one: string, other: string) => ((rates[one] ?? 0) / (rates[other] ?? 1)).toFixed(2)
  console.log(
    `ours / bare: spread ${ratio('ours spread', 'bare spread')}, hot ${ratio('ours hot', 'bare hot')} (goal 0.5)`,
  )
  console.log(`hot / spread of ours: ${ratio('ours hot', 'ours spread')} (goal 0.5); ${breaks} breaks`)
}
