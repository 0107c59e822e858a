import type { ChargeLimit, PortReportEvent, SettlementEvent } from '@wattdeck/device-protocol/message.ts'
import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import type { Protocol } from '@wattdeck/device-protocol/protocol-table.ts'
import { stopReason, type StopReasonName } from '@wattdeck/device-protocol/stop-reason.ts'
import type { ChargeFault } from './faults.ts'
import { say } from './labels.ts'

export type Charge = {
  orderNo: string
  startedMs: number
  /** When the battery is full, and the latest end of the charge. */
  fullMs: number
  untilMs: number
  /** The energy limit, if one is set. */
  limitWh: number
  peakDw: number
  energyWh: number
  /** Time up to which `energyWh` is integrated. */
  countedMs: number
  fault: ChargeFault | undefined
  /** The device reports nothing of the charge before this time. */
  quietUntilMs: number
}
export type Begun = Pick<Charge, 'orderNo' | 'peakDw' | 'fault' | 'quietUntilMs'> & { nowMs: number; fullInMs: number }

/** Creates a charge with its limit; a full battery ends any charge. */
export function newCharge({ nowMs, fullInMs, ...begun }: Begun, limit: ChargeLimit): Charge {
  const fullMs = nowMs + fullInMs
  return {
    ...begun,
    startedMs: nowMs,
    fullMs,
    untilMs: limit.by === 'duration' ? Math.min(fullMs, nowMs + limit.durationS * 1000) : fullMs,
    limitWh: limit.by === 'energy' ? limit.energyWh : Number.POSITIVE_INFINITY,
    energyWh: 0,
    countedMs: nowMs,
  }
}

export function changeLimit(charge: Charge, limit: ChargeLimit): void {
  if (limit.by === 'duration') charge.untilMs = charge.startedMs + limit.durationS * 1000
  if (limit.by === 'energy') charge.limitWh = limit.energyWh
}

/** Charging curve of a battery: constant current for most of the time, then falling. */
function powerOf({ startedMs, fullMs, peakDw }: Charge, nowMs: number): number {
  const share = Math.min(1, (nowMs - startedMs) / Math.max(1, fullMs - startedMs))
  return Math.round(share < 0.7 ? peakDw * (0.95 + 0.05 * Math.sin(share * 40)) : peakDw * (1 - (share - 0.7) / 0.35))
}

/** Integrates the energy; a meter never falls. */
export function count(charge: Charge, nowMs: number): void {
  const hours = Math.max(0, nowMs - charge.countedMs) / 3_600_000
  charge.energyWh += (powerOf(charge, nowMs) / 10) * hours
  charge.countedMs = Math.max(charge.countedMs, nowMs)
}

/** Why the charge ends now; undefined while it continues. */
export function endOf(charge: Charge, nowMs: number): StopReasonName | undefined {
  if (nowMs < charge.quietUntilMs) return undefined
  if (charge.energyWh >= charge.limitWh) return 'presetEnergy'
  if (nowMs < charge.untilMs) return undefined
  return charge.untilMs < charge.fullMs ? 'presetDuration' : 'full'
}

export const isHalfDone = ({ startedMs, untilMs }: Charge, nowMs: number): boolean =>
  nowMs >= startedMs + (untilMs - startedMs) / 2

/** DNY reports in 0.01 kWh, the other protocols in 1 Wh. */
const rounded = (protocol: Protocol, energyWh: number): number =>
  protocol === 'dny' ? Math.round(energyWh / 10) * 10 : Math.round(energyWh)
const durationS = ({ startedMs }: Charge, nowMs: number): number =>
  Math.min(65_535, Math.round((nowMs - startedMs) / 1000))

type Reported = { protocol: Protocol; port: number; nowMs: number; deviceTimeS: number }

/** `moreWh` is a one-time error of the meter. */
export function reportOf(
  charge: Charge,
  { protocol, port, nowMs, deviceTimeS }: Reported,
  moreWh: number,
): PortReportEvent {
  const powerDw = powerOf(charge, nowMs)
  return {
    kind: 'portReport',
    port,
    status: say(plugStatus, protocol, 'working'),
    powerDw,
    energyWh: rounded(protocol, charge.energyWh + moreWh),
    durationS: durationS(charge, nowMs),
    orderNo: charge.orderNo,
    voltageDv: 2200,
    currentMa: Math.round((powerDw * 1000) / 2200),
    temperatureC: 25 + Math.min(40, Math.floor(powerDw / 500)),
    deviceTimeS,
  }
}

/** More than any port can deliver in the duration of a bill. */
const impossibleWh = 500_000

/** The port's meter value at the start, and the price per kWh where the charger computes the bill. */
type PortMeter = { meterWh: number; priceE5: number }

export function settlementOf(
  charge: Charge,
  { protocol, port, nowMs, deviceTimeS }: Reported,
  why: StopReasonName,
  meter: PortMeter,
): SettlementEvent {
  const wrongWh = charge.fault === 'wrongMeter' ? impossibleWh : 0
  const energyWh = rounded(protocol, charge.energyWh + wrongWh)
  return {
    kind: 'settlement',
    port,
    durationS: durationS(charge, nowMs),
    energyWh,
    maxPowerDw: charge.peakDw,
    stopReason: say(stopReason, protocol, why),
    orderNo: charge.orderNo,
    deviceTimeS,
    ...(protocol === 'ykc' ? reckoned(energyWh, meter, charge.fault) : {}),
  }
}

function reckoned(energyWh: number, { meterWh, priceE5 }: PortMeter, fault: ChargeFault | undefined) {
  const [energyDwh, meterStartDwh] = [energyWh * 10, fault === 'zeroBaseline' ? 0 : meterWh * 10]
  const amountYuanE4 = Math.round((energyDwh * priceE5) / 100_000)
  return { meterStartDwh, meterEndDwh: meterStartDwh + energyDwh, amountYuanE4 }
}

/**
 * Whether the fault of the charge took effect in its bill. A zero baseline is an error only when energy was counted.
 */
export function isWrongAtEnd({ fault }: Charge, { meterStartDwh, meterEndDwh = 0 }: SettlementEvent): boolean {
  if (fault === 'zeroBaseline') return meterStartDwh === 0 && meterEndDwh > 0
  return fault === 'wrongMeter' || fault === 'lateBill' || fault === 'repeatBill'
}
