import type { DeviceAnswer, DeviceCommand } from '../message.ts'
import { done, refused, type Outcome } from '../outcome.ts'
import type { YkcFrame } from './frame.ts'
import { ykcType } from './types.ts'
import * as wires from './wires.ts'

/** Decodes frames from the platform, for the simulator and the frame inspector. */

/** A stop names only the gun; it refers to the order running there. */
type StopGun = { kind: 'stopPort'; port: number; orderNo?: undefined }
export type YkcDown = DeviceCommand | DeviceAnswer | StopGun
type Reader = (frame: YkcFrame) => Outcome<YkcDown>

type Layout<V> = { read(bytes: Uint8Array): Outcome<V> }
const reader =
  <V>(layout: Layout<V>, make: (values: V) => YkcDown | string): Reader =>
  ({ body }) => {
    const read = layout.read(body)
    if (!read.ok) return read
    const content = make(read.value)
    return typeof content === 'string' ? refused(content) : done(content)
  }

const ack = ({ result }: { result: number }): YkcDown =>
  result === 0 ? { kind: 'ack' } : { kind: 'ack', bad: `answer ${result}` }

const readTariff = reader(wires.tariffData, ({ modelNo, prices, lossPercent, periods }) => ({
  kind: 'setTariff',
  modelNo,
  prices: [0, 2, 4, 6].map((at) => ({ energyYuanE5: prices[at] ?? 0, serviceYuanE5: prices[at + 1] ?? 0 })),
  periods,
  lossPercent,
}))

const readers = new Map<number, Reader>([
  [ykcType.loginAnswer, reader(wires.pileAnswerData, ack)],
  [ykcType.heartbeatAnswer, reader(wires.gunAnswerData, ack)],
  [ykcType.tariffCheckAnswer, reader(wires.tariffCheckAnswerData, ack)],
  [ykcType.settlementAnswer, reader(wires.settlementAnswerData, ack)],
  [ykcType.tariffAnswer, readTariff],
  [ykcType.setTariff, readTariff],
  [ykcType.askReport, reader(wires.gunData, ({ port }) => ({ kind: 'query', port }))],
  [
    ykcType.swipeAnswer,
    reader(wires.swipeAnswerData, ({ pileNo: _pile, allowed: _allowed, ...values }) => ({
      kind: 'swipeAnswer',
      ...values,
    })),
  ],
  [
    ykcType.start,
    reader(wires.startData, ({ orderNo, port, balanceFen }) =>
      orderNo === undefined
        ? 'no order number'
        : { kind: 'startPort', port, orderNo, limit: { by: 'full' }, balanceFen },
    ),
  ],
  [ykcType.stop, reader(wires.gunData, ({ port }) => ({ kind: 'stopPort', port }))],
  [ykcType.setWork, reader(wires.workData, ({ locked }) => ({ kind: locked === 1 ? 'stop' : 'restore' }))],
  [ykcType.restart, reader(wires.restartData, ({ when }) => ({ kind: 'restart', force: when === 1 || undefined }))],
  [ykcType.setClock, reader(wires.clockData, ({ atS }) => (atS === undefined ? 'no time' : { kind: 'setClock', atS }))],
])

export function decodeDown(frame: YkcFrame): Outcome<YkcDown> {
  if (frame.encryption !== 0) return refused('the frame is encrypted')
  const read = readers.get(frame.type)
  return read === undefined ? refused(`command ${frame.type.toString(16)} is not known`) : read(frame)
}
