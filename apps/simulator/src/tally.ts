import type { ChargeFault } from './faults.ts'

/** What a fleet has sent, to compare with what the platform recorded. */
export type Tally = {
  sent: number
  records: Set<string>
  acked: Map<string, number>
  /** Faults that took effect, by order, and the figures of each bill. */
  faults: Map<string, ChargeFault>
  bills: Map<string, { energyWh: number; durationS: number }>
}

export const newTally = (): Tally => ({
  sent: 0,
  records: new Set(),
  acked: new Map(),
  faults: new Map(),
  bills: new Map(),
})
