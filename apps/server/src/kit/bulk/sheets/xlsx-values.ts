const dayMs = 86_400_000
const lastDay = 2_958_465 // 9999-12-31
const builtInDates = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Whether a number format shows a day or a time. Quoted texts, escaped characters and bracketed colours are ignored. */
export const isDateFormat = (id: number, code: string | undefined) =>
  code === undefined
    ? builtInDates(id)
    : /[dhmsy年月日时分秒]/i.test(code.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|General/g, ''))

/** A number in plain decimal notation: 0.30000000000000004 becomes 0.3, and 1.38E10 becomes 13800000000. */
export function numberText(raw: string): string {
  if (/^-?\d{1,40}$/.test(raw)) return raw
  const value = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(value)) return raw
  const [digits = '', exponent = '0'] = value.toExponential(14).split('e')
  const power = Number(exponent)
  if (Math.abs(power) > 20) return String(Number(value.toPrecision(15)))
  return (
    value
      .toFixed(Math.max(0, 14 - power))
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '') || digits
  )
}

/** Formats a serial date as 'YYYY-MM-DD', with a time other than midnight appended. A time alone becomes 'HH:mm:ss'. */
export function dateText(raw: string, startsIn1904: boolean): string {
  const serial = Number(raw) + (startsIn1904 ? 1462 : 0)
  if (raw.trim() === '' || !(serial >= 0 && serial <= lastDay + 1)) return numberText(raw)
  // The calendar contains a 29 February 1900, so earlier serials are off by one.
  const days = serial < 60 && serial >= 1 ? serial + 1 : serial
  const at = new Date(Date.UTC(1899, 11, 30) + Math.round(days * 86_400) * 1000)
  const [day, time] = [at.toISOString().slice(0, 10), at.toISOString().slice(11, 19)]
  if (serial < 1) return time
  return at.getTime() % dayMs === 0 ? day : `${day} ${time}`
}

/** A sheet encodes characters that XML does not allow as '_x000D_'. */
export const plainText = (text: string) =>
  text.includes('_x')
    ? text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
