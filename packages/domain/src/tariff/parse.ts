/**
 * '1.05' with five decimals → 105000: a decimal as an integer of its smallest unit, without floating-point arithmetic.
 * Undefined when the text is not such a number.
 */
export function parseDecimal(text: string, decimals: number): number | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,8})(?:\.(\d{1,8}))?$/.exec(text) ?? []
  if (whole === '' || fraction.length > decimals) return undefined
  return Number(whole + fraction.padEnd(decimals, '0'))
}
