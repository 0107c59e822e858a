import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { fillPath } from '@wattdeck/contract/kit/route.ts'
import autocannon from 'autocannon'
import {
  asSuperuser,
  dropDatabase,
  ensureDatabase,
  ensureRoles,
  migrate,
  superuserUrl,
} from '../../tools/ops/database.ts'
import { freePort, startApiProcess } from '../../apps/server/test/harness/process.ts'
import { testConfig } from '../../apps/server/test/harness/config.ts'
import { newToken, sha256 } from '../../apps/server/src/kit/auth/tokens.ts'

const database = 'wattdeck_bench'
const people = 10_000
const seconds = Number(process.env['BENCH_SECONDS'] ?? '5')
const rounds = 5
const connections = 16

/** The staff list through the api, against the same statements run by a bare Fastify and pg handler. */
export async function benchList(): Promise<void> {
  const token = await prepare()
  const config = testConfig(database)
  const api = await startApiProcess(config)
  const bare = await startBare()
  const url = `${api.url}${fillPath(staff.list.path)}?pageNum=1&pageSize=20`
  const measure = async (target: string, headers: Record<string, string>) => {
    const { requests, non2xx, latency } = await autocannon({ url: target, connections, duration: seconds, headers })
    if (non2xx > 0) throw new Error(`${non2xx} refused`)
    return { rate: requests.average, p99: latency.p99 }
  }
  // Both compile, plan and fill their caches before the measurement.
  await measure(bare.url, {})
  await measure(url, { authorization: `Bearer ${token}` })
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const plain = await measure(bare.url, {})
    const ours = await measure(url, { authorization: `Bearer ${token}` })
    ratios.push(ours.rate / plain.rate)
    console.log(
      `round ${round + 1}: bare ${plain.rate.toFixed(0)}/s p99 ${plain.p99} ms, api ${ours.rate.toFixed(0)}/s p99 ${ours.p99} ms, ratio ${(ours.rate / plain.rate).toFixed(2)}`,
    )
    await sleep(500)
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
  console.log(
    `staff list, ${people} people, 20 rows a page, ${connections} connections: median ratio ${median.toFixed(2)} (goal 0.6)`,
  )
  await api.stop()
  bare.stop()
  await dropDatabase(database)
}

async function prepare(): Promise<string> {
  await ensureRoles()
  await dropDatabase(database)
  await ensureDatabase(database)
  await migrate(database)
  const token = newToken()
  await asSuperuser(database, async (client) => {
    await client.query("insert into organise (id, name) values (2, '绿行'), (3, '快电')")
    await client.query("insert into department (id, organise_id, name, code, type) values (1, 2, '总部', 'HQ', 1)")
    await client.query(
      "insert into role (id, organise_id, name, code, top_level, user_type) values (1, 2, '管理', 'GZHGLJS', 2, 1)",
    )
    await client.query('insert into role_menu (role_id, menu_id, organise_id) select 1, id, 2 from menu')
    await client.query(
      `insert into user_account (organise_id, department_id, user_type, employee_no, name, login_name, phone, email, password_hash)
       select 2 + n % 2, case when n % 2 = 0 then 1 end, 1, 'E' || n, '员工' || n, 'user' || n, (13000000000 + n)::text, 'u' || n || '@example.cn', 'x' from generate_series(1, $1::int) n`,
      [people],
    )
    await client.query(
      'insert into user_role (user_id, role_id, organise_id) select id, 1, 2 from user_account where organise_id = 2',
    )
    await client.query(
      "insert into session (token_hash, user_id, organise_id, stage) select $1, id, organise_id, 'full' from user_account where organise_id = 2 order by id limit 1",
      [sha256(token)],
    )
    await client.query('vacuum analyze')
  })
  return token
}

/** In a separate process, like the api, so that neither shares a thread with the load. */
async function startBare() {
  const port = await freePort()
  const child = spawn(process.execPath, ['bench/fixtures/bare-list.ts'], {
    stdio: 'inherit',
    env: { ...process.env, PORT: String(port), BARE_DATABASE_URL: superuserUrl(database) },
  })
  const url = `http://127.0.0.1:${port}`
  while (
    !(await fetch(url).then(
      (reply) => reply.ok,
      () => false,
    ))
  )
    await sleep(100)
  return { url, stop: () => child.kill() }
}
