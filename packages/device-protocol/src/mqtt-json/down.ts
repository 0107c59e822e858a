import { accountStatus } from '../account-status.ts'
import type { ChargeLimit, CommandKind, DeviceAnswer, DeviceCommand } from '../message.ts'
import { done, refused, type Outcome } from '../outcome.ts'
import type { JsonObject } from './json.ts'
import { coded, field, flag, int, list, numbers, optional, readMessage, shape, text, writeMessage } from './json.ts'
import * as is from './values.ts'

/** Messages from the platform: encoded by the gateway, decoded by the simulator. */

export type MqttCommand = {
  id: string
  /** Increases with each command to this device, across its restarts. */
  counter: number
  issuedAtS: number
  /** Expiry: the device must not execute the command from this time on. */
  expiresAtS: number
  command: DeviceCommand
}
export type MqttDown = { kind: 'command'; sent: MqttCommand } | { kind: 'answer'; answer: DeviceAnswer }

export const maxLifetimeS = 86_400

const commandHead = shape({
  ...is.version,
  letter: field('k', text(/^[a-z]{1,16}$/)),
  id: field('id', is.commandId),
  counter: field('n', is.count),
  issuedAtS: field('at', is.timeS),
  expiresAtS: field('exp', is.timeS),
})

/** Without seconds and watt hours the charge runs until full. */
const limitFields = {
  durationS: optional('s', int(1, 31_536_000)),
  energyWh: optional('wh', int(1, 1_000_000_000)),
}
type LimitValues = { durationS?: number | undefined; energyWh?: number | undefined }

function limitOf({ durationS, energyWh }: LimitValues): ChargeLimit | undefined {
  if (durationS === undefined) return energyWh === undefined ? { by: 'full' } : { by: 'energy', energyWh }
  return energyWh === undefined ? { by: 'duration', durationS } : undefined
}
const limitValues = (limit: ChargeLimit): LimitValues =>
  limit.by === 'duration'
    ? { durationS: limit.durationS }
    : { energyWh: limit.by === 'energy' ? limit.energyWh : undefined }

/** Wire value of 'auto', the only port with a vehicle plugged in. */
const anyPort = 0
const startShape = shape({
  port: field('port', int(anyPort, is.maxPorts)),
  orderNo: field('order', is.orderNo),
  ...limitFields,
  stopWhenFull: optional('full', flag),
  maxDurationS: optional('maxs', is.durationS),
  overloadDw: optional('over', is.powerDw),
  balanceFen: optional('fen', is.fen),
})
const stopShape = shape({ port: field('port', is.port), orderNo: field('order', is.orderNo) })
const changeShape = shape({ port: field('port', is.port), ...limitFields, stopWhenFull: optional('full', flag) })
const readShape = shape({ identifiers: field('attr', list(text(is.identifier), 1, is.maxAttributes)) })
const writeShape = shape({ values: field('attr', numbers(is.identifier, is.maxAttributes)) })
const clockShape = shape({ atS: field('now', is.timeS) })

type Reader = (message: JsonObject) => Outcome<DeviceCommand>
const reader =
  <V>(from: { read(message: JsonObject): Outcome<V> }, make: (values: V) => DeviceCommand | undefined): Reader =>
  (message) => {
    const values = from.read(message)
    if (!values.ok) return values
    const command = make(values.value)
    return command === undefined ? refused('the limit is not valid') : done(command)
  }

/** Commands that this protocol does not support. */
type Unsaid = 'setTariff'
/** The wire name of each kind, and its decoder. */
export const downKinds: Readonly<Record<Exclude<CommandKind, Unsaid>, { k: string; read: Reader }>> = {
  restart: { k: 'restart', read: () => done({ kind: 'restart' }) },
  stop: { k: 'stop', read: () => done({ kind: 'stop' }) },
  restore: { k: 'restore', read: () => done({ kind: 'restore' }) },
  query: { k: 'query', read: () => done({ kind: 'query' }) },
  startPort: {
    k: 'start',
    read: reader(startShape, ({ durationS, energyWh, port, ...rest }) => {
      const limit = limitOf({ durationS, energyWh })
      return limit && { kind: 'startPort', port: port === anyPort ? 'auto' : port, limit, ...rest }
    }),
  },
  stopPort: { k: 'end', read: reader(stopShape, (values) => ({ kind: 'stopPort', ...values })) },
  changePort: {
    k: 'limit',
    read: reader(changeShape, ({ durationS, energyWh, ...rest }) => {
      const limit = limitOf({ durationS, energyWh })
      return limit === undefined || limit.by === 'full' ? undefined : { kind: 'changePort', limit, ...rest }
    }),
  },
  readAttributes: { k: 'get', read: reader(readShape, (values) => ({ kind: 'readAttributes', ...values })) },
  writeAttributes: { k: 'set', read: reader(writeShape, (values) => ({ kind: 'writeAttributes', ...values })) },
  setClock: { k: 'clock', read: reader(clockShape, (values) => ({ kind: 'setClock', ...values })) },
}
const readers = new Map(Object.values(downKinds).map((row) => [row.k, row.read]))

