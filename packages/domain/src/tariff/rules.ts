/**
 * A tariff as it is stored: plain JSON, immutable for each version. Unit prices are integers in 1/100000 yuan (E5),
 * energy in 1/10000 kWh (Dwh), amounts integer fen, times of day minutes from 00:00 in Asia/Shanghai. All fit into a
 * JavaScript integer; values computed from them are bigint.
 */
export type TariffRules = EnergyRules | TimeRules | PowerRules

type CommonRules = {
  /** 最低消费. The minimum price of a charge that is not free, occupancy excluded. */
  minFeeFen: number
  /** 起充金额. The amount that must be paid or reserved before a charge starts. It is not part of the bill. */
  startFeeFen: number
  /** A charge that ends within this time is free. 0 disables the rule. */
  freeMinutes: number
  /** The charge is ended after this time. */
  maxMinutes: number
  fullStop: boolean
  /** When false, a bought package is due in full, regardless of its use. */
  refundUnused: boolean
  occupancy: OccupancyRules | null
  presets: Preset[]
}

/** 占位费: a fee for occupying the place after the charge. */
export type OccupancyRules = { freeMinutes: number; priceE5: number; capFen: number }

/** 档位: what a member may choose to buy. In fen, minutes, or 1/10000 kWh. */
export type Preset = { by: 'money' | 'minutes' | 'energy'; value: number }

export type EnergyRules = CommonRules & {
  billingType: 0
  /** In order of time; together they cover the whole day. */
  segments: Segment[]
}
export type Segment = {
  fromMin: number
  /** Exclusive; 1440 is midnight. */
  toMin: number
  period: Period
  electricityE5: number
  serviceE5: number
}
export type Period = 'sharp' | 'peak' | 'flat' | 'valley' | 'deepValley'

export type TimeRules = CommonRules & {
  billingType: 1
  /** The unit of the tier prices, for example 2 yuan for 480 minutes. */
  unitMinutes: number
  /** Each started step is billed; 1 bills by the minute. */
  stepMinutes: number
  /** 阶梯, in ascending order. */
  tiers: TimeTier[]
  electricityE5: number
}
/** The last tier has no end. */
export type TimeTier = { uptoMin: number | null; priceFen: number }

export type PowerRules = CommonRules & {
  billingType: 2
  /** In ascending order. Power above the last band is priced by the last band. */
  bands: PowerBand[]
  /** 'peak': the whole charge is priced by the band of its peak power. 'segmented': each second by its own band. */
  mode: 'peak' | 'segmented'
  electricityE5: number
}
/** The price of one hour. */
export type PowerBand = { maxWatt: number; priceE5: number }

export const dayMinutes = 1440

/**
 * Bounds of the entered values. They keep the highest possible bill below the maximum order amount, and catch yuan
 * entered as fen.
 */
export const ruleLimits = {
  priceE5: 10_000_000,
  amountFen: 1_000_000,
  tierPriceFen: 10_000,
  tiers: 8,
  bands: 8,
  bandWatt: 1_000_000,
  presets: 12,
  presetDwh: 10_000_000,
  maxMinutes: 10_080,
  freeMinutes: 60,
  occupancyFreeMinutes: 1440,
} as const

/** The minimum reservation before a charge starts, so that the minimum fee can be paid. */
export const minReservationFen = ({ startFeeFen, minFeeFen }: TariffRules) => Math.max(startFeeFen, minFeeFen)
