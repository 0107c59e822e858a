import type { Protocol, Reading, WireValue } from '@wattdeck/device-protocol/protocol-table.ts'
import type { Identity } from './wire.ts'

export const protocols: Record<Identity['adapter'], Protocol> = {
  dny: 'dny',
  'mqtt-json': 'mqttJson',
  ocpp16: 'ocpp16',
  ykc: 'ykc',
}

type Table<Name extends string> = { rows: Readonly<Record<Name, { [P in Protocol]?: readonly WireValue[] }>> }
/** As the protocol writes it; one that has no word for it may find its own. */
export const say = <Name extends string>({ rows }: Table<Name>, protocol: Protocol, name: Name): Reading<Name> => ({
  name,
  raw: rows[name][protocol]?.[0] ?? 0,
})
