import type { UpItem } from '@wattdeck/contract/events/device-bus.ts'
import { installFlow } from '@wattdeck/contract/product/device-codes.ts'
import type { PortPatch } from '@wattdeck/contract/product/device-live.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { Change, DeviceState } from './device-state.ts'

/** The state of a device before the messages, and its number of ports per status. */
export type Locked = DeviceState & { counts: number[] }

type StateRow = Omit<DeviceState, 'beatOrd' | 'csqOrd' | 'registrationOrd' | 'session' | 'plugs' | 'plugOrds'> & {
  beatOrd: string
  csqOrd: string
  registrationOrd: string
  session: string
  plugs: number[]
  plugOrds: string[]
  portCount: number
  counts: number[]
}
const ms = (column: string) => sql.raw(`coalesce((extract(epoch from ${column}) * 1000)::float8, 0)`)
/** Tolerance for a late heartbeat. */
const graceMs = 10_000

/**
 * Locks and returns the states that the messages will change, in key order. Removed and barred devices are omitted. Rows
 * are transferred as one JSON value in both directions, with numbers beyond 2^53 as text: for thousands of rows a second
 * this costs a fraction of result columns and array parameters.
 */
export async function lockStates(db: Db, ids: readonly string[]): Promise<Map<string, Locked>> {
  // A separate statement acquires the locks: a single statement that waits for a lock would read the device as of its
  // start. It returns one count, because thousands of empty rows would be read one by one.
  const locked = sql`with locked as (
      select device_id from device_state where device_id = any(${ids}::bigint[]) order by device_id for update
    ) select count(*) from locked`
  const states = sql<{ states: StateRow[] }>`select coalesce(json_agg(state), '[]') as states from (
    select s.device_id::text as "deviceId", s.organise_id::text as "organiseId", s.agent_id::text as "agentId", s.site_id::text as "siteId",
      p.heartbeat_s * p.missed_heartbeats * 1000 + ${graceMs}::int as "patienceMs", d.online, s.beat_ord::text as "beatOrd",
      s.csq_ord::text as "csqOrd", s.told_ord::text as "registrationOrd", s.plugs,
      s.plug_ords::text[] as "plugOrds", ${ms('s.last_seen_at')} as "lastSeenMs", ${ms('s.online_until')} as "onlineUntilMs",
      s.session::text, ${ms('s.connected_at')} as "connectedMs", ${ms('s.disconnected_at')} as "disconnectedMs", s.address,
      s.gateway, ${ms('s.contested_at')} as "contestedMs", s.csq, s.temperature_c as "temperatureC", s.voltage_dv as "voltageDv", d.port_count as "portCount",
      array[d.free_ports, d.working_ports, d.fault_ports, d.appointed_ports, d.connected_ports, d.warning_ports, d.down_ports] as counts
    from device_state s
    join device d on d.id = s.device_id and d.deleted_at is null and not d.barred
    join device_type t on t.id = d.device_type_id
    join dtu_protocol p on p.id = t.protocol_id
    where s.device_id = any(${ids}::bigint[]) order by s.device_id) state`
  const [, { rows }] = await Promise.all([locked.execute(db), states.execute(db)])
  return new Map(
    (rows[0]?.states ?? []).map(({ portCount, beatOrd, csqOrd, registrationOrd, session, plugs, plugOrds, ...row }) => [
      row.deviceId,
      {
        ...row,
        beatOrd: BigInt(beatOrd),
        csqOrd: BigInt(csqOrd),
        registrationOrd: BigInt(registrationOrd),
        session: BigInt(session),
        plugs: Array.from({ length: portCount }, (_, place) => plugs[place] ?? 1),
        plugOrds: Array.from({ length: portCount }, (_, place) => BigInt(plugOrds[place] ?? 0)),
      },
    ]),
  )
}

const column = <T, V>(rows: readonly T[], of: (row: T) => V): V[] => rows.map((row) => of(row))
const seconds = (value: number) => (value === 0 ? null : value / 1000)

