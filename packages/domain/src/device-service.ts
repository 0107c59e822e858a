/** What devices cost by the terms of their organisation. */
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
