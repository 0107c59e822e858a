import { messageEpochMs, type ConnectionEvent, type UpItem } from '@wattdeck/contract/events/device-bus.ts'
import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { type PlugReading, plugStatus } from '@wattdeck/device-protocol/plug-status.ts'

/** The state of a device, as stored and as changed by messages. Times in milliseconds. */
export type DeviceState = {
  deviceId: string
  organiseId: string
  agentId: string | null
  siteId: string | null
  /** The device counts as offline after this time without a message. */
  patienceMs: number
  online: boolean
  /** Order of the message that last set temperature and voltage, the signal, and the registration data. */
  beatOrd: bigint
  csqOrd: bigint
  registrationOrd: bigint
  plugs: number[]
  plugOrds: bigint[]
  lastSeenMs: number
  onlineUntilMs: number
  session: bigint
  connectedMs: number
  disconnectedMs: number
  address: string | null
  gateway: number | null
  /** Time at which a second connection claimed the device while the first one still answered. */
  contestedMs: number
  csq: number | null
  temperatureC: number | null
  voltageDv: number | null
}

/** The newest report of one port in these messages. */
type PortReport = {
  portNo: number
  ord: bigint
  atMs: number
  orderNo: string | null
  powerDw: number | null
  voltageDv: number | null
  currentMa: number | null
  energyWh: number
  minutes: number
  temperatureC: number | null
}
type Registration = {
  firmware?: string | undefined
  iccid?: string | undefined
  imei?: string | undefined
}
type Happening = {
  kind: 'online' | 'offline' | 'registered' | 'portStatus' | 'alarm'
  portNo: number | null
  detail: object
  atMs: number
  /** The source message; several happenings of one message are distinguished by their index. */
  messageId: string
}
export type Change = {
  state: DeviceState
  reports: Map<number, PortReport>
  registration: Registration | undefined
  happenings: Happening[]
  /** Ports whose status changed. */
  plugged: Set<number>
}

export const messageMs = (id: string): number => Number(BigInt(id) >> 22n) + messageEpochMs
export const startChange = (state: DeviceState): Change => ({
  state: { ...state, plugs: [...state.plugs], plugOrds: [...state.plugOrds] },
  reports: new Map(),
  registration: undefined,
  happenings: [],
  plugged: new Set(),
})

/**
 * Applies one message. The newer message wins in any order of arrival, and a repeated message changes nothing. Each value
 * is stored with the order of its message for this. `nowMs` decides whether an old message still means online.
 */
export function applyMessage(change: Change, item: UpItem, gateway: number, nowMs: number): void {
  const event = item.e as ConnectionEvent | DeviceEvent
  const atMs = messageMs(item.id)
  const { state } = change
  // A claim by another connection does not prove that the device is online.
  if (event.kind === 'contested') {
    state.contestedMs = Math.max(state.contestedMs, atMs)
    return
  }
  // Neither do events about commands of the platform.
  if (event.kind === 'command' || event.kind === 'commandFailed') return
  if (event.kind === 'disconnected') {
    // An older session has already ended; for a newer session the start message was lost.
    if (BigInt(event.session) < state.session) return
    state.session = BigInt(event.session)
    disconnect(change, item, atMs, event.reason)
    return
  }
  if (event.kind === 'connected') connect(change, BigInt(event.session ?? item.id), event.address ?? null, atMs)
  state.gateway = atMs >= state.lastSeenMs ? gateway : state.gateway
  markSeen(change, item, atMs, nowMs)
  if (event.kind !== 'connected') understand(change, event, item, atMs)
}

function connect({ state }: Change, session: bigint, address: string | null, atMs: number): void {
  if (session <= state.session) return
  // A replacing connection may begin in the millisecond in which the previous one ended.
  if (atMs === state.disconnectedMs) state.disconnectedMs = atMs - 1
  state.session = session
  state.connectedMs = atMs
  state.address = address
}

function disconnect(change: Change, item: UpItem, atMs: number, reason: string): void {
  const { state } = change
  state.disconnectedMs = Math.max(state.disconnectedMs, atMs)
  // A later message arrived on another connection, or the device has no connection.
  if (!state.online || state.lastSeenMs > atMs) return
  state.online = false
  state.onlineUntilMs = atMs
  addHappening(change, 'offline', item, atMs, null, { reason })
}

