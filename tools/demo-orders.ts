import { billText } from '@wattdeck/domain/tariff/bill-json.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import type pg from 'pg'
import {
  addPayers,
  addTariff,
  book,
  brands,
  type Device,
  firstMember,
  hourMs,
  type Payer,
  type Posting,
  rules,
} from './demo-payers.ts'

/** Three weeks of charges: priced by the product's own function, and booked by the ledger's own. */
const orders = 360
const stops = ['full', 'full', 'unplugged', 'presetAmount', 'remote', 'lowPower']
/** Adds them once: members are known by their numbers. */
export async function addDemoOrders(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from member where id = $1', [firstMember])
  if (rowCount !== 0) return
  await client.query(`select set_config('app.scope_level', '0', false), set_config('app.organise_id', '0', false),
    set_config('app.agent_ids', '{}', false), set_config('app.site_ids', '{}', false)`)
  const devices = await readDevices(client)
  if (devices.length === 0) return
  const versions = new Map<number, string>()
  for (const organise of brands) versions.set(organise, await addTariff(client, organise))
  const payers = await addPayers(client)
  for (let n = 0; n < orders; n++) {
    const organise = brands[n % 3 === 0 ? 1 : 0] ?? 2
    const [own, members] = [
      devices.filter((one) => one.organise === organise),
      payers.filter((one) => one.organise === organise),
    ]
    const [device, payer] = [own[(n * 7) % own.length], members[(n * 11) % members.length]]
    if (device !== undefined && payer !== undefined)
      await addOrder(client, n, device, payer, versions.get(organise) ?? '')
  }
}

async function readDevices(client: pg.Client): Promise<Device[]> {
  const { rows } = await client.query<Device>(
    `select id, organise_id::int as organise, agent_id as agent, site_id as site, device_no as no, device_type_id as type, online
     from device where id < 1000 and organise_id = any($1) and site_id is not null and install_status = 1 order by id`,
    [brands],
  )
  return rows
}

const heldFen = 500n

/** The n-th, oldest first. The last few still charge, some of them at devices that have gone; a few wait for review. */
async function addOrder(client: pg.Client, n: number, device: Device, payer: Payer, version: string): Promise<void> {
  const left = orders - 1 - n
  const isOpen = left < 9
  const startMs = Math.floor(Date.now() - (isOpen ? (left + 1) * 0.4 * hourMs : left * 1.35 * hourMs + 6 * hourMs))
  const minutes = isOpen ? Math.floor((left + 1) * 24) : 45 + ((n * 37) % 280)
  const watts = 180 + ((n * 53) % 420)
  const samples = Array.from({ length: Math.floor(minutes / 5) }, (_, place) =>
    sampleAt(startMs, place + 1, minutes, watts),
  )
  const energyDwh = samples.at(-1)?.energyDwh ?? 0
  const durationS = minutes * 60
  const usage = { startMs, endMs: startMs + durationS * 1000, durationS, energyDwh, samples, peakPowerDw: watts * 10 }
  const status = isOpen ? 2 : n % 61 === 5 ? 5 : n % 40 === 9 ? 4 : 3
  const { rows } = await client.query<{ id: string; at: string }>(
    `select (app.message_id(to_timestamp($1)) + $2)::text as id, $3::text as at`,
    [startMs / 1000, n, new Date(startMs).toISOString()],
  )
  const id = rows[0]?.id ?? ''
  const bill = status === 3 ? price(rules, usage, { heldFen }) : undefined
  const stop = status === 4 ? 'unplugged' : status === 2 ? null : (stops[n % stops.length] ?? 'full')
  const settlement = {
    kind: 'settlement',
    port: 1,
    orderNo: id,
    durationS,
    energyWh: Math.floor(energyDwh / 10) * (status === 5 ? 9 : 1),
    stopReason: { name: 'full', raw: 1 },
  }
  const ended = status === 3 || status === 5
  await client.query(insertOrder, [
    id,
    payer.organise,
    device.agent,
    device.site,
    device.id,
    device.no,
    device.type,
    payer.id,
    n % 4 === 3 ? 5 : 1,
    version,
    status,
    status === 4 ? 0 : String(heldFen),
    startMs / 1000,
    ended ? durationS : null,
    ended ? energyDwh : null,
    watts * 10,
    stop,
    String(bill?.electricityFen ?? 0n),
    String(bill?.serviceFen ?? 0n),
    String(bill?.totalFen ?? 0n),
    bill === undefined ? null : billText(bill),
    ended ? JSON.stringify(settlement) : null,
    status === 5 ? ['tooMuchEnergy'] : null,
  ])
  await client.query(insertSamples, [
    id,
    JSON.stringify(samples.map(({ atMs, ...rest }) => ({ ...rest, at: atMs / 1000 }))),
  ])
  if (isOpen) await client.query(takePort, [id, 1, durationS, energyDwh, watts * 10])
  await bookOrder(client, {
    id,
    status,
    device,
    payer,
    keyAt: await keyTime(client, id),
    totalFen: bill?.totalFen ?? 0n,
    parts: [bill?.electricityFen ?? 0n, bill?.serviceFen ?? 0n],
  })
}

