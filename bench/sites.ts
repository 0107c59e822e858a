import { performance } from 'node:perf_hooks'
import { countBound } from '@wattdeck/contract/kit/page.ts'
import { fillPath } from '@wattdeck/contract/kit/route.ts'
import { site } from '@wattdeck/contract/system/site.ts'
import { testConfig } from '../apps/server/test/config.ts'
import { startApiProcess } from '../apps/server/test/process.ts'
import { asSuperuser, databaseExists, dropDatabase, ensureDatabase, ensureRoles, migrate } from '../tools/database.ts'
import { startFileSandbox } from '../tools/file-sandbox.ts'
import { withoutIndexes } from './fill.ts'
import { openBenchSession, p95, tenantsWithAdmin } from './tenants.ts'

const database = 'wattdeck_bench_sites'
const small = { organise: 2, sites: 10_000 }
const large = { organise: 3, sites: 1_000_000 }
const calls = Number(process.env['BENCH_CALLS'] ?? '200')
const pageSize = 20
/** BENCH_KEEP=1 leaves the filled database there, and finds it again. */
const keep = process.env['BENCH_KEEP'] === '1'

/** The list of sites of a tenant with a million of them, against one with ten thousand, call by call in turn. */
export async function benchSites(): Promise<void> {
  const tokens = await prepare()
  const files = await startFileSandbox()
  const config = testConfig(database)
  config.files.endpoint = files.endpoint
  const api = await startApiProcess(config)
  const get = async (token: string, query: Record<string, string>) => {
    const search = new URLSearchParams({ pageSize: String(pageSize), ...query })
    const started = performance.now()
    const reply = await fetch(`${api.url}${fillPath(site.list.path)}?${search.toString()}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const body = (await reply.json()) as { message: string; data: { rows: unknown[]; cursor: string | null } }
    if (!reply.ok) throw new Error(`${search.toString()}: ${body.message}`)
    return { ms: performance.now() - started, ...body.data }
  }
  const cases = await casesOf(get, tokens)
  let worst = 0
  for (const [name, ...queries] of cases) {
    const times: number[][] = [[], []]
    for (let round = -20; round < calls; round++) {
      // In turn, so that whatever else the machine does meets both.
      for (const [which, query] of queries.entries()) {
        const { ms, rows } = await get(tokens[which] ?? '', query)
        if (rows.length === 0) throw new Error(`${name} finds nothing`)
        if (round >= 0) times[which]?.push(ms)
      }
    }
    const [few = 0, many = 0] = times.map((list) => p95(list))
    const ratio = many / few
    worst = Math.max(worst, ratio)
    console.log(
      `${name.padEnd(24)} p95 ${few.toFixed(1)} ms of 10,000, ${many.toFixed(1)} ms of 1,000,000: ${ratio.toFixed(2)}`,
    )
  }
  console.log(`sites, ${pageSize} rows a page, ${calls} calls each: worst ratio ${worst.toFixed(2)} (goal 1.5)`)
  await api.stop()
  await files.stop()
  if (!keep) await dropDatabase(database)
}

type Query = Record<string, string>
type Get = (token: string, query: Query) => Promise<{ cursor: string | null }>
type Case = [name: string, small: Query, large: Query]

/** The first page, a page in the middle, and every filter; the same for both tenants, but for the place of the middle. */
async function casesOf(get: Get, [few = '', many = '']: string[]): Promise<Case[]> {
  const middleOf = async (token: string, sites: number): Promise<Query> => {
    const skip = countBound / pageSize
    let query: Query = { skipCount: 'true', pageNum: '1' }
    for (let page = 1; page * pageSize < sites / 2; page += skip) {
      const pageNum = String(Math.min(page + skip - 1, Math.floor(sites / 2 / pageSize)))
      const { cursor } = await get(token, { ...query, pageNum })
      query = { skipCount: 'true', pageNum: String(Number(pageNum) + 1), cursor: cursor ?? '' }
    }
    return query
  }
  const both = (name: string, query: Query): Case => [name, query, query]
  return [
    both('first page', {}),
    ['page in the middle', await middleOf(few, small.sites), await middleOf(many, large.sites)],
    both('keyword, rare', { keyword: '站点7777' }),
    both('keyword, common', { keyword: '花园' }),
    both('code', { keyword: 'C5000' }),
    both('agent', { agentId: '' }),
    both('province', { provinceCode: '330000' }),
    both('city', { cityCode: '330100' }),
    both('district', { districtCode: '330106' }),
    both('type', { type: '3' }),
    both('status, rare', { status: '0' }),
    both('city and type', { cityCode: '330100', type: '2' }),
  ].map(([name, one, other]): Case => [name as string, withAgent(one as Query, '1'), withAgent(other as Query, '2')])
}
const withAgent = (query: Query, agentId: string): Query => ('agentId' in query ? { agentId } : query)

async function prepare(): Promise<string[]> {
  await ensureRoles()
  if (keep && (await databaseExists(database)))
    return asSuperuser(database, async (client) => [
      await openBenchSession(client, 1, small.organise),
      await openBenchSession(client, 2, large.organise),
    ])
  await dropDatabase(database)
  await ensureDatabase(database)
  await migrate(database)
  return asSuperuser(database, async (client) => {
    const tokens = await tenantsWithAdmin(client)
    await client.query('alter table site disable trigger name_tails')
    await withoutIndexes(client, ['site', 'site_name_tail'], async () => {
      // Interleaved as they would have been made, so that neither tenant's rows lie all together.
      await client.query(
        `insert into site (organise_id, agent_id, code, name, type, status, province_code, city_code, district_code, parking_spaces)
         select case when n % 101 = 0 then 2 else 3 end, case when n % 50 = 0 then case when n % 101 = 0 then 1 else 2 end end,
           'C' || case when n % 101 = 0 then n / 101 else n end, (array['翠湖花园', '龙湖天街', '锦绣华庭', '科技园'])[n % 4 + 1] || '站点' || case when n % 101 = 0 then n / 101 else n end,
           n % 5 + 1, case when n % 200 = 0 then 0 else 1 end, case when n % 3 = 0 then '330000' else '510000' end,
           case when n % 9 = 0 then '330100' else '510100' end, case when n % 27 = 0 then '330106' else '510104' end, n % 100
         from generate_series(1, ${small.sites + large.sites}) n`,
      )
      await client.query(`insert into site_name_tail (organise_id, agent_id, site_id, tail)
        select distinct organise_id, agent_id, id, tail from site, lateral (
          select substr(lower(name), place, 12) from generate_series(1, length(name)) place union select lower(code)
        ) as tails (tail)`)
    })
    await client.query('alter table site enable trigger name_tails')
    await client.query('vacuum analyze')
    return tokens
  })
}
