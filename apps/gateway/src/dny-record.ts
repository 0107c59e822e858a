import type { UpItem } from '@wattdeck/contract/events/device-bus.ts'
import type { DnyFrame } from '@wattdeck/device-protocol/dny/frame.ts'
import type { DeviceEvent, SettlementEvent } from '@wattdeck/device-protocol/message.ts'

/** 2020: a device whose clock was never set counts from 1970 or from 2000. */
const firstClockS = 1_577_836_800
/** A bill with neither number nor time is known by its figures alone. */
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

/** A record is known by what it says, so that it is the same however often it is sent, and another with other figures. */
export function dnyRecord(event: DeviceEvent, frame: Pick<DnyFrame, 'messageId'>): UpItem['r'] {
  const at = event.deviceTimeS ?? 0
  if (event.kind === 'settlement')
    return event.orderNo === undefined && at < firstClockS
      ? { key: namelessKey(event), at: 0, isNameless: true }
      : { key: `${event.orderNo ?? ''}:${event.port}:${at}:${event.energyWh}:${event.durationS}`, at }
  if (event.kind === 'swipe') return { key: `${event.card}:${event.port ?? 0}:${at}:${frame.messageId}`, at }
  return undefined
}
