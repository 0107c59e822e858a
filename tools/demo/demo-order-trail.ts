import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import { refusal } from '@wattdeck/device-protocol/refusal.ts'
import { deviceLimit } from '@wattdeck/domain/tariff/limit.ts'
import type pg from 'pg'
import type { Order } from './demo-order-ends.ts'

/** Messages of the newest orders: the journal of devices has a retention of days, not months. */
type Reported = { atMs: number; direction: 1 | 2; kind: string; content: object }

export async function addTrail(client: pg.Client, orders: readonly Order[]): Promise<void> {
  const { rows } = await client.query<{ ms: number }>(
    `select extract(epoch from ((now() at time zone 'Asia/Shanghai')::date - 1)::timestamp at time zone 'Asia/Shanghai')::float8 * 1000 as ms`,
  )
  const sinceMs = rows[0]?.ms ?? 0
  const memberOrders = orders.filter(({ startMs, memberId }) => startMs > sinceMs && memberId !== null)
  await client.query(insertCommands, [JSON.stringify(memberOrders.map(commandOf))])
  await client.query(noteCommands)
  await client.query(insertMessages, [JSON.stringify(memberOrders.flatMap(messagesOf))])
}

const failures: Record<string, number> = { unplugged: 5, portFault: 5, noAnswer: 7, notConfirmed: 4 }

/** The start command as the platform sends it. */
function startOf({ id, port, limit, wantedFen: heldFen, startMs }: Order) {
  const { rules, ratedW } = port
  return {
    kind: 'startPort',
    port: port.portNo,
    orderNo: id,
    limit: deviceLimit(rules, limit, heldFen, { startMs, ratedW }),
    stopWhenFull: rules.fullStop,
    maxDurationS: rules.maxMinutes * 60,
    balanceFen: Number(heldFen),
  }
}

const neverBegan = ({ status }: Order) => status === 4

function commandOf(order: Order) {
  const { id, port, startMs, stop } = order
  const failed = neverBegan(order) ? stop : null
  return {
    id,
    ...port.place,
    device: port.deviceId,
    port: port.portNo,
    content: startOf(order),
    status: failed === null ? 4 : (failures[failed] ?? 4),
    sent: startMs / 1000,
    ended: (startMs + (failed === 'noAnswer' ? 15_000 : 900)) / 1000,
    reason: failed === 'notConfirmed' ? null : failed,
  }
}

function messagesOf(order: Order) {
  const { port } = order
  return exchangeOf(order).map(({ atMs, direction, kind, content }) => ({
    at: atMs / 1000,
    ...port.place,
    device: port.deviceId,
    port: port.portNo,
    direction,
    kind,
    content,
  }))
}

function exchangeOf(order: Order): Reported[] {
  const { id, port, startMs, charged, stop, said: bill } = order
  const failed = neverBegan(order) ? stop : null
  const startCommand: Reported = { atMs: startMs, direction: 2, kind: 'startPort', content: startOf(order) }
  if (failed === 'noAnswer') return [startCommand]
  const dialect = port.adapter === 'dny' ? 'dny' : 'mqttJson'
  const ok = failed === null || failed === 'notConfirmed'
  const answer = {
    kind: 'commandResult',
    commandId: id,
    ok,
    carriedOut: ok,
    port: port.portNo,
    orderNo: id,
    ...(ok ? {} : { refusal: refusal.say(dialect, failed as 'unplugged') }),
  }
  const reports = (charged?.usage.samples ?? []).map(({ atMs, energyDwh, powerDw = 0 }): Reported => ({
    atMs,
    direction: 1,
    kind: 'portReport',
    content: {
      kind: 'portReport',
      port: port.portNo,
      orderNo: id,
      status: plugStatus.say(dialect, 'working'),
      powerDw,
      energyWh: energyDwh / 10,
      durationS: Math.round((atMs - startMs) / 1000),
      voltageDv: 2200,
      currentMa: Math.round((powerDw * 1000) / 2200),
    },
  }))
  const endMs = charged?.usage.endMs ?? startMs
  return [
    startCommand,
    { atMs: startMs + 900, direction: 1, kind: 'commandResult', content: answer },
    ...reports,
    ...(bill === undefined ? [] : [{ atMs: endMs + 700, direction: 1 as const, kind: 'settlement', content: bill }]),
  ]
}

const insertCommands = `
  insert into device_command (id, organise_id, agent_id, site_id, device_id, kind, port_no, content, status, when_offline, expires_at, counter,
    sent_at, answer_by, ended_at, reason, issued_by)
  select id, "organiseId", "agentId", "siteId", device, 'startPort', port, content, status, 2, to_timestamp(sent + 60), 1, to_timestamp(sent),
    to_timestamp(sent + 15), to_timestamp(ended), reason, '小程序'
  from jsonb_to_recordset($1::jsonb) as demo (id bigint, "organiseId" bigint, "agentId" bigint, "siteId" bigint, device bigint, port smallint,
    content jsonb, status smallint, sent float8, ended float8, reason text)`

const noteCommands = `
  update charging_order o set command_id = o.id from device_command command where command.id = o.id and command.device_id = o.device_id and o.device_id < 1000`

/** Messages of the same millisecond differ by the line number. */
const insertMessages = `
  insert into device_message (id, device_id, organise_id, agent_id, site_id, direction, kind, port_no, content)
  select app.message_id(to_timestamp(at)) + 1000 + line, device, "organiseId", "agentId", "siteId", direction, kind, port, content
  from rows from (jsonb_to_recordset($1::jsonb) as (at float8, "organiseId" bigint, "agentId" bigint, "siteId" bigint, device bigint, port smallint,
    direction smallint, kind text, content jsonb)) with ordinality as demo (at, "organiseId", "agentId", "siteId", device, port, direction, kind, content, line)`
