const two = new Intl.NumberFormat('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** For hours and energy, which are measured; money is never formatted here. */
export const fixed = (value: number) => two.format(value)
export const kwhOf = (energyDwh: number) => energyDwh / 10_000
