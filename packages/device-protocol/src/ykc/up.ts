import type { DeviceEvent } from '../message.ts'
import { done, refused, type Outcome } from '../outcome.ts'
import { plugStatus, type PlugReading } from '../plug-status.ts'
import { alarmKind, type AlarmName } from '../alarm-kind.ts'
import type { Reading } from '../protocol-table.ts'
import type { RefusalName } from '../refusal.ts'
import type { YkcFrame } from './frame.ts'
import { remarkTypes, ykcType } from './types.ts'
import * as wires from './wires.ts'

/** Decodes frames from a pile, for the gateway; up-written.ts encodes them. */

export type YkcUp = { pileNo: string; event: DeviceEvent }
type Reader = (frame: YkcFrame) => Outcome<YkcUp>

type Layout<V> = { read(bytes: Uint8Array): Outcome<V> }
const reader =
  <V extends { pileNo: string }>(layout: Layout<V>, make: (values: Omit<V, 'pileNo'>) => DeviceEvent): Reader =>
  ({ body }) => {
    const read = layout.read(body)
    if (!read.ok) return read
    const { pileNo, ...values } = read.value
    return done({ pileNo, event: make(values) })
  }

/** The ICCID is valid only on a mobile network. */
const simNetwork = 0

function plugOf(state: number, plugged: number): PlugReading {
  const reading = plugStatus.read('ykc', state)
  return reading.name === 'free' && plugged === 1 ? { name: 'connected', raw: reading.raw } : reading
}

function faultsOf(bits: number): Reading<AlarmName>[] {
  const set = Array.from({ length: 16 }, (_, at) => at + 1).filter((bit) => (bits >> (bit - 1)) % 2 === 1)
  return set.map((bit) => alarmKind.read('ykc', bit))
}

const readReport = reader(wires.reportData, (values) => {
  const { orderNo, port, voltageDv, currentDa, portTemperatureC, batteryTemperatureC } = values
  const { state, plugged, socPercent, chargedMin, remainingMin, energyDwh, amountYuanE4, faults } = values
  return {
    kind: 'portReport',
    port,
    orderNo,
    status: plugOf(state, plugged),
    voltageDv,
    portTemperatureC,
    batteryTemperatureC,
    socPercent,
    remainingMin,
    amountYuanE4,
    // Tenths of a volt times tenths of an ampere are hundredths of a watt.
    powerDw: Math.round((voltageDv * currentDa) / 10),
    currentMa: currentDa * 100,
    energyWh: Math.round(energyDwh / 10),
    durationS: chargedMin * 60,
    faults: faultsOf(faults),
  }
})

const readSettlement = reader(wires.settlementData, ({ shares, ...values }) => {
  const { startedAtS, endedAtS, energyDwh } = values
  // Without a clock the pile's times are undefined, and the duration is 0.
  const durationS = startedAtS === undefined || endedAtS === undefined ? 0 : Math.max(0, endedAtS - startedAtS)
  const byPrice = [0, 4, 8, 12].map((at) => {
    const [priceYuanE5 = 0, energy = 0, lossDwh = 0, amountYuanE4 = 0] = shares.slice(at)
    return { priceYuanE5, energyDwh: energy, lossDwh, amountYuanE4 }
  })
  return { kind: 'settlement', ...values, durationS, energyWh: Math.round(energyDwh / 10), byPrice }
})

const result = (ok: boolean, refusal: Reading<RefusalName>) => ({
  kind: 'commandResult' as const,
  ok,
  carriedOut: ok,
  refusal: ok ? undefined : refusal,
})
const stopRefusals: readonly RefusalName[] = ['unknown', 'noPort', 'notCharging']
const readDone = reader(wires.doneData, ({ ok }) => result(ok === 1, { name: 'unknown', raw: ok }))

const readers = new Map<number, Reader>([
  [
    ykcType.login,
    reader(wires.loginData, ({ current, network, iccid, carrier: _carrier, ...values }) => ({
      kind: 'register',
      ...values,
      model: current === 0 ? 'DC' : 'AC',
      iccid: network === simNetwork ? iccid : undefined,
    })),
  ],
  [
    ykcType.heartbeat,
    // A gun without a fault may be idle or charging: only its report tells which.
    reader(wires.heartbeatData, ({ port, fault }) =>
      fault === 0
        ? { kind: 'heartbeat', ports: [], port }
        : { kind: 'portStatus', port, status: { name: 'fault', raw: fault } },
    ),
  ],
  [ykcType.tariffCheck, reader(wires.tariffCheckData, ({ modelNo }) => ({ kind: 'tariffAsked', modelNo }))],
  [ykcType.tariffWanted, reader(wires.pileData, () => ({ kind: 'tariffAsked' }))],
  [ykcType.report, readReport],
  [
    ykcType.swipe,
    reader(wires.swipeData, ({ port, cardKind, card, vin }) => ({ kind: 'swipe', port, cardKind, card, vin })),
  ],
  [ykcType.settlement, readSettlement],
  [
    ykcType.started,
    reader(wires.startedData, ({ ok, refusal, port, orderNo }) => ({ ...result(ok === 1, refusal), port, orderNo })),
  ],
  [
    ykcType.stopped,
    reader(wires.stoppedData, ({ ok, reason, port }) => ({
      ...result(ok === 1, { name: stopRefusals[reason] ?? 'unknown', raw: reason }),
      port,
    })),
  ],
  [ykcType.workSet, readDone],
  [ykcType.tariffSet, readDone],
  [ykcType.restarted, readDone],
  [
    ykcType.clockSet,
    reader(wires.clockData, ({ atS }) => ({ ...result(true, { name: 'unknown', raw: 0 }), deviceTimeS: atS })),
  ],
  ...[...remarkTypes].map(([type, { about, serial }]): [number, Reader] => [
    type,
    reader(serial ? wires.serialPileData : wires.pileData, () => ({ kind: 'remark', about })),
  ]),
])

/** Types without an entry belong to a newer protocol, or to one vendor. */
export function decodeUp(frame: YkcFrame): Outcome<YkcUp> {
  if (frame.encryption !== 0) return refused('the frame is encrypted')
  const read = readers.get(frame.type)
  return read === undefined ? refused(`command ${frame.type.toString(16)} is not known`) : read(frame)
}
