/**
 * The basic service of an organisation: its state on a given day, derived from its terms. A day is 'YYYY-MM-DD' in
 * Asia/Shanghai. The service runs to the end of the day it expires on.
 */
export type ServiceTerms = {
  expiresOn: string
  /** Days after the expiry in which the service still runs. */
  graceDays: number
  /** Days before the expiry on which the warning begins. */
  warnDays: number
  /** When false, the expiry only triggers a reminder. */
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

/** The message for the staff of the organisation. The day is null when no terms are set. */
export function serviceText(standing: ServiceStanding, expiresOn: string | null, today: string): string {
  if (standing === 'normal') return '您的基础服务状态正常'
  if (standing === 'arrears') return '您的基础服务已欠费，部分功能已停用，请尽快缴费'
  if (expiresOn === null) return '您的基础服务即将到期，请及时续费'
  return `您的基础服务${expiresOn < today ? '已于' : '将于'} ${expiresOn} 到期，请及时续费`
}
