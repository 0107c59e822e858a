/**
 * The basic service of an organisation: what follows from its terms on a given day. A day is 'YYYY-MM-DD' as the
 * calendar in Asia/Shanghai shows it; the service runs to the end of the day it expires on.
 */
export type ServiceTerms = {
  expiresOn: string
  /** Days after the expiry in which the service still runs. */
  graceDays: number
  /** Days before the expiry on which the warning begins. */
  warnDays: number
  /** Otherwise the expiry is only reminded of. */
  stopsAtExpiry: boolean
}
export type ServiceStanding = 'normal' | 'warning' | 'arrears'

const dayMs = 86_400_000
const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / dayMs
const dayText = (number: number) => new Date(number * dayMs).toISOString().slice(0, 10)

/** The day in Asia/Shanghai, which has been eight hours ahead all year round since 1991. */
export const shanghaiDay = (atMs: number) => dayText(Math.floor((atMs + 8 * 3_600_000) / dayMs))

export function serviceStanding(today: string, terms: ServiceTerms): ServiceStanding {
  const daysLeft = dayNumber(terms.expiresOn) - dayNumber(today)
  if (daysLeft > terms.warnDays) return 'normal'
  return daysLeft < -terms.graceDays && terms.stopsAtExpiry ? 'arrears' : 'warning'
}

/** The first day without the service; null where it is never stopped. */
export const serviceStopsOn = ({ expiresOn, graceDays, stopsAtExpiry }: Omit<ServiceTerms, 'warnDays'>) =>
  stopsAtExpiry ? dayText(dayNumber(expiresOn) + graceDays + 1) : null

/** What the people of the organisation are told. The day is unknown where nobody has set the terms. */
export function serviceText(standing: ServiceStanding, expiresOn: string | null, today: string): string {
  if (standing === 'normal') return '您的基础服务状态正常'
  if (standing === 'arrears') return '您的基础服务已欠费，部分功能已停用，请尽快缴费'
  if (expiresOn === null) return '您的基础服务即将到期，请及时续费'
  return `您的基础服务${expiresOn < today ? '已于' : '将于'} ${expiresOn} 到期，请及时续费`
}