/** A charge that begins strongly and fades. */
function sampleAt(startMs: number, place: number, minutes: number, watts: number) {
  const part = (place * 5) / minutes
  const fade = part < 0.6 ? 1 : 1 - (part - 0.6) * 1.6
  const used = part < 0.6 ? part : 0.6 + (part - 0.6) * (1 - (part - 0.6) * 0.8)
  return {
    atMs: startMs + place * 300_000,
    powerDw: Math.max(80, Math.round(watts * 10 * fade + ((place * 37) % 30))),
    energyDwh: Math.floor(watts * 10 * (minutes / 60) * used * 0.97),
  }
}

/** The time that a key of an order carries, which is that of its number. */
async function keyTime(client: pg.Client, id: string): Promise<string> {
  const { rows } = await client.query<{ ms: number }>(
    'select (extract(epoch from app.message_time($1)) * 1000)::float8 as ms',
    [id],
  )
  return new Date(rows[0]?.ms ?? 0).toISOString()
}

type Booked = {
  id: string
  status: number
  device: Device
  payer: Payer
  keyAt: string
  totalFen: bigint
  parts: [bigint, bigint]
}

async function bookOrder(
  client: pg.Client,
  { id, status, device, payer, keyAt, totalFen, parts }: Booked,
): Promise<void> {
  const common = { keyAt, ref: id, device, organise: payer.organise }
  const postings: Posting[] = [
    {
      ...common,
      key: `order/${id}/hold`,
      kind: 3,
      lines: [
        [1, payer.id, -heldFen],
        [3, payer.id, heldFen],
      ],
    },
  ]
  if (status === 3)
    postings.push({
      ...common,
      key: `order/${id}/bill`,
      kind: 5,
      lines: [
        [3, payer.id, -heldFen],
        [1, payer.id, heldFen - totalFen],
        [21, device.site, parts[0]],
        [22, device.site, parts[1]],
      ],
    })
  if (status === 4)
    postings.push({
      ...common,
      key: `order/${id}/release`,
      kind: 4,
      lines: [
        [3, payer.id, -heldFen],
        [1, payer.id, heldFen],
      ],
    })
  await book(client, postings)
  if (status === 3)
    await client.query('update member set consumed_fen = consumed_fen + $2, last_consumed_at = $3 where id = $1', [
      payer.id,
      String(totalFen),
      keyAt,
    ])
}

const insertOrder = `
  insert into charging_order (id, organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, start_mode, tariff_version_id,
    billing_type, status, limit_by, limit_value, held_paid_fen, started_at, ended_at, duration_s, energy_dwh, peak_power_dw, stop_reason,
    electricity_fen, service_fen, total_fen, paid_fen, bill, settlement, review_reasons, settled_at)
  values ($1, $2, $3, $4, $5, 1, $6, $7, $1::text, $8, $9, $10, 0, $11, 1, 500, $12, case when $11 = 4 then null else to_timestamp($13) end,
    to_timestamp($13) + make_interval(secs => $14), $14, $15, case when $14 is null then null else $16::int end, $17, $18, $19, $20,
    case when $11 = 3 then $20::bigint else 0 end, $21, $22, $23, case when $11 in (3, 4) then to_timestamp($13) + make_interval(secs => coalesce($14, 30)) end)`

const insertSamples = `
  insert into charge_sample (order_id, at, organise_id, agent_id, site_id, energy_dwh, power_dw)
  select o.id, to_timestamp(sample.at), o.organise_id, o.agent_id, o.site_id, sample."energyDwh", sample."powerDw"
  from charging_order o, jsonb_to_recordset($2::jsonb) as sample (at float8, "energyDwh" int, "powerDw" int)
  where o.id = $1 and o.status <> 4 on conflict do nothing`

const takePort = `
  insert into open_charge (device_id, port_no, order_id, organise_id, agent_id, site_id, wire_no, end_by, reported_at, energy_dwh, duration_s, power_dw, peak_power_dw)
  select o.device_id, $2, o.id, o.organise_id, o.agent_id, o.site_id, o.wire_no, o.started_at + interval '10 hours 30 minutes',
    case when device.online then now() - interval '1 minute' else now() - interval '25 minutes' end, $4, $3, $5 - 200, $5
  from charging_order o join device on device.id = o.device_id where o.id = $1 on conflict do nothing`
