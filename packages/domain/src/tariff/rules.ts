/**
 * What a tariff says, as it is stored: plain JSON, never changed once a version stands. Unit prices are integers in
 * 1/100000 yuan (E5), energy in 1/10000 kWh (Dwh), amounts integer fen, times of day minutes from 00:00 in
 * Asia/Shanghai. All of them are small enough for a JavaScript integer; what is computed from them is a bigint.
 */
export type TariffRules = EnergyRules | TimeRules | PowerRules

type CommonRules = {
  /** 最低消费. What a charge costs at least, once it is not free; occupancy not counted. */
  minFeeFen: number
  /** 起充金额. What must be paid or held before a charge starts. It is no part of the bill. */
  startFeeFen: number
  /** A charge that ends within them costs nothing. 0: none is free. */
  freeMinutes: number
  /** After them the charge is ended. */
  maxMinutes: number
  fullStop: boolean
  /** Otherwise a package that was bought is paid in full, however little of it was used. */
  refundUnused: boolean
  occupancy: OccupancyRules | null
  presets: Preset[]
}

/** 占位费: for a place that is kept after the charge has ended. */
export type OccupancyRules = { freeMinutes: number; priceE5: number; capFen: number }

/** 档位: what a member may choose to buy. In fen, minutes, or 1/10000 kWh. */
export type Preset = { by: 'money' | 'minutes' | 'energy'; value: number }

export type EnergyRules = CommonRules & {
  billingType: 0
  /** In the order of the day; together they are the whole day. */
  segments: Segment[]
}
export type Segment = {
  fromMin: number
  /** Not part of it; 1440 is midnight. */
  toMin: number
  period: Period
  electricityE5: number
  serviceE5: number
}
export type Period = 'sharp' | 'peak' | 'flat' | 'valley' | 'deepValley'

export type TimeRules = CommonRules & {
  billingType: 1
  /** What prices of tiers are for: 2 yuan for 480 minutes. */
  unitMinutes: number
  /** Time is billed by started steps: 1 is by the minute. */
  stepMinutes: number
  /** 阶梯, in ascending order. */
  tiers: TimeTier[]
  electricityE5: number
}
/** The last tier has no end. */
export type TimeTier = { uptoMin: number | null; priceFen: number }

export type PowerRules = CommonRules & {
  billingType: 2
  /** In ascending order. More power than the last band names costs what the last band costs. */
  bands: PowerBand[]
  /** 'peak': the whole charge at the band of its highest power. 'segmented': each second at its own band. */
  mode: 'peak' | 'segmented'
  electricityE5: number
}
/** A price of one hour. */
export type PowerBand = { maxWatt: number; priceE5: number }

export const dayMinutes = 1440

/**
 * Bounds of what people may enter. They keep the dearest bill that rules and usage allow below the largest order
 * amount, and catch yuan typed as fen.
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

/** The least that must be held before a charge starts, so that the minimum fee can be paid. */
export const leastHeldFen = ({ startFeeFen, minFeeFen }: TariffRules) => Math.max(startFeeFen, minFeeFen)
