import type { EnergyRules, Segment } from '../../src/tariff/rules.ts'

export const common = {
  minFeeFen: 0,
  startFeeFen: 0,
  freeMinutes: 0,
  maxMinutes: 600,
  fullStop: true,
  refundUnused: true,
  occupancy: null,
  presets: [],
}
/** One price for the whole day. */
export const day = (electricityE5: number, serviceE5: number): Segment[] => [
  { fromMin: 0, toMin: 1440, period: 'flat', electricityE5, serviceE5 },
]
export const energyRules = (segments: Segment[]): EnergyRules => ({ ...common, billingType: 0, segments })
