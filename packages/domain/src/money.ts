declare const fenBrand: unique symbol
/** Integer fen, the only type of an amount of money inside the system. */
export type Fen = bigint & { readonly [fenBrand]: true }

export const amountMessage = '请输入正确格式的金额（0.01-9999999.99之间，最多两位小数）'
export const discountMessage = '请输入正确格式的折扣（0.01-100之间，最多两位小数）'

const amountPattern = /^\d{1,7}(\.\d{1,2})?$/
const maxFen = 999_999_999n

/** '12.3' → 1230n. Undefined for anything that is not an amount between 0.01 and 9999999.99 with at most two decimals. */
export function parseYuan(text: string): Fen | undefined {
  if (!amountPattern.test(text)) return undefined
  const [yuan = '0', decimals = ''] = text.split('.')
  const fen = BigInt(yuan) * 100n + BigInt(decimals.padEnd(2, '0'))
  return fen >= 1n && fen <= maxFen ? (fen as Fen) : undefined
}

/** 123456n → '1234.56'. */
export function yuanText(fen: bigint): string {
  const sign = fen < 0n ? '-' : ''
  const digits = (fen < 0n ? -fen : fen).toString().padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** A discount in percent, 0.01 to 100, at most two decimals, in 1/100 percent. */
export function parseDiscount(text: string): number | undefined {
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(text)) return undefined
  const hundredths = Math.round(Number(text) * 100)
  return hundredths >= 1 && hundredths <= 10_000 ? hundredths : undefined
}
