import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { deviceBus, type DownEnvelope } from '@wattdeck/contract/events/device-bus.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import { OpenClient, OpenRefusal } from '@wattdeck/open-client/open-client.ts'
import type pg from 'pg'
import { randomOf } from '../apps/simulator/src/faults.ts'
import { gatewayVoice } from '../apps/server/test/gateway-voice.ts'
import { freePort, startApiProcess, startWorkerProcess } from '../apps/server/test/process.ts'
import { database, devices, gateway, makeMoneyWorld, members, rules, startFen } from './money-world.ts'
import { runNaive } from './money-control.ts'
import { startOwnNats, startOwnPostgres } from '../tools/own-engines.ts'

const clients = 16

export type MoneyResult = {
  seed: number
  operations: number
  kills: string[]
  accepted: number
  billed: number
  released: number
  review: number
  /** Orders that no client was told of, orders without their one hold, orders that did not end, wrong amounts. */
  invented: number
  missing: number
  hanging: number
  wrong: number
  /** Members whose wallet is not what their bills say, to the fen. */
  wallets: number
  breaks: number
  seconds: number
}

type Plan = { operations: number; kills: number; seed: number }

/**
 * Members start charges, devices do as they are told, refuse, send their bill once or thrice or an impossible one, while
 * the api, the worker and the database are killed at random moments. Then every order a client was told of is there once,
 * every wallet is what its bills say, and the ledger proves itself.
 */
export async function runMoney({ operations, kills, seed }: Plan): Promise<MoneyResult> {
  const began = Date.now()
  const [nats, postgres] = await Promise.all([startOwnNats(), startOwnPostgres()])
  process.env['POSTGRES'] = postgres.at
  process.env['NATS_URL'] = nats.url
  const { testConfig } = await import('../apps/server/test/config.ts')
  const { asSuperuser } = await import('../tools/database.ts')
  const world = await makeMoneyWorld(testConfig(database).secretKeys)
  const config = { ...testConfig(database), natsUrl: nats.url }
  const env = { NATS_URL: nats.url }
  const port = await freePort()
  const startApi = () => startApiProcess(config, { ...env, API_PORT: String(port) })
  let api = await startApi()
  let worker = await startWorkerProcess(config, env)
  const bus = await connect({ servers: nats.url, maxReconnectAttempts: -1 })
  const street = new Street(bus, config.prefix, randomOf(seed + 1))

  const random = randomOf(seed)
  const client = new OpenClient({ url: `http://127.0.0.1:${port}`, ...world.app, timeoutMs: 10_000 })
  const told = new Map<string, string>()
  const operate = async () => {
    while (told.size < operations / 2) {
      const body = {
        memberId: world.members[Math.floor(random() * members)] ?? '',
        deviceNo: world.devices[Math.floor(random() * devices)] ?? '',
        portNo: String(1 + Math.floor(random() * 2)),
        limitBy: '1',
        amount: (1 + Math.floor(random() * 500) / 100).toFixed(2),
      }
      const orderNo = await persist(client, body)
      if (orderNo !== undefined) told.set(orderNo, body.memberId)
    }
  }
  const struck: string[] = []
  const strikes = randomOf(seed + 2)
  const victims: Record<string, () => Promise<void>> = {
    api: async () => {
      await api.kill()
      api = await startApi()
    },
    worker: async () => {
      await worker.kill()
      worker = await startWorkerProcess(config, env)
    },
    database: () => postgres.restart(),
  }
  const names = Object.keys(victims)
  const strike = async () => {
    for (let round = 0; round < kills; round++) {
      // At random moments, as far as the work has got.
      const at = ((round + strikes()) * operations) / 2 / kills
      while (told.size < at && told.size < operations / 2) await sleep(20)
      const name = names[Math.floor(strikes() * names.length)] ?? 'api'
      struck.push(name)
      await victims[name]?.()
    }
  }
  await Promise.all([strike(), ...Array.from({ length: clients }, operate)])
  const deadline = Date.now() + 120_000
  const openOrders = () =>
    asSuperuser(
      database,
      async (sql) => (await sql.query<{ n: number }>('select count(*)::int as n from open_charge')).rows[0]?.n ?? 0,
    )
  while ((await openOrders()) > 0 && Date.now() < deadline) await sleep(500)
  const judged = await asSuperuser(database, (sql) => judge(sql, told, street.bills))
  await bus.close()
  await worker.stop()
  await api.stop()
  await Promise.all([nats.stop(), postgres.stop()])
  const seconds = Math.round((Date.now() - began) / 1000)
  return { seed, operations: told.size * 2, kills: struck, accepted: told.size, ...judged, seconds }
}

/** Asks until there is an answer, with the same key: whatever died meanwhile, it happens once. */
async function persist(client: OpenClient, body: object): Promise<string | undefined> {
  const key = randomBytes(16).toString('hex')
  for (;;) {
    try {
      const { orderNo } = await client.call(openCharging.start, { body: body as never, key })
      return orderNo
    } catch (error) {
      if (error instanceof OpenRefusal && error.status < 500) return undefined
      await sleep(100)
    }
  }
}

