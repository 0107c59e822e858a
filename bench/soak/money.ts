import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@nats-io/transport-node'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import type pg from 'pg'
import { startPaySandbox } from '../../apps/pay-sandbox/src/sandbox.ts'
import { randomOf } from '../../apps/simulator/src/faults.ts'
import { freePort, startApiProcess, startWorkerProcess } from '../../apps/server/test/harness/process.ts'
import { startOwnNats, startOwnPostgres } from '../../tools/dev/local-services.ts'
import { consoleOf, retryAsProgram, programOf } from '../fixtures/insist.ts'
import { LoadClient } from './money-load-client.ts'
import { runNaive } from './money-control.ts'
import { judge } from './money-judge.ts'
import { ProviderSimulation } from './money-provider.ts'
import { Chargers } from './money-devices.ts'
import { database, devices, makeMoneyFixture, members } from './money-fixture.ts'

const clients = 16
/** A longer settlement counts as a hang. */
const settleMs = 120_000

export type MoneyResult = Awaited<ReturnType<typeof runMoney>>
type Plan = { operations: number; kills: number; seed: number }

/**
 * Members recharge, charge and request refunds, and other people decide. Devices obey, refuse, or send their bill once,
 * three times or with impossible values. The provider fails, times out, answers late, and loses, repeats or forges
 * notices. The api, the worker and the database are killed at random moments. At the end every confirmed order and
 * payment exists once, the provider's totals equal ours, every balance is correct to the fen, and the ledger is
 * consistent.
 */
