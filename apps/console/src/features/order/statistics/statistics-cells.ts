const two = new Intl.NumberFormat('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Hours and energy: measured, so a number may hold them; money never passes here. */
export const fixed = (value: number) => two.format(value)
export const kwhOf = (energyDwh: number) => energyDwh / 10_000