/** All devices there are, behind one gateway: they obey or refuse, and send their bills, some more than once. */
class Street {
  readonly bills = new Map<string, number>()
  readonly #voice
  readonly #random
  constructor(bus: NatsConnection, prefix: string, random: () => number) {
    this.#voice = gatewayVoice(bus, prefix, gateway)
    this.#random = random
    const subscription = bus.subscribe(deviceBus.down(prefix, gateway))
    void (async () => {
      for await (const message of subscription) {
        const { items } = message.json<DownEnvelope>()
        message.respond(JSON.stringify({ absent: [] }))
        for (const { id, d, c } of items) void this.#obey(id, d, c as unknown as { port: number; orderNo: string })
      }
    })()
  }

  async #obey(commandId: string, d: string, { port, orderNo }: { port: number; orderNo: string }) {
    const ok = this.#random() > 0.05
    const refusal = { name: 'unplugged', raw: 2 }
    await this.#say(d, { kind: 'commandResult', commandId, ok, carriedOut: ok, ...(ok ? {} : { refusal }) })
    if (!ok) return
    const energyWh = this.#random() < 0.02 ? 90_000 : 1 + Math.floor(this.#random() * 30)
    this.bills.set(orderNo, energyWh)
    const bill = { kind: 'settlement', port, orderNo, durationS: 1, energyWh, stopReason: { name: 'full', raw: 1 } }
    const copies = this.#random() < 0.2 ? 3 : 1
    await sleep(50 + this.#random() * 300)
    for (let copy = 0; copy < copies; copy++)
      await this.#say(d, bill, { r: { key: `${orderNo}/${copy}`, at: Math.floor(Date.now() / 1000) } })
  }

  /** A gateway keeps what the stream has not taken. */
  async #say(d: string, event: object, more: object = {}): Promise<void> {
    const item = this.#voice.item(d, event, more)
    for (;;) {
      const sent = await this.#voice.publish([item]).then(
        () => true,
        () => false,
      )
      if (sent) return
      await sleep(200)
    }
  }
}

type Row = {
  id: string
  member_id: string
  status: number
  total_fen: string
  held: string
  holds: number
  ends: number
}

async function judge(sql: pg.Client, told: ReadonlyMap<string, string>, bills: ReadonlyMap<string, number>) {
  const { rows } = await sql.query<Row>(
    `select id, member_id, status, total_fen, held_paid_fen + held_gift_fen as held,
       (select count(*)::int from posting where key = 'order/' || o.id || '/hold') as holds,
       (select count(*)::int from posting where key in ('order/' || o.id || '/bill', 'order/' || o.id || '/release')) as ends
     from charging_order o`,
  )
  const known = new Set(rows.map(({ id }) => id))
  const spent = new Map<string, bigint>()
  let wrong = 0
  for (const { id, member_id, status, total_fen, held, holds, ends } of rows) {
    const due = status === 3 ? expected(bills.get(id) ?? 0, BigInt(held)) : 0n
    if (BigInt(total_fen) !== due || holds !== 1 || ends !== (status === 3 || status === 4 ? 1 : 0)) wrong++
    const gone = status === 5 ? BigInt(held) : due
    spent.set(member_id, (spent.get(member_id) ?? 0n) + gone)
  }
  const { rows: wallets } = await sql.query<{ owner_id: string; balance_fen: string }>(
    'select owner_id, balance_fen from account where kind = 1',
  )
  const { rows: breaks } = await sql.query('select * from app.ledger_breaks()')
  for (const found of breaks.slice(0, 10)) console.error('broken', found)
  const count = (status: number) => rows.filter((row) => row.status === status).length
  return {
    billed: count(3),
    released: count(4),
    review: count(5),
    invented: rows.filter(({ id }) => !told.has(id)).length,
    missing: [...told.keys()].filter((id) => !known.has(id)).length,
    hanging: count(1) + count(2),
    wrong,
    wallets: wallets.filter(
      ({ owner_id, balance_fen }) => BigInt(balance_fen) !== startFen - (spent.get(owner_id) ?? 0n),
    ).length,
    breaks: breaks.length,
  }
}

const expected = (energyWh: number, heldFen: bigint): bigint =>
  price(rules, { startMs: 0, endMs: 1000, durationS: 1, energyDwh: energyWh * 10 }, { heldFen }).totalFen

export async function benchMoney(): Promise<void> {
  const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
  const seed = number('MONEY_SEED', 20_261_115)
  if (process.env['MONEY_CONTROL'] === '1') return console.log(JSON.stringify(await runNaive(seed, 30)))
  const plan = { operations: number('MONEY_OPERATIONS', 200_000), kills: number('MONEY_KILLS', 100), seed }
  console.log(JSON.stringify(await runMoney(plan)))
}