export async function writeStates(db: Db, changes: readonly Change[]): Promise<void> {
  const states = changes.map(({ state }) => ({
    device_id: state.deviceId,
    beat_ord: String(state.beatOrd),
    csq_ord: String(state.csqOrd),
    told_ord: String(state.registrationOrd),
    plugs: state.plugs,
    plug_ords: state.plugOrds.map(String),
    last_seen: seconds(state.lastSeenMs),
    online_until: seconds(state.onlineUntilMs),
    session: String(state.session),
    connected: seconds(state.connectedMs),
    disconnected: seconds(state.disconnectedMs),
    address: state.address,
    gateway: state.gateway,
    contested: seconds(state.contestedMs),
    csq: state.csq,
    temperature_c: state.temperatureC,
    voltage_dv: state.voltageDv,
    online: state.online,
  }))
  await sql`update device_state s set beat_ord = u.beat_ord, csq_ord = u.csq_ord, told_ord = u.told_ord, plugs = u.plugs, plug_ords = u.plug_ords,
      last_seen_at = to_timestamp(u.last_seen), online_until = to_timestamp(u.online_until), session = u.session,
      connected_at = to_timestamp(u.connected), disconnected_at = to_timestamp(u.disconnected), address = u.address,
      gateway = u.gateway, contested_at = to_timestamp(u.contested), csq = u.csq, temperature_c = u.temperature_c, voltage_dv = u.voltage_dv,
      check_at = case when u.online then coalesce(s.check_at, to_timestamp(u.online_until)) end
    from json_to_recordset(${JSON.stringify(states)}::json) as u (device_id bigint, beat_ord bigint, csq_ord bigint, told_ord bigint,
        plugs smallint[], plug_ords bigint[], last_seen float8, online_until float8, session bigint, connected float8, disconnected float8,
        address text, gateway smallint, contested float8, csq smallint, temperature_c smallint, voltage_dv int, online boolean)
    where s.device_id = u.device_id`.execute(db)
}

/** Returns the changed ports in the format of the console. */
export async function writePorts(db: Db, changes: readonly Change[]): Promise<Map<string, PortPatch[]>> {
  const ports = changes.flatMap(({ state, reports, plugged }) =>
    [...new Set([...plugged, ...reports.keys()])]
      .toSorted((one, other) => one - other)
      .map((portNo) => ({
        deviceId: state.deviceId,
        portNo,
        status: state.plugs[portNo - 1] ?? null,
        moved: plugged.has(portNo),
        report: reports.get(portNo),
        atMs: state.lastSeenMs,
      })),
  )
  const patches = new Map<string, PortPatch[]>()
  if (ports.length === 0) return patches
  const { rows } = await sql<PortPatch & { deviceId: string }>`
    update port p set status = coalesce(u.status, p.status),
      status_since = case when u.moved then to_timestamp(u.at) else p.status_since end,
      ord = greatest(p.ord, u.ord),
      reported_at = case when u.ord > p.ord then to_timestamp(u.reported) else p.reported_at end,
      order_no = case when u.ord > p.ord then u.order_no else p.order_no end,
      power_dw = case when u.ord > p.ord then u.power_dw else p.power_dw end,
      voltage_dv = case when u.ord > p.ord then u.voltage_dv else p.voltage_dv end,
      current_ma = case when u.ord > p.ord then u.current_ma else p.current_ma end,
      energy_wh = case when u.ord > p.ord then u.energy_wh else p.energy_wh end,
      minutes = case when u.ord > p.ord then u.minutes else p.minutes end,
      temperature_c = case when u.ord > p.ord then u.temperature_c else p.temperature_c end
    from unnest(${column(ports, (p) => p.deviceId)}::bigint[], ${column(ports, (p) => p.portNo)}::smallint[],
      ${column(ports, (p) => p.status)}::smallint[], ${column(ports, (p) => p.moved)}::boolean[],
      ${column(ports, (p) => p.atMs / 1000)}::float8[], ${column(ports, (p) => String(p.report?.ord ?? -1))}::bigint[],
      ${column(ports, (p) => seconds(p.report?.atMs ?? 0))}::float8[], ${column(ports, (p) => p.report?.orderNo ?? null)}::text[],
      ${column(ports, (p) => p.report?.powerDw ?? null)}::int[], ${column(ports, (p) => p.report?.voltageDv ?? null)}::int[],
      ${column(ports, (p) => p.report?.currentMa ?? null)}::int[], ${column(ports, (p) => p.report?.energyWh ?? null)}::int[],
      ${column(ports, (p) => p.report?.minutes ?? null)}::int[], ${column(ports, (p) => p.report?.temperatureC ?? null)}::smallint[])
      as u (device_id, port_no, status, moved, at, ord, reported, order_no, power_dw, voltage_dv, current_ma, energy_wh, minutes, temperature_c)
    where p.device_id = u.device_id and p.port_no = u.port_no
    returning p.device_id as "deviceId", p.port_no as "portNo", p.status, p.power_dw as "powerDw", p.voltage_dv as "voltageDv",
      p.current_ma as "currentMa", p.energy_wh as "energyWh", p.minutes, p.temperature_c as "temperatureC",
      p.order_no as "orderNo", p.reported_at as "reportedAt"`.execute(db)
  for (const { deviceId, ...patch } of rows) patches.set(deviceId, [...(patches.get(deviceId) ?? []), patch])
  return patches
}

export const portOf = ({ e }: UpItem): number | null => {
  const { port } = e as { port?: unknown }
  return typeof port === 'number' ? port : null
}

/**
 * Writes messages to the journal in their raw form: `json` is a list of envelopes, which is not parsed here. Events
 * 'commandFailed' are skipped, because a gateway creates them without a message on the wire.
 */
