import type { CommandResultEvent, DeviceEvent, PriceShare } from '../message.ts'
import { done, refused, type Outcome } from '../outcome.ts'
import { refusal } from '../refusal.ts'
import { makeFrame, type YkcFrame } from './frame.ts'
import { answerTypeOf, ykcType } from './types.ts'
import * as wires from './wires.ts'

/** Encodes frames from a pile, for the simulator. */

type Event<K extends DeviceEvent['kind']> = Extract<DeviceEvent, { kind: K }>
type Body = { type: number; body: number[] }
const as = (type: number, body: Outcome<number[]>): Outcome<Body> => (body.ok ? done({ type, body: body.value }) : body)

const rawOf = ({ raw }: { raw: number | string }) => (typeof raw === 'number' ? raw : Number.NaN)

function reportBody(pileNo: string, event: Event<'portReport'>): Outcome<number[]> {
  const { status, energyWh, currentMa = 0, durationS, faults = [] } = event
  const energyDwh = energyWh * 10
  return wires.reportData.write({
    ...event,
    pileNo,
    state: status.name === 'connected' ? 2 : rawOf(status),
    homed: 1,
    plugged: Number(status.name === 'connected' || status.name === 'working'),
    voltageDv: event.voltageDv ?? 0,
    currentDa: Math.round(currentMa / 100),
    cable: '0'.repeat(16),
    socPercent: event.socPercent ?? 0,
    chargedMin: Math.floor(durationS / 60),
    remainingMin: event.remainingMin ?? 0,
    energyDwh,
    lossDwh: energyDwh,
    amountYuanE4: event.amountYuanE4 ?? 0,
    faults: faults.reduce((bits, fault) => bits + 2 ** (rawOf(fault) - 1), 0),
  })
}

const noShare: PriceShare = { priceYuanE5: 0, energyDwh: 0, lossDwh: 0, amountYuanE4: 0 }

function settlementBody(pileNo: string, event: Event<'settlement'>): Outcome<number[]> {
  const { deviceTimeS, endedAtS = deviceTimeS, energyDwh = event.energyWh * 10, lossDwh = energyDwh } = event
  const { meterStartDwh = 0, meterEndDwh = meterStartDwh + energyDwh, amountYuanE4 = 0 } = event
  const { startedAtS = endedAtS === undefined ? undefined : endedAtS - event.durationS } = event
  const flat = { ...noShare, energyDwh, lossDwh }
  const { byPrice = [noShare, noShare, flat, noShare] } = event
  return wires.settlementData.write({
    ...event,
    pileNo,
    startedAtS,
    endedAtS,
    shares: byPrice.flatMap((share) => [share.priceYuanE5, share.energyDwh, share.lossDwh, share.amountYuanE4]),
    meterStartDwh,
    meterEndDwh,
    energyDwh,
    lossDwh,
    amountYuanE4,
    start: event.start ?? { name: 'platform', raw: 1 },
  })
}

function bodyOf(pileNo: string, event: DeviceEvent): Outcome<Body> {
  switch (event.kind) {
    case 'register': {
      const { iccid, model, firmware = '', protocolVersion = '1.6' } = event
      const line = { network: iccid === undefined ? 1 : 0, carrier: 4, current: model === 'AC' ? 1 : 0 }
      return as(ykcType.login, wires.loginData.write({ ...event, ...line, firmware, pileNo, protocolVersion }))
    }
    case 'heartbeat':
      return event.port === undefined
        ? refused('a sign of life is that of one gun')
        : as(ykcType.heartbeat, wires.heartbeatData.write({ pileNo, port: event.port, fault: 0 }))
    case 'portStatus':
      return event.status.name === 'fault' && event.port !== undefined
        ? as(ykcType.heartbeat, wires.heartbeatData.write({ pileNo, port: event.port, fault: rawOf(event.status) }))
        : refused('only a report tells what a gun does')
    case 'portReport':
      return as(ykcType.report, reportBody(pileNo, event))
    case 'swipe': {
      const { port = 0, cardKind = 1 } = event
      const rest = { needsPassword: 0, password: '0'.repeat(32) }
      return as(ykcType.swipe, wires.swipeData.write({ ...event, ...rest, pileNo, port, cardKind }))
    }
    case 'settlement':
      return as(ykcType.settlement, settlementBody(pileNo, event))
    case 'tariffAsked':
      return event.modelNo === undefined
        ? as(ykcType.tariffWanted, wires.pileData.write({ pileNo }))
        : as(ykcType.tariffCheck, wires.tariffCheckData.write({ pileNo, modelNo: event.modelNo }))
    case 'commandResult':
      return refused('an answer is written for the frame that asked')
    case 'host':
    case 'offlineStart':
    case 'alarm':
    case 'clockAsked':
    case 'started':
    case 'strayStop':
    case 'remark':
    case 'here':
    case 'gone':
    case 'iccid':
    case 'link':
    default:
      return refused(`YKC has no frame for ${event.kind}`)
  }
}

export function encodeUp(pileNo: string, seq: number, event: DeviceEvent): Outcome<YkcFrame> {
  const encoded = bodyOf(pileNo, event)
  return encoded.ok ? makeFrame(seq, encoded.value.type, encoded.value.body) : encoded
}

const stopReasons: Readonly<Record<string, number>> = { noPort: 1, notCharging: 2 }

function answerBody(pileNo: string, type: number, answer: CommandResultEvent): Outcome<number[]> {
  const { port = 0, orderNo, deviceTimeS } = answer
  const ok = Number(answer.ok)
  const why = answer.ok ? undefined : (answer.refusal?.name ?? 'unknown')
  if (type === ykcType.started) {
    const reading = { name: why ?? 'unknown', raw: why === undefined ? 0 : (refusal.rows[why].ykc?.[0] ?? 3) }
    return wires.startedData.write({ pileNo, port, orderNo, ok, refusal: reading })
  }
  if (type === ykcType.stopped)
    return wires.stoppedData.write({ pileNo, port, ok, reason: why === undefined ? 0 : (stopReasons[why] ?? 3) })
  if (type === ykcType.clockSet) return wires.clockData.write({ pileNo, atS: deviceTimeS })
  return wires.doneData.write({ pileNo, ok })
}

/** Encodes a pile's answer to a command. A gun query is answered by a report. */
export function encodeResult(pileNo: string, request: YkcFrame, answer: CommandResultEvent): Outcome<YkcFrame> {
  if (request.type === ykcType.askReport) return refused('a question is answered by a report')
  const type = answerTypeOf(request.type)
  const body = answerBody(pileNo, type, answer)
  return body.ok ? makeFrame(request.seq, type, body.value) : body
}
