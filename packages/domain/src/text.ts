const twoDecimals = (value: number) => String(Number(value.toFixed(2)))

/** Spec §9: bytes under 102.4, KB under 104857.6, MB under 107374182.4, else GB, two decimals. */
export function fileSizeText(bytes: number): string {
  if (bytes < 102.4) return `${twoDecimals(bytes)}B`
  if (bytes < 104_857.6) return `${twoDecimals(bytes / 1024)}KB`
  if (bytes < 107_374_182.4) return `${twoDecimals(bytes / 1024 ** 2)}MB`
  return `${twoDecimals(bytes / 1024 ** 3)}GB`
}

/** 93784 → '1天2小时3分钟4秒'. Leading zero units are left out; 0 is '0秒'. */
export function secondsText(total: number): string {
  const seconds = Math.max(0, Math.floor(total))
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), '天'],
    [Math.floor(seconds / 3600) % 24, '小时'],
    [Math.floor(seconds / 60) % 60, '分钟'],
    [seconds % 60, '秒'],
  ]
  const first = parts.findIndex(([value]) => value > 0)
  return (first === -1 ? parts.slice(-1) : parts.slice(first)).map(([value, unit]) => `${value}${unit}`).join('')
}

/** Spec §9: before 9 morning, to 11 forenoon, to 13 noon, before 19 afternoon, else evening. */
export function greeting(hour: number): string {
  if (hour < 9) return '早上好'
  if (hour <= 11) return '上午好'
  if (hour <= 13) return '中午好'
  if (hour < 19) return '下午好'
  return '晚上好'
}

/** '共 N 条', or '超过 N 条' when the count stopped at its bound. */
export const totalText = (total: number, counted: 'exactly' | 'to-bound' = 'exactly') =>
  counted === 'exactly' ? `共 ${total} 条` : `超过 ${total} 条`
export const pageSizeText = (size: number) => `${size} 条/页`
export const jumperTexts = { before: '跳至', after: '页' } as const
