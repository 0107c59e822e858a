import type { UpItem } from '@wattdeck/contract/events/device-bus.ts'
import type { DnyFrame } from '@wattdeck/device-protocol/dny/frame.ts'
import type { DeviceEvent, SettlementEvent } from '@wattdeck/device-protocol/message.ts'

/** 2020-01-01. A device whose clock was never set counts from 1970 or 2000. */
const firstClockS = 1_577_836_800
/** A settlement with neither order number nor time is identified by its figures alone. */
const namelessKey = (event: SettlementEvent): string =>
  [
    'bill',
    event.port,
    event.durationS,
    event.energyWh,
    event.maxPowerDw,
    event.start?.raw,
    event.card,
    event.stopReason.raw,
    event.earlyPowerDw,
    event.occupiedMin,
  ].join(':')

/**
 * Idempotency key of a record, derived from its content: identical for each resend, different for different figures.
 */
export function dnyRecord(event: DeviceEvent, frame: Pick<DnyFrame, 'messageId'>): UpItem['r'] {
  const at = event.deviceTimeS ?? 0
  if (event.kind === 'settlement')
    return event.orderNo === undefined && at < firstClockS
      ? { key: namelessKey(event), at: 0, isNameless: true }
      : { key: `${event.orderNo ?? ''}:${event.port}:${at}:${event.energyWh}:${event.durationS}`, at }
  if (event.kind === 'swipe') return { key: `${event.card}:${event.port ?? 0}:${at}:${frame.messageId}`, at }
  return undefined
}
