import { accountStatus } from '../account-status.ts'
import type { DeviceAnswer, DeviceCommand, SetTariffCommand, StartPortCommand } from '../message.ts'
import { done, refused, type Outcome } from '../outcome.ts'
import { makeFrame, nextSeq, type YkcFrame } from './frame.ts'
import { isSerialOf } from './serial.ts'
import { ykcType } from './types.ts'
import * as wires from './wires.ts'

/** Encodes frames from the platform for the gateway; down-read.ts decodes them. */

/** The pile, and the sequence number of the first frame. */
export type YkcAddress = { pileNo: string; portCount: number; seq: number }

type Body = { type: number; body: number[] }
const body = (type: number, bytes: Outcome<number[]>): Outcome<Body[]> =>
  bytes.ok ? done([{ type, body: bytes.value }]) : bytes

function startBody({ pileNo }: YkcAddress, command: StartPortCommand): Outcome<Body[]> {
  const { port, orderNo, limit, balanceFen } = command
  if (port === 'auto') return refused('a pile needs the number of the gun')
  if (!isSerialOf(orderNo, pileNo, port)) return refused('the order number is not one of this gun')
  if (limit.by !== 'full') return refused('a pile ends a charge by money, not by duration or energy')
  if (balanceFen === undefined) return refused('a pile ends a charge when the balance is used up, and none is given')
  return body(ykcType.start, wires.startData.write({ pileNo, port, orderNo, balanceFen }))
}

const maxPrices = 4
const halfHours = 48

/** A pile holds four prices. Missing ones repeat the last, which no half hour then uses. */
export function tariffBody(pileNo: string, tariff: SetTariffCommand): Outcome<number[]> {
  const { modelNo, prices, periods, lossPercent } = tariff
  const last = prices.at(-1)
  if (last === undefined) return refused('no price')
  if (prices.length > maxPrices) return refused(`${prices.length} prices, a pile knows ${maxPrices}`)
  if (periods.length !== halfHours) return refused(`${periods.length} half hours, a day has ${halfHours}`)
  const at = periods.findIndex((price) => prices[price] === undefined)
  if (at >= 0) return refused(`half hour ${at + 1} has no price`)
  const all = Array.from({ length: maxPrices }, (_, place) => prices[place] ?? last)
  const numbers = all.flatMap(({ energyYuanE5, serviceYuanE5 }) => [energyYuanE5, serviceYuanE5])
  return wires.tariffData.write({ pileNo, modelNo, prices: numbers, lossPercent, periods })
}

const fullPower = 100
const [atOnce, whenIdle] = [1, 2] as const

function bodiesOf(to: YkcAddress, command: DeviceCommand): Outcome<Body[]> {
  const { pileNo, portCount } = to
  switch (command.kind) {
    case 'restart':
      return body(
        ykcType.restart,
        wires.restartData.write({ pileNo, when: command.force === true ? atOnce : whenIdle }),
      )
    case 'stop':
    case 'restore': {
      const locked = Number(command.kind === 'stop')
      return body(ykcType.setWork, wires.workData.write({ pileNo, locked, powerPercent: fullPower }))
    }
    case 'startPort':
      return startBody(to, command)
    case 'stopPort':
      return body(ykcType.stop, wires.gunData.write({ pileNo, port: command.port }))
    case 'query': {
      const ports = command.port === undefined ? Array.from({ length: portCount }, (_, at) => at + 1) : [command.port]
      const bodies = ports.map((port) => body(ykcType.askReport, wires.gunData.write({ pileNo, port })))
      const bad = bodies.find((one) => !one.ok)
      return bad ?? done(bodies.flatMap((one) => (one.ok ? one.value : [])))
    }
    case 'setClock':
      return body(ykcType.setClock, wires.clockData.write({ pileNo, atS: command.atS }))
    case 'setTariff':
      return body(ykcType.setTariff, tariffBody(pileNo, command))
    case 'changePort':
    case 'readAttributes':
    case 'writeAttributes':
    default:
      return refused(`YKC has no command to ${command.kind}`)
  }
}

