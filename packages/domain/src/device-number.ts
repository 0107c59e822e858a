/** First byte of the physical id of a DNY device, by number of ports. */
const dnyCodes: Readonly<Record<number, number>> = { 1: 0x03, 2: 0x04, 10: 0x05, 12: 0x07, 16: 0x06 }
const dnyMax = 0xff_ff_ff

/**
 * The wire id of a device, derived from the printed device number. With DNY the number is decimal; the wire carries its
 * three bytes, lowest first, then the code of the kind: 13544000 with two ports is 40aace04. The number of a YKC
 * charger has 14 digits. Undefined when the wire id cannot be derived.
 */
export function wireIdOf(adapter: string, deviceNo: string, portCount: number): string | undefined {
  if (adapter === 'ykc') return fitsWire(adapter, deviceNo) ? deviceNo : undefined
  if (adapter !== 'dny') return deviceNo
  const code = dnyCodes[portCount]
  const number = /^\d{4,8}$/.test(deviceNo) ? Number(deviceNo) : Number.NaN
  if (code === undefined || !(number <= dnyMax)) return undefined
  return [number, number >> 8, number >> 16, code].map((byte) => (byte & 0xff).toString(16).padStart(2, '0')).join('')
}

const wireForms: ReadonlyMap<string, { is: RegExp; words: string }> = new Map([
  ['dny', { is: /^[\da-f]{8}$/, words: '8位十六进制数' }],
  ['ykc', { is: /^\d{14}$/, words: '14位数字' }],
])
/** Whether the wire id has the format of this protocol. */
export const fitsWire = (adapter: string, wireId: string) => wireForms.get(adapter)?.is.test(wireId) ?? true
/** The format of a wire id, as a text for the operator. */
export const wireForm = (adapter: string) => wireForms.get(adapter)?.words ?? '文本'

/** Whether devices authenticate by a certificate or a password. Other protocols send only a number. */
export const canAuthenticate = (adapter: string): boolean => adapter === 'mqtt-json' || adapter === 'ocpp16'
