const whole = new Intl.NumberFormat('zh-CN')
export const countText = (value: number) => whole.format(value)

const tenThousand = 10_000
const hundredMillion = 100_000_000
const shorten = (value: number) => (Math.round(value * 100) / 100).toLocaleString('zh-CN', { maximumFractionDigits: 2 })

/** A large number by the words people use for it: 万 and 亿. */
export function shortText(value: number): string {
  if (value >= hundredMillion) return `${shorten(value / hundredMillion)}亿`
  return value >= tenThousand * 10 ? `${shorten(value / tenThousand)}万` : whole.format(Math.round(value * 100) / 100)
}

/** Decimal text of the contract. For a bar or a short label it may become a number; what is shown in full stays text. */
export const moneyNumber = (value: string) => Number(value)
export const moneyText = (value: string) => value.replaceAll(/\B(?=(\d{3})+\.)/g, ',')
/** Short, but with its fen where there is room for them. */
export const moneyShort = (value: string) => {
  const yuan = moneyNumber(value)
  return `¥${yuan >= tenThousand * 10 ? shortText(yuan) : moneyText(value)}`
}
/** Ten-thousandths of a kWh. */
export const kwhOf = (energyDwh: number) => energyDwh / 10_000
export const kwhText = (energyDwh: number) =>
  kwhOf(energyDwh).toLocaleString('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export function durationText(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} 分` : `${Math.floor(minutes / 60)} 时 ${minutes % 60} 分`
}

/** Letters of a number, each known by how far from the end it stands: a longer number keeps its last digits. */
export const cells = (text: string) =>
  Array.from(text).map((letter, place, all) => ({
    key: `${all.length - place}${/\d/.test(letter) ? 'd' : letter}`,
    letter,
  }))
