/** Probabilities, from 0 to 1, of network and device faults. */
export type Faults = {
  drop: number
  duplicate: number
  /** Delayed, so that a later message overtakes it. */
  reorder: number
  garbage: number
  /** Devices whose clock is wrong, by up to a year. */
  clockSkew: number
  alarm: number
  /** Devices that refuse every command. */
  refuse: number
  /** Devices that receive commands but neither answer nor execute them. */
  mute: number
} & Record<ChargeFault, number>

/** Faults of a charge, at most one per charge. */
const chargeFaults = [
  /** The bill states more energy than the port can deliver. */
  'wrongMeter',
  /** One report is too high, and the next one falls below it. */
  'backwards',
  /** The bill states a meter start of 0, with a car charger. */
  'zeroBaseline',
  /** The connection is lost before the bill, which follows after the reconnect. */
  'lateBill',
  /** The bill is sent three times. */
  'repeatBill',
  /** The connection is lost in the middle of the charge. */
  'offline',
  /** The charge starts, but is reported only after the platform's start timeout. */
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

/** Draws the fault of a charge, if any. */
export function chargeFault(faults: Faults, random: () => number): ChargeFault | undefined {
  let remaining = random()
  return chargeFaults.find((name) => (remaining -= faults[name]) < 0)
}

/** Parses a list such as 'drop:0.01,garbage:0.02'. */
export function parseFaults(text: string): Faults {
  const faults = { ...noFaults }
  for (const part of text.split(',').filter((one) => one !== '')) {
    const [name = '', share = ''] = part.split(':')
    const often = Number(share)
    if (!(name in faults) || !(often >= 0 && often <= 1)) throw new Error(`invalid fault: ${part}`)
    faults[name as keyof Faults] = often
  }
  return faults
}

/** A small, fast random generator (mulberry32); a seed reproduces a run. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
