import type { ChargeFault } from './faults.ts'

/** What a fleet has done: what a platform that lost nothing must know. */
export type Tally = {
  sent: number
  records: Set<string>
  acked: Map<string, number>
  /** What went wrong with which order, as far as it did, and what the bill of each says. */
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