function markSeen(change: Change, item: UpItem, atMs: number, nowMs: number): void {
  const { state } = change
  state.lastSeenMs = Math.max(state.lastSeenMs, atMs)
  if (atMs <= state.disconnectedMs) return
  state.onlineUntilMs = Math.max(state.onlineUntilMs, atMs + state.patienceMs)
  if (state.online || state.onlineUntilMs <= nowMs) return
  state.online = true
  addHappening(change, 'online', item, atMs, null, state.address === null ? {} : { address: state.address })
}

function understand(change: Change, event: DeviceEvent, item: UpItem, atMs: number): void {
  const { state } = change
  const ord = BigInt(item.o)
  if ('csq' in event && event.csq !== undefined && ord > state.csqOrd) {
    state.csqOrd = ord
    state.csq = event.csq
  }
  if (event.kind === 'heartbeat') {
    if (ord > state.beatOrd) {
      state.beatOrd = ord
      state.temperatureC = event.temperatureC ?? state.temperatureC
      state.voltageDv = event.voltageDv ?? state.voltageDv
    }
    for (const [place, reading] of event.ports.entries()) plug(change, place, reading, ord, item, atMs)
  } else if (event.kind === 'portReport') {
    report(change, reportOf(event, ord, atMs))
    plug(change, event.port - 1, event.status, ord, item, atMs)
  } else if (event.kind === 'started') {
    report(change, { ...nothingYet, portNo: event.port, ord, atMs, orderNo: event.orderNo })
  } else if (event.kind === 'portStatus') {
    if (event.port !== undefined) plug(change, event.port - 1, event.status, ord, item, atMs)
  } else if (event.kind === 'register') {
    const { firmware, iccid, imei } = event
    register(change, { firmware, iccid, imei }, ord)
    addHappening(change, 'registered', item, atMs, null, { firmware, portCount: event.portCount })
  } else if (event.kind === 'host' || event.kind === 'iccid') {
    register(change, { iccid: event.iccid }, ord)
  } else if (event.kind === 'alarm') {
    addHappening(change, 'alarm', item, atMs, event.port ?? null, { alarm: event.alarm })
  }
}

/** Merges registration data: the modem and the device each report a part. */
function register(change: Change, { firmware, iccid, imei }: Registration, ord: bigint): void {
  if (ord <= change.state.registrationOrd) return
  change.state.registrationOrd = ord
  const before = change.registration
  change.registration = {
    firmware: firmware ?? before?.firmware,
    iccid: iccid ?? before?.iccid,
    imei: imei ?? before?.imei,
  }
}

function plug(change: Change, place: number, reading: PlugReading, ord: bigint, item: UpItem, atMs: number): void {
  const { state } = change
  const before = state.plugs[place]
  // Ignores ports beyond the port count, unknown statuses and older messages.
  if (before === undefined || reading.name === 'unknown' || ord <= (state.plugOrds[place] ?? 0n)) return
  const status = plugStatus.codeOf(reading.name)
  state.plugOrds[place] = ord
  if (status === before) return
  state.plugs[place] = status
  change.plugged.add(place + 1)
  addHappening(change, 'portStatus', item, atMs, place + 1, { from: before, to: status, raw: reading.raw })
}

function report({ reports }: Change, next: PortReport): void {
  const before = reports.get(next.portNo)
  if (before === undefined || before.ord < next.ord) reports.set(next.portNo, next)
}

/** Initial values of a charge that has just started. */
const nothingYet = {
  powerDw: null,
  voltageDv: null,
  currentMa: null,
  energyWh: 0,
  minutes: 0,
  temperatureC: null,
} satisfies Partial<PortReport>

function reportOf(event: Extract<DeviceEvent, { kind: 'portReport' }>, ord: bigint, atMs: number): PortReport {
  return {
    portNo: event.port,
    ord,
    atMs,
    orderNo: event.orderNo ?? null,
    powerDw: event.powerDw ?? null,
    voltageDv: event.voltageDv ?? null,
    currentMa: event.currentMa ?? null,
    energyWh: event.energyWh,
    minutes: Math.floor(event.durationS / 60),
    temperatureC: event.portTemperatureC ?? event.temperatureC ?? null,
  }
}

function addHappening(
  change: Change,
  kind: Happening['kind'],
  item: UpItem,
  atMs: number,
  portNo: number | null,
  detail: object,
): void {
  change.happenings.push({ kind, portNo, detail, atMs, messageId: item.id })
}
