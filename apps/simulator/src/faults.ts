/** What goes wrong on a network and in a device, each with how often, from 0 to 1. */
export type Faults = {
  drop: number
  duplicate: number
  /** Held back, so that a later message overtakes it. */
  reorder: number
  garbage: number
  /** Devices whose clock is wrong, by up to a year. */
  clockSkew: number
  alarm: number
  /** Devices that refuse whatever they are told. */
  refuse: number
  /** Devices that hear what they are told, and say and do nothing. */
  mute: number
} & Record<ChargeFault, number>

/** What goes wrong with a charge: at most one of them with each. */
const chargeFaults = [
  /** The bill names more energy than the port can have given. */
  'wrongMeter',
  /** A report is misread, and what is told after it is less. */
  'backwards',
  /** The meter of a car charger is said to have stood at nothing when the charge began. */
  'zeroBaseline',
  /** The line is lost before the bill, which comes when the device is back. */
  'lateBill',
  /** The bill comes three times. */
  'repeatBill',
  /** The line is lost in the middle. */
  'offline',
  /** It begins, and nothing is said of it until the platform has given up. */
  'lateStart',
] as const
export type ChargeFault = (typeof chargeFaults)[number]

export const noFaults: Faults = {
  drop: 0,
  duplicate: 0,
  reorder: 0,
  garbage: 0,
  clockSkew: 0,
  alarm: 0,
  refuse: 0,
  mute: 0,
  wrongMeter: 0,
  backwards: 0,
  zeroBaseline: 0,
  lateBill: 0,
  repeatBill: 0,
  offline: 0,
  lateStart: 0,
}

/** What will go wrong with a charge, if anything. */
export function chargeFault(faults: Faults, random: () => number): ChargeFault | undefined {
  let left = random()
  return chargeFaults.find((name) => (left -= faults[name]) < 0)
}

/** 'drop:0.01,garbage:0.02' */
export function parseFaults(text: string): Faults {
  const faults = { ...noFaults }
  for (const part of text.split(',').filter((one) => one !== '')) {
    const [name = '', share = ''] = part.split(':')
    const often = Number(share)
    if (!(name in faults) || !(often >= 0 && often <= 1)) throw new Error(`no fault: ${part}`)
    faults[name as keyof Faults] = often
  }
  return faults
}

/** Small, fast and repeatable: a run is made again by its seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
