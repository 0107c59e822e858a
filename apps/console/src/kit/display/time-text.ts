/** Times on the wire are 'YYYY-MM-DD HH:mm:ss' in Asia/Shanghai, which has no daylight saving time. */
export const shanghaiTime = (text: string) => new Date(`${text.replace(' ', 'T')}+08:00`)

const steps: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, '天'],
  [3600, '小时'],
  [60, '分钟'],
]

/** '3 分钟前'; from a week on, the date. */
export function agoText(text: string, now: Date = new Date()): string {
  const seconds = Math.floor((now.getTime() - shanghaiTime(text).getTime()) / 1000)
  if (seconds < 60) return '刚刚'
  if (seconds >= 7 * 86_400) return text.slice(0, 10)
  const [size, unit] = steps.find(([least]) => seconds >= least) ?? [60, '分钟']
  return `${Math.floor(seconds / size)} ${unit}前`
}

const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'short' })
/** 'YYYY-MM-DD HH:mm' in Asia/Shanghai. */
export const minuteText = (at: Date) => clock.format(at)
