/** Formats a value for a chart; money has two decimals. */
export const amountText = (value: number, unit: string) =>
  value.toLocaleString('zh-CN', unit === '元' ? { minimumFractionDigits: 2 } : {})
