import { createHmac, hkdfSync } from 'node:crypto'
import {
  type ConnectionEvent,
  countedOrder,
  gatewayNumbers,
  messageEpochMs,
  type UpItem,
} from '@wattdeck/contract/events/device-bus.ts'
import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'

/** What stands in the journal: events of devices and of their lines, and what nobody could read. */
type Reported = DeviceEvent | ConnectionEvent | { kind: 'unreadable'; reason: string }
type FieldOf<T> = T extends T ? keyof T : never

/**
 * What becomes of a field when a message goes to another organisation. alias: it belongs to a person, and another text takes
 * its place, the same each time. drop: it belongs to the device or its owner, or may hold anything. A field that is not
 * named here does not compile, and one that only an older release knew is dropped.
 */
const care: Readonly<Record<FieldOf<Reported>, 'keep' | 'alias' | 'drop'>> = {
  card: 'alias',
  longCard: 'alias',
  vin: 'alias',
  // Of the SIM card and the line: a device that says them would take them from the one that has them.
  iccid: 'drop',
  imei: 'drop',
  address: 'drop',
  // Names a command to the other device.
  commandId: 'drop',
  messageId: 'drop',
  command: 'drop',
  // What makers write for people to read.
  info: 'drop',
  text: 'drop',
  kind: 'keep',
  session: 'keep',
  reason: 'keep',
  order: 'keep',
  deviceTimeS: 'keep',
  firmware: 'keep',
  portCount: 'keep',
  model: 'keep',
  powerBoardFirmware: 'keep',
  subAddress: 'keep',
  workMode: 'keep',
  protocolVersion: 'keep',
  csq: 'keep',
  ports: 'keep',
  port: 'keep',
  voltageDv: 'keep',
  temperatureC: 'keep',
  localSignal: 'keep',
  hostType: 'keep',
  modemType: 'keep',
  modemFirmware: 'keep',
  clockChip: 'keep',
  radioFrequency: 'keep',
  status: 'keep',
  powerDw: 'keep',
  energyWh: 'keep',
  durationS: 'keep',
  orderNo: 'keep',
  start: 'keep',
  currentMa: 'keep',
  portTemperatureC: 'keep',
  maxPowerDw: 'keep',
  minPowerDw: 'keep',
  meanPowerDw: 'keep',
  peakPowerDw: 'keep',
  spanEnergyRaw: 'keep',
  occupiedMin: 'keep',
  socPercent: 'keep',
  remainingMin: 'keep',
  batteryTemperatureC: 'keep',
  amountYuanE4: 'keep',
  faults: 'keep',
  cardKind: 'keep',
  balanceFen: 'keep',
  stopReason: 'keep',
  earlyPowerDw: 'keep',
  startedAtS: 'keep',
  endedAtS: 'keep',
  energyDwh: 'keep',
  lossDwh: 'keep',
  byPrice: 'keep',
  meterStartDwh: 'keep',
  meterEndDwh: 'keep',
  alarm: 'keep',
  sensor: 'keep',
  inputs: 'keep',
  ok: 'keep',
  carriedOut: 'keep',
  refusal: 'keep',
  waitingPorts: 'keep',
  attributes: 'keep',
  restartNeeded: 'keep',
  modelNo: 'keep',
  transactionId: 'keep',
  meterWh: 'keep',
  limit: 'keep',
  maxDurationS: 'keep',
  about: 'keep',
}
/** Two messages that differ in nothing else say the same. */
export const notCompared: readonly string[] = Object.entries(care).flatMap(([name, how]) =>
  how === 'keep' ? [] : [name],
)

export type Alias = (text: string) => string

/** The same text for the same person, as long as the key of the installation is the same, and of the same form. */
export function aliasing(secretKeys: readonly string[]): Alias {
  const secret = Buffer.from(secretKeys[0]?.split(':')[1] ?? '', 'base64')
  if (secret.length !== 32) throw new Error('SECRET_KEYS is empty: run npm run setup, or set it')
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'wattdeck aliases of replayed messages', 32))
  return (text) => {
    const digest = createHmac('sha256', key).update(text.toUpperCase()).digest()
    const digits = /^\d+$/.test(text)
    return Array.from(text, (_, place) => {
      const byte = digest[place % digest.length] ?? 0
      return digits ? String(byte % 10) : (byte % 16).toString(16).toUpperCase()
    }).join('')
  }
}

type Content = Readonly<Record<string, unknown>>

/** A message as it may stand in another organisation. What nobody could read then is no more than that. */
export function carriedOver(content: Content, alias: Alias): UpItem['e'] {
  const kind = String(content['kind'])
  if (kind === 'unreadable') return { kind }
  const fields = Object.entries(content).flatMap(([name, value]): [string, unknown][] => {
    const how = (care as Readonly<Record<string, string>>)[name]
    if (how === 'keep') return [[name, value]]
    return how === 'alias' && typeof value === 'string' ? [[name, alias(value)]] : []
  })
  return { kind, ...Object.fromEntries(fields) }
}

export type Timing = { anchorId: string; firstId: string; speed: number; lane: number }
export const laneGateway = (lane: number): number => gatewayNumbers + lane

const timeBits = 22n
const sameMs = 1024

/**
 * The number that a message gets when it is said again: always the same for the same replay and message, so that saying it
 * twice is saying it once. `place` counts the messages from 0. No two of a lane are the same: of those of one millisecond a
 * thousand fit, and then the next millisecond begins.
 */
export function newId({ anchorId, firstId, speed, lane }: Timing, sourceId: string, place: number): string {
  const sinceFirst = (BigInt(sourceId) >> timeBits) - (BigInt(firstId) >> timeBits)
  const later = speed === 0 ? 0n : sinceFirst / BigInt(speed)
  const ms = (BigInt(anchorId) >> timeBits) + later + BigInt(Math.floor(place / sameMs))
  return String((ms << timeBits) | (BigInt(laneGateway(lane)) << 10n) | BigInt(place % sameMs))
}
export const dueMs = (id: string): number => Number(BigInt(id) >> timeBits) + messageEpochMs

/** A message of the journal, and the record that was made of it. */
export type Recorded = {
  id: string
  boot: string | null
  seq: string | null
  content: Content
  record: { messageId: string; atS: number } | null
}
type Target = Timing & { replayId: string; deviceId: string }

/**
 * What goes into the stream. Its order among the others is what it was, because the target has forgotten every order before.
 * A record has a name of its own in each replay; what it was called may hold the number of a card.
 */
export function saidAgain(recorded: Recorded, place: number, target: Target, alias: Alias): UpItem {
  const { id, boot, seq, content, record } = recorded
  const e = carriedOver(content, alias)
  return {
    id: newId(target, id, place),
    d: target.deviceId,
    o: boot === null || seq === null ? id : countedOrder(BigInt(boot), BigInt(seq)),
    boot: boot === null ? undefined : Number(boot),
    seq: seq === null ? undefined : Number(seq),
    // A line is known by the number of the message that began it.
    e: e.kind === 'connected' ? ({ session: id, ...e } as UpItem['e']) : e,
    r: record === null ? undefined : { key: `r${target.replayId}:${record.messageId}`, at: record.atS },
  }
}
