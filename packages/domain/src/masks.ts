/** Masks by field class. A masked value keeps enough to recognise it and too little to use it. */
const keep = (value: string, start: number, end: number, stars: string) =>
  value.length <= start + end
    ? '*'.repeat(value.length)
    : `${value.slice(0, start)}${stars}${value.slice(value.length - end)}`

/** 13812345678 → 138****5678 */
export const maskPhone = (phone: string) => keep(phone, 3, 4, '****')

/** zhang@example.com → z***@example.com */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '***' : `${email.slice(0, 1)}***${email.slice(at)}`
}
