/** First byte of a DNY device's physical id, by how many ports it has. */
const dnyCodes: Readonly<Record<number, number>> = { 1: 0x03, 2: 0x04, 10: 0x05, 12: 0x07, 16: 0x06 }
const dnyMax = 0xff_ff_ff

/**
 * What a device calls itself on the wire, from the number that is printed on it. With DNY the number is decimal, and
 * the wire carries its three bytes, lowest first, and then the code of the kind: 13544000 with two ports is 40aace04. A
 * YKC pile has a number of 14 digits. Undefined when it does not follow from the number.
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
/** Whether a device of this protocol could call itself so. */
export const fitsWire = (adapter: string, wireId: string) => wireForms.get(adapter)?.is.test(wireId) ?? true
/** What it must look like, for people. */
export const wireForm = (adapter: string) => wireForms.get(adapter)?.words ?? '文本'

/** By a certificate or a password. Devices of the other protocols send a number only. */
export const provesItself = (adapter: string): boolean => adapter === 'mqtt-json' || adapter === 'ocpp16'
