/**
 * The unified social credit code of GB 32100: registration authority and kind, six digits of the region, nine
 * characters of the organisation, and a check character over the seventeen before it.
 */
const letters = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const pattern = /^[\dA-HJ-NPQRTUW-Y]{2}\d{6}[\dA-HJ-NPQRTUW-Y]{10}$/

/** The check character of the first seventeen: weights are powers of 3, modulo 31. */
export function creditCheck(first17: string): string {
  let weight = 1
  let sum = 0
  for (const letter of first17) {
    sum += letters.indexOf(letter) * weight
    weight = (weight * 3) % 31
  }
  return letters[(31 - (sum % 31)) % 31] ?? ''
}

export const isCreditCode = (code: string) => pattern.test(code) && creditCheck(code.slice(0, 17)) === code[17]
