const whole = new Intl.NumberFormat('zh-CN')
export const countText = (value: number) => whole.format(value)

const tenThousand = 10_000
const hundredMillion = 100_000_000
const shorten = (value: number) => (Math.round(value * 100) / 100).toLocaleString('zh-CN', { maximumFractionDigits: 2 })

/** A large number with the units 万 and 亿. */
export function shortText(value: number): string {
  if (value >= hundredMillion) return `${shorten(value / hundredMillion)}亿`
  return value >= tenThousand * 10 ? `${shorten(value / tenThousand)}万` : whole.format(Math.round(value * 100) / 100)
}

/** Decimal text of the contract. Bars and short labels may use a number; full amounts stay text. */
export const moneyNumber = (value: string) => Number(value)
export const moneyText = (value: string) => value.replaceAll(/\B(?=(\d{3})+\.)/g, ',')
/** Short, but with fen when it fits. */
export const moneyShort = (value: string) => {
  const yuan = moneyNumber(value)
  return `¥${yuan >= tenThousand * 10 ? shortText(yuan) : moneyText(value)}`
}
/** From 1/10000 kWh to kWh. */
export const kwhOf = (energyDwh: number) => energyDwh / 10_000
export const kwhText = (energyDwh: number) =>
  kwhOf(energyDwh).toLocaleString('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export function durationText(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} 分` : `${Math.floor(minutes / 60)} 时 ${minutes % 60} 分`
}

/** The characters of a number, with their distance from the end as key, so a longer number keeps its last digits. */
export const cells = (text: string) =>
  Array.from(text).map((letter, place, all) => ({
    key: `${all.length - place}${/\d/.test(letter) ? 'd' : letter}`,
    letter,
  }))
