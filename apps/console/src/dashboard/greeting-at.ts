import { greeting } from '@wattdeck/domain/text.ts'

const hours = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', hour: '2-digit', hourCycle: 'h23' })

/** Every time in the console is Shanghai's, and so is the greeting. */
export const greetingAt = (now: Date | number) => greeting(Number(hours.format(now)))