function bodyOf(command: Exclude<DeviceCommand, { kind: Unsaid }>): Outcome<JsonObject> {
  switch (command.kind) {
    case 'startPort': {
      const port = command.port === 'auto' ? anyPort : command.port || Number.NaN
      return startShape.write({ ...command, ...limitValues(command.limit), port })
    }
    case 'stopPort':
      return stopShape.write(command)
    case 'changePort':
      return changeShape.write({ ...command, ...limitValues(command.limit) })
    case 'readAttributes':
      return readShape.write(command)
    case 'writeAttributes':
      return writeShape.write(command)
    case 'setClock':
      return clockShape.write(command)
    case 'restart':
    case 'stop':
    case 'restore':
    case 'query':
    default:
      return done({})
  }
}

const livesTooLong = ({ issuedAtS, expiresAtS }: { issuedAtS: number; expiresAtS: number }) =>
  expiresAtS <= issuedAtS || expiresAtS - issuedAtS > maxLifetimeS

export function encodeCommand(envelope: MqttCommand): Outcome<string> {
  const { command } = envelope
  if (command.kind === 'setTariff') return refused(`there is no message to ${command.kind}`)
  if (livesTooLong(envelope)) return refused('exp is not valid')
  const head = commandHead.write({ ...envelope, version: is.protocolVersion, letter: downKinds[command.kind].k })
  if (!head.ok) return head
  const body = bodyOf(command)
  return body.ok ? writeMessage({ ...head.value, ...body.value }) : body
}

const ackShape = shape({
  bootId: field('boot', is.bootId),
  seq: field('seq', is.count),
  bad: optional('bad', text(/^[ -~]{1,64}$/)),
})
const cardShape = shape({
  card: field('card', is.card),
  port: optional('port', is.port),
  account: field(
    'acc',
    coded((raw) => accountStatus.read('mqttJson', raw)),
  ),
  balanceFen: field('fen', is.fen),
})
const versionShape = shape(is.version)

/** Encodes an acknowledgement or a card decision. The time is sent as a command, because it changes the device. */
export function encodeAnswer(answer: DeviceAnswer): Outcome<string> {
  const v = is.protocolVersion
  if (answer.kind === 'ack') {
    if (answer.order === undefined) return refused('boot and seq are missing')
    const ack = ackShape.write({ ...answer.order, bad: answer.bad?.slice(0, 64) })
    return ack.ok ? writeMessage({ v, ack: ack.value }) : ack
  }
  if (answer.kind === 'setClock') return refused('the time is set by a command')
  const body = cardShape.write(answer)
  return body.ok ? writeMessage({ v, k: 'card', ...body.value }) : body
}

function readAck(ack: unknown): Outcome<MqttDown> {
  if (typeof ack !== 'object' || ack === null) return refused('ack is not valid')
  const values = ackShape.read(ack as JsonObject)
  if (!values.ok) return values
  const { bootId, seq, bad } = values.value
  return done({ kind: 'answer', answer: { kind: 'ack', order: { bootId, seq }, bad } })
}

function readCommand(message: JsonObject): Outcome<MqttDown> {
  const head = commandHead.read(message)
  if (!head.ok) return head
  const { letter, id, counter, issuedAtS, expiresAtS } = head.value
  if (livesTooLong(head.value)) return refused('exp is not valid')
  const command = readers.get(letter)?.(message) ?? refused(`kind ${letter} is not known`)
  if (!command.ok) return command
  return done({ kind: 'command', sent: { id, counter, issuedAtS, expiresAtS, command: command.value } })
}

/** Decodes a message from the platform. */
export function decodeDown(payload: Uint8Array | string): Outcome<MqttDown> {
  const read = readMessage(payload)
  if (!read.ok) return read
  const message = read.value
  const version = versionShape.read(message)
  if (!version.ok) return version
  if (message['ack'] !== undefined) return readAck(message['ack'])
  if (message['k'] !== 'card') return readCommand(message)
  const answer = cardShape.read(message)
  return answer.ok ? done({ kind: 'answer', answer: { kind: 'swipeAnswer', ...answer.value } }) : answer
}
