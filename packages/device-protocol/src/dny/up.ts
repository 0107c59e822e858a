import type { CommandResultEvent, DeviceEvent } from '../message.ts'
import { done, refused, type Outcome } from '../outcome.ts'
import type { RefusalName } from '../refusal.ts'
import { dnyAttributeGroups, readGroup, writeGroup } from './attributes.ts'
import { dnyCommand } from './commands.ts'
import { makeFrame, type DnyAddress, type DnyFrame } from './frame.ts'
import * as wires from './wires.ts'

/** Frames from a device: decoded by the gateway, encoded by the simulator. */

type Reader = (frame: DnyFrame) => Outcome<DeviceEvent>

const then = <V, T>(outcome: Outcome<V>, next: (value: V) => T): Outcome<T> =>
  outcome.ok ? done(next(outcome.value)) : outcome

/** For these alarms the place is a port, for others a sensor on the bus. */
const alarmsOfPorts: ReadonlySet<string> = new Set(['glueMelted', 'doorOpen'])

const readAlarm: Reader = ({ data }) =>
  then(wires.alarmData.read(data), ({ alarm, place, inputs }) =>
    alarmsOfPorts.has(alarm.name)
      ? { kind: 'alarm', alarm, inputs, port: place === undefined ? undefined : place + 1 }
      : { kind: 'alarm', alarm, inputs, sensor: place },
  )

/** Codes 3 and 9 report a problem of the port but switch it on. */
const carriedOut: ReadonlySet<unknown> = new Set([0, 3, 9])

const portsOf = (bits: number | undefined) =>
  bits === undefined || bits === 0
    ? undefined
    : Array.from({ length: 16 }, (_, at) => at + 1).filter((port) => (bits >> (port - 1)) % 2 === 1)

const readPortAnswer: Reader = ({ data, messageId }) =>
  then(wires.portAnswerData.read(data), ({ refusal, orderNo, port, waiting }) => ({
    kind: 'commandResult',
    messageId,
    ok: refusal.raw === 0,
    carriedOut: carriedOut.has(refusal.raw),
    refusal: refusal.raw === 0 ? undefined : refusal,
    port,
    orderNo,
    waitingPorts: portsOf(waiting),
  }))

const readAnswer =
  (...names: RefusalName[]): Reader =>
  ({ data, messageId }) =>
    then(wires.answerData.read(data), ({ answer }) => ({
      kind: 'commandResult',
      messageId,
      ok: answer === 0,
      carriedOut: answer === 0,
      refusal: answer === 0 ? undefined : { name: names[answer - 1] ?? 'unknown', raw: answer },
    }))

const attributeReaders = dnyAttributeGroups.flatMap((group): [number, Reader][] => [
  [group.write, readAnswer('badValue')],
  [
    group.read,
    ({ data, messageId }) =>
      then(readGroup(group, data), (attributes) => ({
        kind: 'commandResult',
        messageId,
        ok: true,
        carriedOut: true,
        attributes,
      })),
  ],
])

const readers = new Map<number, Reader>([
  [
    dnyCommand.register,
    ({ data }) => then(wires.registerData.read(data), (values) => ({ kind: 'register', ...values })),
  ],
  [
    dnyCommand.heartbeat,
    ({ data }) => then(wires.heartbeatData.read(data), (values) => ({ kind: 'heartbeat', ...values })),
  ],
  [dnyCommand.host, ({ data }) => then(wires.hostData.read(data), (values) => ({ kind: 'host', ...values }))],
  [
    dnyCommand.portReport,
    ({ data }) => then(wires.portReportData.read(data), (values) => ({ kind: 'portReport', ...values })),
  ],
  [dnyCommand.swipe, ({ data }) => then(wires.swipeData.read(data), (values) => ({ kind: 'swipe', ...values }))],
  [
    dnyCommand.settlement,
    ({ data }) => then(wires.settlementData.read(data), (values) => ({ kind: 'settlement', ...values })),
  ],
  [dnyCommand.alarm, readAlarm],
  [dnyCommand.clock, () => done({ kind: 'clockAsked' })],
  [dnyCommand.hostClock, () => done({ kind: 'clockAsked' })],
  [dnyCommand.port, readPortAnswer],
  [dnyCommand.changePort, readAnswer('notCharging', 'belowPresent', 'noPort')],
  [dnyCommand.restart, readAnswer()],
  ...attributeReaders,
])