export async function writeMessages(db: Db, json: string, deviceIds: readonly string[]): Promise<void> {
  await sql`insert into device_message (id, device_id, organise_id, agent_id, site_id, direction, kind, port_no, boot, seq, content, frame)
    select item.id, item.d, state.organise_id, state.agent_id, state.site_id, case item.e ->> 'kind' when 'command' then 2 else 1 end,
      item.e ->> 'kind', case jsonb_typeof(item.e -> 'port') when 'number' then (item.e ->> 'port')::smallint end,
      item.boot, item.seq, item.e, decode(item.f, 'base64')
    from json_array_elements(${json}::json) envelope,
      json_to_recordset(envelope -> 'items') as item (id bigint, d bigint, boot bigint, seq bigint, e jsonb, f text)
      join device_state state on state.device_id = item.d
    where item.d = any(${deviceIds}::bigint[]) and item.e ->> 'kind' <> 'commandFailed'
    on conflict (id) do nothing`.execute(db)
}

export async function writeHappenings(db: Db, changes: readonly Change[]): Promise<void> {
  const rows = changes.flatMap(({ state, happenings }) =>
    happenings.map((one, place) => ({
      ...one,
      state,
      part: happenings.slice(0, place).filter(({ messageId }) => messageId === one.messageId).length,
    })),
  )
  if (rows.length === 0) return
  await sql`insert into device_event (id, part, device_id, organise_id, agent_id, site_id, kind, port_no, detail, at)
    select id, part, device_id, organise_id, agent_id, site_id, kind, port_no, detail::jsonb, to_timestamp(at)
    from unnest(${column(rows, (r) => r.messageId)}::bigint[], ${column(rows, (r) => r.part)}::smallint[],
      ${column(rows, (r) => r.state.deviceId)}::bigint[], ${column(rows, (r) => r.state.organiseId)}::bigint[],
      ${column(rows, (r) => r.state.agentId)}::bigint[], ${column(rows, (r) => r.state.siteId)}::bigint[],
      ${column(rows, (r) => r.kind)}::text[], ${column(rows, (r) => r.portNo)}::smallint[],
      ${column(rows, (r) => JSON.stringify(r.detail))}::text[], ${column(rows, (r) => r.atMs / 1000)}::float8[])
      as u (id, part, device_id, organise_id, agent_id, site_id, kind, port_no, detail, at)
    on conflict do nothing`.execute(db)
}

export type DeviceFacts = { id: string; online: boolean; counts: number[] }
export async function writeDevices(db: Db, devices: readonly DeviceFacts[]): Promise<void> {
  const count = (place: number) => sql`${column(devices, ({ counts }) => counts[place] ?? 0)}::smallint[]`
  await sql`update device d set online = u.online, free_ports = u.free, working_ports = u.working, fault_ports = u.fault,
      appointed_ports = u.appointed, connected_ports = u.connected, warning_ports = u.warning, down_ports = u.down,
      install_status = case when u.online and d.install_status = any(${installFlow.from('report')}::smallint[])
        then ${installFlow.to('report')}::smallint else d.install_status end
    from unnest(${column(devices, ({ id }) => id)}::bigint[], ${column(devices, ({ online }) => online)}::boolean[],
      ${count(0)}, ${count(1)}, ${count(2)}, ${count(3)}, ${count(4)}, ${count(5)}, ${count(6)})
      as u (id, online, free, working, fault, appointed, connected, warning, down)
    where d.id = u.id`.execute(db)
}

/** Updates registration data. Modem ids (ICCID, IMEI) are written only if no other device has them. */
export async function writeRegistrations(db: Db, changes: readonly Change[]): Promise<void> {
  const rows = changes.flatMap(({ state, registration }) =>
    registration === undefined ? [] : [{ id: state.deviceId, ...registration }],
  )
  if (rows.length === 0) return
  await sql`update device d set software_version = coalesce(left(u.firmware, 30), d.software_version),
      iccid = case when u.iccid ~ '^[0-9A-F]{19,20}$' and not exists (select from device o where o.iccid = u.iccid and o.id <> d.id)
        then u.iccid else d.iccid end,
      imei = case when u.imei ~ '^\\d{15}$' and not exists (select from device o where o.imei = u.imei and o.id <> d.id)
        then u.imei else d.imei end
    from unnest(${column(rows, ({ id }) => id)}::bigint[], ${column(rows, ({ firmware }) => firmware ?? null)}::text[],
      ${column(rows, ({ iccid }) => iccid?.toUpperCase() ?? null)}::text[], ${column(rows, ({ imei }) => imei ?? null)}::text[])
      as u (id, firmware, iccid, imei)
    where d.id = u.id and (d.software_version is distinct from coalesce(left(u.firmware, 30), d.software_version)
      or d.iccid is distinct from coalesce(u.iccid, d.iccid) or d.imei is distinct from coalesce(u.imei, d.imei))`.execute(
    db,
  )
}
