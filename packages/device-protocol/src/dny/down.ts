import type { AttributeValues, ChargeLimit, DeviceAnswer, DeviceCommand, StartPortCommand } from '../message.ts'
import { done, refused, type Outcome } from '../outcome.ts'
import { dnyAttributeGroups, groupsOf, readGroup, writeGroup, type DnyAttributeGroup } from './attributes.ts'
import { dnyCommand } from './commands.ts'
import { makeFrame, nextMessageId, type DnyAddress, type DnyFrame } from './frame.ts'
import * as wires from './wires.ts'

/** Frames from the platform: encoded by the gateway, decoded by the simulator. */

type Body = { command: number; data: number[] }
const body = (command: number, data: Outcome<number[]> = done([])): Outcome<Body[]> =>
  data.ok ? done([{ command, data: data.value }]) : data

/** The unit of energy is 10 Wh. A smaller limit would become 0, which means 'until full'. */
function amountOf(limit: ChargeLimit): number {
  if (limit.by === 'full') return 0
  return (limit.by === 'duration' ? limit.durationS : Math.floor(limit.energyWh / 10)) || Number.NaN
}

const shortCheckOn = 2
/** Sent only when needed: the frame of older firmware ends with the overload. */
const untilFull = {
  codeLight: 0,
  keepOn: 0,
  extraFloatS: 0,
  shortCheck: shortCheckOn,
  ignoreUnplug: 0,
  stopWhenFull: 1,
  fullPowerW: 0,
  fullPowerMin: 0,
}

function startBody(command: StartPortCommand): Outcome<Body[]> {
  const { limit, port, orderNo, maxDurationS, overloadDw, balanceFen, stopWhenFull } = command
  return body(
    dnyCommand.port,
    wires.portData.write({
      rateMode: limit.by === 'energy' ? 2 : 0,
      balanceFen,
      port: port === 'auto' ? undefined : port,
      on: 1,
      amount: amountOf(limit),
      orderNo,
      maxDurationS: maxDurationS ?? 0,
      overloadDw: overloadDw ?? 0,
      ...(stopWhenFull === true ? untilFull : {}),
    }),
  )
}

function writeBodies(values: AttributeValues): Outcome<Body[]> {
  const groups = groupsOf(Object.keys(values))
  if (groups === undefined) return refused('an attribute is not known')
  const bodies: Body[] = []
  for (const group of groups) {
    const data = writeGroup(group, values)
    if (!data.ok) return data
    bodies.push({ command: group.write, data: data.value })
  }
  return done(bodies)
}

function bodiesOf(command: DeviceCommand): Outcome<Body[]> {
  switch (command.kind) {
    case 'restart':
      return body(dnyCommand.restart)
    case 'query':
      return body(dnyCommand.query)
    case 'startPort':
      return startBody(command)
    case 'stopPort': {
      const { port, orderNo } = command
      const none = { maxDurationS: 0, overloadDw: 0 }
      return body(dnyCommand.port, wires.portData.write({ rateMode: 0, port, on: 0, amount: 0, orderNo, ...none }))
    }
    case 'changePort': {
      const { limit, port, stopWhenFull } = command
      const mode = limit.by === 'energy' ? 2 : Number(stopWhenFull === true)
      return body(dnyCommand.changePort, wires.changePortData.write({ mode, port, amount: amountOf(limit) }))
    }
    case 'readAttributes': {
      const groups = groupsOf(command.identifiers)
      return groups === undefined
        ? refused('an attribute is not known')
        : done(groups.map(({ read }) => ({ command: read, data: [] })))
    }
    case 'writeAttributes':
      return writeBodies(command.values)
    case 'setClock':
      return refused('a DNY device asks for the time')
    case 'stop':
    case 'restore':
    case 'setTariff':
    default:
      return refused(`DNY has no command to ${command.kind}`)
  }
}

/** Encodes one frame, or one per attribute group; message ids count up from the first. */
export function encodeCommand(first: DnyAddress, command: DeviceCommand): Outcome<DnyFrame[]> {
  const bodies = bodiesOf(command)
  if (!bodies.ok) return bodies
  const encoded: DnyFrame[] = []
  let messageId = first.messageId
  for (const { command: code, data } of bodies.value) {
    const frame = makeFrame({ physicalId: first.physicalId, messageId }, code, data)
    if (!frame.ok) return frame
    encoded.push(frame.value)
    messageId = nextMessageId(messageId)
  }
  return done(encoded)
}

const acknowledged: ReadonlySet<number> = new Set([dnyCommand.register, dnyCommand.heartbeat, dnyCommand.settlement])
const clocks: ReadonlySet<number> = new Set([dnyCommand.clock, dnyCommand.hostClock])

