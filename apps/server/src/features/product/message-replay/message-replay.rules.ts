import { createHmac, hkdfSync } from 'node:crypto'
import {
  type ConnectionEvent,
  countedOrder,
  gatewayNumbers,
  messageEpochMs,
  type UpItem,
} from '@wattdeck/contract/events/device-bus.ts'
import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'

/** Content of the journal: events of devices and of their connections, and unreadable frames. */
type Reported = DeviceEvent | ConnectionEvent | { kind: 'unreadable'; reason: string }
type FieldOf<T> = T extends T ? keyof T : never

/**
 * How a field is handled when a message goes to another organisation. alias: it is personal, and a stable pseudonym replaces it. drop: it
 * belongs to the device or its owner, or may contain anything. A field without an entry does not compile; a field of an older release is
 * dropped.
 */
const care: Readonly<Record<FieldOf<Reported>, 'keep' | 'alias' | 'drop'>> = {
  card: 'alias',
  longCard: 'alias',
  vin: 'alias',
  // Of the SIM card and the connection: a device that reports them takes them from the device that has them.
  iccid: 'drop',
  imei: 'drop',
  address: 'drop',
  // Refers to a command for the source device.
  commandId: 'drop',
  messageId: 'drop',
  command: 'drop',
  // Free text of the manufacturer.
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
/** Fields in which two messages with the same meaning may differ. */
export const notCompared: readonly string[] = Object.entries(care).flatMap(([name, how]) =>
  how === 'keep' ? [] : [name],
)

export type Alias = (text: string) => string

/** The same pseudonym for the same text while the key of the installation is the same. It has the form of the text. */
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

/** A message in the form allowed in another organisation. An unreadable one keeps only its kind. */
export function pseudonymise(content: Content, alias: Alias): UpItem['e'] {
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
 * The id of a replayed message. It depends only on replay and message, so that sending is idempotent. `place` counts the messages from 0.
 * Ids are unique in a lane: about a thousand fit into a millisecond, then the next one begins.
 */
export function newId({ anchorId, firstId, speed, lane }: Timing, sourceId: string, place: number): string {
  const sinceFirst = (BigInt(sourceId) >> timeBits) - (BigInt(firstId) >> timeBits)
  const later = speed === 0 ? 0n : sinceFirst / BigInt(speed)
  const ms = (BigInt(anchorId) >> timeBits) + later + BigInt(Math.floor(place / sameMs))
  return String((ms << timeBits) | (BigInt(laneGateway(lane)) << 10n) | BigInt(place % sameMs))
}
export const dueMs = (id: string): number => Number(BigInt(id) >> timeBits) + messageEpochMs

/** A message of the journal, and its record. */
export type Recorded = {
  id: string
  boot: string | null
  seq: string | null
  content: Content
  record: { messageId: string; atS: number } | null
}
type Target = Timing & { replayId: string; deviceId: string }

/**
 * The item for the stream. Order among the replayed messages is kept, because the target has forgotten every earlier order. A record has a
 * name of its own in each replay; the original name may contain a card number.
 */
export function replayItem(recorded: Recorded, place: number, target: Target, alias: Alias): UpItem {
  const { id, boot, seq, content, record } = recorded
  const e = pseudonymise(content, alias)
  return {
    id: newId(target, id, place),
    d: target.deviceId,
    o: boot === null || seq === null ? id : countedOrder(BigInt(boot), BigInt(seq)),
    boot: boot === null ? undefined : Number(boot),
    seq: seq === null ? undefined : Number(seq),
    // A connection is identified by the id of the message that opened it.
    e: e.kind === 'connected' ? ({ session: id, ...e } as UpItem['e']) : e,
    r: record === null ? undefined : { key: `r${target.replayId}:${record.messageId}`, at: record.atS },
  }
}
