import type { HeartbeatEvent } from '@wattdeck/device-protocol/message.ts'
import { plugStatus, type PlugStatusName } from '@wattdeck/device-protocol/plug-status.ts'
import type { Protocol, Reading, WireValue } from '@wattdeck/device-protocol/protocol-table.ts'
import type { Identity } from './wire.ts'

export const protocols: Record<Identity['adapter'], Protocol> = {
  dny: 'dny',
  'mqtt-json': 'mqttJson',
  ocpp16: 'ocpp16',
  ykc: 'ykc',
}

type Table<Name extends string> = { rows: Readonly<Record<Name, { [P in Protocol]?: readonly WireValue[] }>> }
/** Encodes a name for a protocol; 0 when the protocol has no value for it. */
export const say = <Name extends string>({ rows }: Table<Name>, protocol: Protocol, name: Name): Reading<Name> => ({
  name,
  raw: rows[name][protocol]?.[0] ?? 0,
})

export const heartbeatOf = (
  protocol: Protocol,
  ports: readonly PlugStatusName[],
  random: () => number,
): HeartbeatEvent => ({
  kind: 'heartbeat',
  ports: ports.map((name) => say(plugStatus, protocol, name)),
  voltageDv: 2150 + Math.floor(random() * 150),
  temperatureC: 18 + Math.floor(random() * 20),
  ...(protocol === 'dny' ? { localSignal: 0 } : { csq: 12 + Math.floor(random() * 19) }),
})

let orders = 0
/** Order number of a charge that started at the device. DNY has room for 31 digits. */
export function newOrderNo(): string {
  orders += 1
  return `${Date.now()}${String(orders % 1e7).padStart(7, '0')}`
}