/** Whether a frame from a device requires an answer. */
export const wantsAnswer = (command: number): boolean =>
  acknowledged.has(command) || clocks.has(command) || command === dnyCommand.swipe

/** Encodes the answer to a frame, with its message id. */
export function encodeAnswer(request: DnyFrame, answer: DeviceAnswer): Outcome<DnyFrame> {
  const { command } = request
  const send = (data: Outcome<number[]>) => (data.ok ? makeFrame(request, command, data.value) : data)
  // An invalid record is acknowledged like any other, otherwise the device would resend it forever.
  if (answer.kind === 'ack' && acknowledged.has(command)) return send(wires.answerData.write({ answer: 0 }))
  if (answer.kind === 'setClock' && clocks.has(command)) return send(wires.clockData.write(answer))
  if (answer.kind === 'swipeAnswer' && command === dnyCommand.swipe)
    return send(wires.swipeAnswerData.write({ ...answer, rateMode: 0 }))
  return refused(`command ${command.toString(16)} has no ${answer.kind}`)
}

function limitOf(rateMode: number, amount: number): ChargeLimit {
  if (amount === 0 || (rateMode !== 0 && rateMode !== 2)) return { by: 'full' }
  return rateMode === 2 ? { by: 'energy', energyWh: amount * 10 } : { by: 'duration', durationS: amount }
}

function readPort(data: Uint8Array): Outcome<DeviceCommand> {
  const read = wires.portData.read(data)
  if (!read.ok) return read
  const { on, port, orderNo, rateMode, amount, maxDurationS, overloadDw, balanceFen, stopWhenFull } = read.value
  if (orderNo === undefined) return refused('no order number')
  if (on === 0) return port === undefined ? refused('no port') : done({ kind: 'stopPort', port, orderNo })
  if (on !== 1) return refused(`charging command ${on} is not known`)
  const extras = { maxDurationS, overloadDw, balanceFen, stopWhenFull: stopWhenFull === 1 || undefined }
  return done({ kind: 'startPort', port: port ?? 'auto', orderNo, limit: limitOf(rateMode, amount), ...extras })
}

function readChange(data: Uint8Array): Outcome<DeviceCommand> {
  const read = wires.changePortData.read(data)
  if (!read.ok) return read
  const { mode, port, amount } = read.value
  if (mode > 2) return refused(`mode ${mode} is not known`)
  const limit =
    mode === 2 ? { by: 'energy' as const, energyWh: amount * 10 } : { by: 'duration' as const, durationS: amount }
  return done({ kind: 'changePort', port, limit, stopWhenFull: mode === 1 || undefined })
}

function readAttributes(frame: DnyFrame): Outcome<DeviceCommand> | undefined {
  const group = dnyAttributeGroups.find(({ read, write }) => read === frame.command || write === frame.command)
  if (group === undefined) return undefined
  if (group.read === frame.command) return done({ kind: 'readAttributes', identifiers: identifiersOf(group) })
  const values = readGroup(group, frame.data)
  return values.ok ? done({ kind: 'writeAttributes', values: values.value }) : values
}
const identifiersOf = ({ attributes }: DnyAttributeGroup) => attributes.map(({ identifier }) => identifier)

function readAnswer({ command, data }: DnyFrame): Outcome<DeviceAnswer> | undefined {
  if (acknowledged.has(command)) {
    const read = wires.answerData.read(data)
    if (!read.ok) return read
    return done(read.value.answer === 0 ? { kind: 'ack' } : { kind: 'ack', bad: `answer ${read.value.answer}` })
  }
  if (clocks.has(command)) {
    const read = wires.clockData.read(data)
    return read.ok ? done({ kind: 'setClock', atS: read.value.atS }) : read
  }
  if (command !== dnyCommand.swipe) return undefined
  const read = wires.swipeAnswerData.read(data)
  if (!read.ok) return read
  const { card, port, account, balanceFen } = read.value
  return done({ kind: 'swipeAnswer', card, port, account, balanceFen })
}

/** Decodes a frame from the platform. */
export function decodeDown(frame: DnyFrame): Outcome<DeviceCommand | DeviceAnswer> {
  switch (frame.command) {
    case dnyCommand.restart:
      return done({ kind: 'restart' })
    case dnyCommand.query:
      return done({ kind: 'query' })
    case dnyCommand.port:
      return readPort(frame.data)
    case dnyCommand.changePort:
      return readChange(frame.data)
    default:
      return readAnswer(frame) ?? readAttributes(frame) ?? refused(`command ${frame.command.toString(16)} is not known`)
  }
}
