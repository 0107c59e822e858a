import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseFaults } from '../../apps/simulator/src/faults.ts'
import type { FleetFile } from '../../apps/simulator/src/main.ts'
import { asSuperuser } from '../ops/database.ts'
import { openDeviceCa } from '../ops/device-ca.ts'
import { nextBoot, registerFleet } from '../demo/fleet-data.ts'
import { ensureTariff, makePayers } from '../demo/load-clients.ts'

/**
 * A fleet of devices against the running gateways:
 * `npm run simulate -- --devices 10000 --mix dny:5,mqtt:2,ocpp:2,ykc:1`.
 * It first registers them in the development database. 'r' or SIGUSR1: all devices lose their connection at once. With
 * `--members 200` people charge there, through the open interface of the running api.
 */
const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '60' },
    mix: { type: 'string', default: 'dny:5,mqtt:3,ocpp:1,ykc:1' },
    faults: { type: 'string', default: '' },
    speed: { type: 'string', default: '1' },
    organise: { type: 'string' },
    connects: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '1' },
    members: { type: 'string' },
  },
})
const database = process.env['DATABASE'] ?? 'wattdeck'

function positive(name: Exclude<keyof typeof values, 'mix' | 'faults' | 'organise'>, max: number): number {
  const number = Number(values[name])
  if (!(number > 0 && number <= max)) throw new Error(`--${name} takes a number up to ${max}`)
  return number
}

const kinds = ['dny', 'mqtt', 'ocpp', 'ykc'] as const
type Shares = Record<(typeof kinds)[number], number>

/** 'dny:7,mqtt:3' of 10 devices are 7 and 3. Each share is rounded down; the first kind gets the remainder. */
function shares(text: string, devices: number): Shares {
  const counts: Shares = { dny: 0, mqtt: 0, ocpp: 0, ykc: 0 }
  const parts = text.split(',').map((part) => {
    const [name = '', share = ''] = part.split(':')
    const kind = kinds.find((one) => one === name)
    if (kind === undefined || !(Number(share) >= 0)) throw new Error(`--mix takes shares of ${kinds.join(', ')}`)
    return { kind, share: Number(share) }
  })
  const sum = parts.reduce((total, { share }) => total + share, 0)
  if (!(sum > 0)) throw new Error('--mix has no share')
  for (const { kind, share } of parts) counts[kind] = Math.floor((devices * share) / sum)
  const [first] = parts
  if (first !== undefined) counts[first.kind] += devices - Object.values(counts).reduce((total, one) => total + one, 0)
  return counts
}

type Owner = { organiseId: string; siteId?: string }

/** The organisation, by default the first after the platform, and one of its sites if any. */
async function ownerOf(organise: string | undefined): Promise<Owner> {
  return asSuperuser(database, async (client) => {
    const { rows } = await client.query<{ id: string; site: string | null }>(
      `select o.id, (select min(s.id) from site s where s.organise_id = o.id) as site
       from organise o where o.id > 1 and ($1::bigint is null or o.id = $1) order by o.id limit 1`,
      [organise ?? null],
    )
    const [row] = rows
    if (row === undefined) throw new Error('there is no such organisation: run the setup first')
    return { organiseId: row.id, ...(row.site === null ? {} : { siteId: row.site }) }
  })
}

/** Each member charges about once a day. */
async function peopleOf({ organiseId, siteId }: Owner): Promise<FleetFile['members']> {
  if (values.members === undefined) return undefined
  if (siteId === undefined) throw new Error('members charge at sites, and this organisation has none')
  const secretKeys = process.env['SECRET_KEYS'] ?? /^SECRET_KEYS=(.*)$/m.exec(readFileSync('.env', 'utf8'))?.[1] ?? ''
  const members = Math.round(positive('members', 100_000))
  await ensureTariff(database, organiseId, siteId)
  const fen = 50_000n
  const payers = await makePayers(database, { organiseId, secretKeys: secretKeys.split(','), members, fen })
  const url = `http://127.0.0.1:${process.env['API_PORT'] ?? '3000'}`
  return { url, ...payers.app, ids: payers.memberIds, perDay: members }
}

const portsOf = (name: string, fallback: string) => (process.env[name] ?? fallback).split(',').map(Number)

async function makePlan(): Promise<FleetFile> {
  const devices = Math.round(positive('devices', 200_000))
  parseFaults(values.faults) // Reports a wrong word before any row is created.
  const owner = await ownerOf(values.organise)
  const identities = await registerFleet(database, { ...owner, ...shares(values.mix, devices) })
  const ca = openDeviceCa('.cache/device-ca')
  const mqttNos = identities.filter(({ adapter }) => adapter === 'mqtt-json').map(({ deviceNo }) => deviceNo)
  return {
    identities,
    members: await peopleOf(owner),
    faults: values.faults,
    speed: positive('speed', 10_000),
    seed: positive('seed', 1_000_000),
    connectsPerSecond: positive('connects', 100_000),
    reportEveryS: positive('every', 3600),
    dny: { host: '127.0.0.1', ports: portsOf('DNY_PORT', '7010') },
    ocpp: { urls: [`ws://127.0.0.1:${process.env['OCPP_PORT'] ?? '7016'}`] },
    ykc: { host: '127.0.0.1', ports: portsOf('YKC_PORT', '7020') },
    mqtt: {
      urls: [`mqtts://127.0.0.1:${process.env['MQTT_DEVICE_PORT'] ?? '8883'}`],
      ca: ca.platformCa,
      boot: await nextBoot(database),
      certificates: [...ca.issue(mqttNos)],
    },
  }
}

const plan = await makePlan().catch((error: unknown) => {
  console.error(`no fleet: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
})
mkdirSync('.cache/fleets', { recursive: true, mode: 0o700 })
const file = `.cache/fleets/${database}.json`
writeFileSync(file, JSON.stringify(plan), { mode: 0o600 })
const child = spawn(process.execPath, ['apps/simulator/src/main.ts', file], { stdio: 'inherit' })
for (const signal of ['SIGUSR1', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
