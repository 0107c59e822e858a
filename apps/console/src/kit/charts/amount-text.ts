/** A value as a chart writes it: money with its cents, everything else as it is. */
export const amountText = (value: number, unit: string) =>
  value.toLocaleString('zh-CN', unit === '元' ? { minimumFractionDigits: 2 } : {})
