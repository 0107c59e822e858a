import { greeting } from '@wattdeck/domain/text.ts'

/** The console uses the time of Shanghai, also for the greeting and the date. */
const timeZone = 'Asia/Shanghai'
const hours = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' })
const days = new Intl.DateTimeFormat('zh-CN', { timeZone, month: 'long', day: 'numeric', weekday: 'long' })

export const hourAt = (now: number) => Number(hours.format(now))
export const greetingAt = (now: number) => greeting(hourAt(now))
/** '11月15日星期日' */
export const dayText = (now: number) => days.format(now)
