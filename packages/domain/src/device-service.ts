/** The inputs for the service fee of devices, from the terms of their organisation. */
type Bill = { chosen: number; all: number; freeDevices: number; unitPriceFen: bigint; cycleMonths: number }

/**
 * The amount due for the chosen devices and one cycle. Free devices are a quantity, not specific devices. Devices that
 * were not chosen use it up first, so the amount never exceeds the fee of all chargeable devices.
 */
export function serviceDue({ chosen, all, freeDevices, unitPriceFen, cycleMonths }: Bill) {
  const chargeable = Math.max(0, Math.min(chosen, all - freeDevices))
  const yearlyFen = BigInt(chargeable) * unitPriceFen
  return { chargeable, dueFen: (yearlyFen * BigInt(cycleMonths) + 6n) / 12n }
}
