const allowedPrefixes = new Set(
  '10 18 30 35 37 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 58 60 62 65 68 69 84 87 88 94 95 98 99'.split(' '),
)

/** The message to show for a bank card number, or undefined when it is valid (spec §5). */
export function bankCardProblem(input: string): string | undefined {
  const digits = input.replaceAll(/\s/g, '')
  if (digits === '') return '请输入银行卡号'
  if (digits.length < 12 || digits.length > 19) return '银行卡号长度必须在12到19位之间'
  if (!/^\d+$/.test(digits)) return '银行卡号必须全为数字'
  if (!allowedPrefixes.has(digits.slice(0, 2))) return '银行卡号开头两位不符合规范'
  if (!luhnHolds(digits)) return '银行卡号校验不通过，请核对后重新输入'
  return undefined
}

function luhnHolds(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