const unsupported: ReadonlySet<DeviceCommand['kind']> = new Set(['changePort', 'readAttributes', 'writeAttributes'])
/** Whether the protocol supports the command. */
export const canSay = ({ kind }: DeviceCommand): boolean => !unsupported.has(kind)

/** Encodes one frame, or one per gun for a query; sequence numbers count up from the first. */
export function encodeCommand(to: YkcAddress, command: DeviceCommand): Outcome<YkcFrame[]> {
  const bodies = bodiesOf(to, command)
  if (!bodies.ok) return bodies
  const encoded: YkcFrame[] = []
  let { seq } = to
  for (const { type, body: bytes } of bodies.value) {
    const frame = makeFrame(seq, type, bytes)
    if (!frame.ok) return frame
    encoded.push(frame.value)
    seq = nextSeq(seq)
  }
  return done(encoded)
}

type Answer = (request: YkcFrame, answer: DeviceAnswer) => Outcome<number[]>

/** 0 is success, 1 is failure. */
const verdict = (answer: DeviceAnswer) => Number(answer.kind === 'ack' && answer.bad !== undefined)

const answerLogin: Answer = ({ body: request }, answer) => {
  const read = wires.pileData.read(request)
  return read.ok ? wires.pileAnswerData.write({ ...read.value, result: verdict(answer) }) : read
}
const answerHeartbeat: Answer = ({ body: request }) => {
  const read = wires.gunData.read(request)
  return read.ok ? wires.gunAnswerData.write({ ...read.value, result: 0 }) : read
}
const answerTariffCheck: Answer = ({ body: request }, answer) => {
  const read = wires.tariffCheckData.read(request)
  return read.ok ? wires.tariffCheckAnswerData.write({ ...read.value, result: verdict(answer) }) : read
}
const answerSettlement: Answer = ({ body: request }, answer) => {
  const read = wires.settlementData.read(request)
  return read.ok ? wires.settlementAnswerData.write({ orderNo: read.value.orderNo, result: verdict(answer) }) : read
}
/** With a good account the pile starts to charge, so it needs the order number. */
const answerSwipe: Answer = ({ body: request }, answer) => {
  const read = wires.swipeData.read(request)
  if (!read.ok) return read
  if (answer.kind !== 'swipeAnswer') return refused('a card is answered by an account')
  const { account, balanceFen, orderNo } = answer
  const { pileNo, port, card } = read.value
  const allowed = account.raw === accountStatus.rows.good.ykc?.[0]
  if (allowed && (orderNo === undefined || !isSerialOf(orderNo, pileNo, port)))
    return refused('the order number is not one of this gun')
  return wires.swipeAnswerData.write({ orderNo, pileNo, port, card, balanceFen, allowed: Number(allowed), account })
}

const answers = new Map<number, { type: number; write: Answer }>([
  [ykcType.login, { type: ykcType.loginAnswer, write: answerLogin }],
  [ykcType.heartbeat, { type: ykcType.heartbeatAnswer, write: answerHeartbeat }],
  [ykcType.tariffCheck, { type: ykcType.tariffCheckAnswer, write: answerTariffCheck }],
  [ykcType.swipe, { type: ykcType.swipeAnswer, write: answerSwipe }],
  [ykcType.settlement, { type: ykcType.settlementAnswer, write: answerSettlement }],
])

/** Whether a frame from a pile requires an answer. */
export const wantsAnswer = (type: number): boolean => answers.has(type)

/** Encodes the answer to a frame, with its sequence number. */
export function encodeAnswer(request: YkcFrame, answer: DeviceAnswer): Outcome<YkcFrame> {
  const entry = answers.get(request.type)
  if (entry === undefined) return refused(`command ${request.type.toString(16)} has no answer`)
  const written = entry.write(request, answer)
  return written.ok ? makeFrame(request.seq, entry.type, written.value) : written
}

/** Encodes the tariff that a pile requested. */
export function encodeTariffAnswer(pileNo: string, request: YkcFrame, tariff: SetTariffCommand): Outcome<YkcFrame> {
  const written = tariffBody(pileNo, tariff)
  return written.ok ? makeFrame(request.seq, ykcType.tariffAnswer, written.value) : written
}