/** Commands without an entry belong to other products of the vendor. */
export function decodeUp(frame: DnyFrame): Outcome<DeviceEvent> {
  const reader = readers.get(frame.command)
  return reader === undefined ? refused(`command ${frame.command.toString(16)} is not known`) : reader(frame)
}

function dataOf(event: DeviceEvent): Outcome<{ command: number; data: number[] }> {
  const as = (command: number, data: Outcome<number[]>) => then(data, (bytes) => ({ command, data: bytes }))
  switch (event.kind) {
    case 'register': {
      const { subAddress = 0, model = '00', firmware = '0.00' } = event
      return as(dnyCommand.register, wires.registerData.write({ ...event, subAddress, model, firmware }))
    }
    case 'heartbeat':
      return as(dnyCommand.heartbeat, wires.heartbeatData.write({ ...event, voltageDv: event.voltageDv ?? 0 }))
    case 'host':
      return as(dnyCommand.host, wires.hostData.write({ ...event, csq: event.csq ?? 99, iccid: event.iccid ?? '' }))
    case 'portReport': {
      const { start = { name: 'platform', raw: 1 }, maxPowerDw, minPowerDw, meanPowerDw } = event
      const power = event.powerDw ?? 0
      const report = { start, powerDw: power, maxPowerDw: maxPowerDw ?? power, minPowerDw: minPowerDw ?? power }
      return as(
        dnyCommand.portReport,
        wires.portReportData.write({ ...event, ...report, meanPowerDw: meanPowerDw ?? power }),
      )
    }
    case 'swipe':
      return as(dnyCommand.swipe, wires.swipeData.write({ ...event, cardKind: event.cardKind ?? 0 }))
    case 'settlement': {
      const { start = { name: 'platform', raw: 1 }, maxPowerDw = 0 } = event
      return as(dnyCommand.settlement, wires.settlementData.write({ ...event, start, maxPowerDw }))
    }
    case 'alarm': {
      const place = event.port === undefined ? event.sensor : event.port - 1
      return as(dnyCommand.alarm, wires.alarmData.write({ alarm: event.alarm, place, inputs: event.inputs }))
    }
    case 'clockAsked':
      return as(dnyCommand.clock, done([]))
    case 'commandResult':
      return refused('an answer is written for the frame that asked')
    case 'portStatus':
    case 'offlineStart':
    case 'started':
    case 'strayStop':
    case 'tariffAsked':
    case 'remark':
    case 'here':
    case 'gone':
    case 'iccid':
    case 'link':
    default:
      return refused(`DNY has no frame for ${event.kind}`)
  }
}

export function encodeUp(address: DnyAddress, event: DeviceEvent): Outcome<DnyFrame> {
  const body = dataOf(event)
  return body.ok ? makeFrame(address, body.value.command, body.value.data) : body
}

function answerTo(command: number, result: CommandResultEvent): Outcome<number[]> {
  const group = dnyAttributeGroups.find(({ read }) => read === command)
  if (group !== undefined) return writeGroup(group, result.attributes ?? {}, false)
  const raw = result.refusal?.raw ?? 0
  if (typeof raw !== 'number') return refused('refusal does not fit')
  if (command !== dnyCommand.port) return wires.answerData.write({ answer: raw })
  const waiting = (result.waitingPorts ?? []).reduce((bits, port) => bits + 2 ** (port - 1), 0)
  const { orderNo, port } = result
  return wires.portAnswerData.write({ refusal: { name: 'unknown', raw }, orderNo, port, waiting })
}

/** Encodes a device's answer to a command. */
export function encodeResult(request: DnyFrame, result: CommandResultEvent): Outcome<DnyFrame> {
  const data = answerTo(request.command, result)
  return data.ok ? makeFrame(request, request.command, data.value) : data
}

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0) % 128)
/** What a modem sends after connecting. */
export const greeting = (iccid: string): Uint8Array => ascii(iccid)
export const linkBytes: Uint8Array = ascii('link')
