/** The basic service of one device: by the day it ends on, and what devices cost by the terms of their organisation. */
const warnDays = 30
const dayMs = 86_400_000
const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

export type DeviceStanding = 'normal' | 'expiring' | 'expired'

/** First and last day that a service of this standing ends on; undefined: without an end on that side. */
export function standingDays(standing: DeviceStanding, today: string): { from?: string; to?: string } {
  if (standing === 'expired') return { to: dayAfter(today, -1) }
  if (standing === 'expiring') return { from: today, to: dayAfter(today, warnDays) }
  return { from: dayAfter(today, warnDays + 1) }
}

/** The service runs to the end of its last day. */
export function deviceStanding(serviceUntil: string, today: string): DeviceStanding {
  if (serviceUntil < today) return 'expired'
  return serviceUntil <= dayAfter(today, warnDays) ? 'expiring' : 'normal'
}

type Bill = { chosen: number; all: number; freeDevices: number; unitPriceFen: bigint; cycleMonths: number }

/**
 * What is due for chosen devices and one cycle. Free devices are a number, not certain ones: those that were not chosen
 * use it up first, so that nobody pays for more than the organisation has beyond it.
 */
export function serviceDue({ chosen, all, freeDevices, unitPriceFen, cycleMonths }: Bill) {
  const chargeable = Math.max(0, Math.min(chosen, all - freeDevices))
  const yearlyFen = BigInt(chargeable) * unitPriceFen
  return { chargeable, dueFen: (yearlyFen * BigInt(cycleMonths) + 6n) / 12n }
}
