/** '-12.30' → -1230n, by digits alone. Zeros after the second decimal are allowed, because bills contain them. */
export function fenOf(text: string): bigint | undefined {
  const parts = /^(-?)(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(text)
  if (parts === null) return undefined
  const [, sign = '', yuan = '', decimals = ''] = parts
  const fen = BigInt(yuan) * 100n + BigInt(decimals.padEnd(2, '0'))
  return sign === '-' ? -fen : fen
}

const eightHours = 8 * 3_600_000

/** China time, 'YYYY-MM-DD HH:mm:ss': UTC+8 all year. */
export const chinaTime = (at: Date) => new Date(at.getTime() + eightHours).toISOString().slice(0, 19).replace('T', ' ')

export function ofChinaTime(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined
  const at = new Date(`${text.replace(' ', 'T')}+08:00`)
  return Number.isNaN(at.getTime()) ? undefined : at
}

/** Cleans texts that appear in a comma-separated bill and in the payer's app. */
export const plainText = (text: string, length: number, otherwise: string) =>
  Array.from(text.replaceAll(/[\p{C},`"'<>&=/]/gu, ' '))
    .slice(0, length)
    .join('')
    .trim() || otherwise