export async function runMoney({ operations, kills, seed }: Plan) {
  const began = Date.now()
  const [nats, postgres, sandbox] = await Promise.all([
    startOwnNats(),
    startOwnPostgres(),
    startPaySandbox({ retryMs: [500, 2000, 5000] }),
  ])
  process.env['POSTGRES'] = postgres.at
  process.env['NATS_URL'] = nats.url
  const { testConfig } = await import('../../apps/server/test/harness/config.ts')
  const { asSuperuser } = await import('../../tools/ops/database.ts')
  const fixture = await makeMoneyFixture(testConfig(database).secretKeys, sandbox)
  const config = { ...testConfig(database), natsUrl: nats.url }
  const [port, otherPort] = await Promise.all([freePort(), freePort()])
  const urlOf = (at: number) => `http://127.0.0.1:${at}`
  const urls = [urlOf(port), urlOf(otherPort)]
  const env = { NATS_URL: nats.url, WECHAT_PAY_URL: sandbox.url, ALIPAY_PAY_GATEWAY: sandbox.gateway }
  const startApi = async (at: number) => {
    const own = { ...env, API_PORT: String(at), PAY_NOTIFY_URL: urlOf(at) }
    return { at, ...(await startApiProcess(config, own)) }
  }
  // The worker's payments are notified to one api, those of each api to itself.
  const startWorker = () => startWorkerProcess(config, { ...env, PAY_NOTIFY_URL: urlOf(port) })
  let [api, otherApi] = await Promise.all([startApi(port), startApi(otherPort)])
  let [worker, otherWorker] = await Promise.all([startWorker(), startWorker()])
  const bus = await connect({ servers: nats.url, maxReconnectAttempts: -1 })
  const chargers = new Chargers(bus, config.prefix, randomOf(seed + 1))
  let accepted = 0
  const outside = new ProviderSimulation(sandbox, randomOf(seed + 3), { planned: operations, accepted: () => accepted })
  const moved = () => accepted + outside.paid
  const random = randomOf(seed)
  const client = programOf(urls, fixture.app)
  const charges: { orderNo: string; memberId: string }[] = []
  const loadClient = new LoadClient({
    client,
    call: consoleOf(urls),
    random,
    memberIds: fixture.members,
    orders: charges,
    pay: (codeUrl) => outside.pay(codeUrl),
    tokens: fixture.tokens,
  })
  /** A start, and the bill that follows. */
  const charge = async () => {
    const body = {
      memberId: fixture.members[Math.floor(random() * members)] ?? '',
      deviceNo: fixture.devices[Math.floor(random() * devices)] ?? '',
      portNo: String(1 + Math.floor(random() * 2)),
      limitBy: '1',
      amount: (1 + Math.floor(random() * 500) / 100).toFixed(2),
    } as const
    const started = await retryAsProgram((key) => client.call(openCharging.start, { body, key }))
    if (started === undefined) return 0
    charges.push({ orderNo: started.orderNo, memberId: body.memberId })
    return 2
  }
  const operate = async () => {
    while (moved() < operations) {
      const roll = random()
      const work =
        roll < 0.55
          ? charge()
          : roll < 0.8
            ? loadClient.recharge()
            : roll < 0.9
              ? loadClient.refundRecharge()
              : loadClient.refundOrder()
      const done = await work
      accepted += done
    }
  }
  const struck: string[] = []
  const strikes = randomOf(seed + 2)
  const victims: Record<string, () => Promise<void>> = {
    api: async () => {
      await api.kill()
      // The surviving one is the next to be killed.
      ;[api, otherApi] = [otherApi, await startApi(api.at)]
    },
    worker: async () => {
      await worker.kill()
      ;[worker, otherWorker] = [otherWorker, await startWorker()]
    },
    database: () => postgres.restart(),
  }
  const names = Object.keys(victims)
  const strike = async () => {
    for (let round = 0; round < kills; round++) {
      // At random moments, measured by progress.
      const at = ((round + strikes()) * operations) / kills
      while (moved() < at && moved() < operations) await sleep(20)
      // Each victim is killed once before any is killed again.
      const candidates = names.filter((name) => !struck.slice(round - (round % names.length)).includes(name))
      const name = candidates[Math.floor(strikes() * candidates.length)] ?? 'api'
      struck.push(name)
      await victims[name]?.()
    }
  }
  await Promise.all([strike(), ...Array.from({ length: clients }, operate)])
  await outside.calm()
  const deadline = Date.now() + settleMs
  const isLate = () => Date.now() > deadline
  /** Retries that are scheduled for later become due now. */
  const skipBackoff = (sql: pg.Client, paid: readonly string[]) =>
    sql.query(
      `with pays as (
         update pay_order set look_at = now()
         where look_at > now() + interval '2 seconds'
           and (id = any($1::bigint[]) or expires_at <= now() or (status = 1 and handle is null))
       )
       update pay_refund set look_at = now() where look_at > now() + interval '2 seconds'`,
      [paid],
    )
  /** Charges, refunds and payments that are not final. */
  const countOpen = () =>
    asSuperuser(database, async (sql) => {
      const paid = sandbox.trades.filter(({ state }) => state === 'SUCCESS').map(({ payNo }) => payNo.slice(1))
      await skipBackoff(sql, paid)
      const { rows } = await sql.query<{ n: number }>(
        `select (select count(*)::int from open_charge) + (select count(*)::int from pay_refund where status in (1, 2))
           + (select count(*)::int from pay_order where status <> 2 and id = any($1::bigint[])) as n`,
        [paid],
      )
      return rows[0]?.n ?? 0
    })
  let isPaying = true
  const payers = loadClient.end().then(() => (isPaying = false))
  while (((await countOpen()) > 0 || isPaying) && !isLate()) await sleep(500)
  await payers
  const records = { charges, bills: chargers.bills, loadClient, trades: sandbox.trades }
  const judged = await asSuperuser(database, (sql) => judge(sql, records))
  await bus.close()
  await Promise.all([worker.stop(), otherWorker.stop()])
  await Promise.all([api.stop(), otherApi.stop()])
  await Promise.all([nats.stop(), postgres.stop(), sandbox.stop()])
  const seconds = Math.round((Date.now() - began) / 1000)
  const { length } = charges
  const unmetFaults = [...outside.unmet].map((profile) => JSON.stringify(profile))
  return { seed, operations: moved(), kills: struck, unmetFaults, charges: length, ...judged, seconds }
}

export async function benchMoney(): Promise<void> {
  const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
  const seed = number('MONEY_SEED', 20_261_115)
  if (process.env['MONEY_CONTROL'] === '1') return console.log(JSON.stringify(await runNaive(seed, 20_000)))
  const plan = { operations: number('MONEY_OPERATIONS', 200_000), kills: number('MONEY_KILLS', 100), seed }
  console.log(JSON.stringify(await runMoney(plan)))
}
