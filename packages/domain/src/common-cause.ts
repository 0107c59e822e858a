/**
 * Finds the common causes of device failures. Each device has a value in some dimensions (site, carrier, firmware …); a
 * cause is one value. Naming a cause costs as many nats as its identification takes. Its gain is the increase in the
 * log likelihood of the failures when devices with this value have their own rate. A greedy search selects the cause
 * with the largest gain until no gain exceeds its cost. The remaining failures have no common cause.
 */
export type Traits = Readonly<Record<string, string | null>>
export type Failing = { id: string; traits: Traits }
/** The total number of devices, and their number by dimension, then value. */
export type Fleet = { total: number; counts: ReadonlyMap<string, ReadonlyMap<string, number>> }
export type Cause = {
  dimension: string
  value: string
  /** The failing devices that the cause explains. */
  ids: string[]
  /** The number of devices in the fleet with this value. */
  fleet: number
  score: number
}

/** The minimum number of devices of a cause. */
const fewestDevices = 3
/** The minimum share of failures among the devices with the value. */
const leastShare = 0.2
/** The minimum ratio of this share to the share elsewhere. */
const leastContrast = 3
/** The minimum gain of a cause beyond its cost. */
const margin = 3

/** `dimensions` is the order of preference when two causes explain the same failures. */
export function commonCauses(failing: readonly Failing[], fleet: Fleet, dimensions: readonly string[]): Cause[] {
  const causes: Cause[] = []
  let unexplained = failing
  let devices = fleet.total
  for (;;) {
    const best = bestCause(unexplained, devices, fleet, dimensions)
    if (best === undefined) return causes
    causes.push(best)
    const explained = new Set(best.ids)
    unexplained = unexplained.filter(({ id }) => !explained.has(id))
    // Explained devices are removed before the next cause is searched.
    devices -= explained.size
  }
}

function bestCause(unexplained: readonly Failing[], devices: number, fleet: Fleet, dimensions: readonly string[]) {
  let best: Cause | undefined
  for (const [place, dimension] of dimensions.entries()) {
    const counts = fleet.counts.get(dimension)
    // A dimension without values in the fleet cannot explain anything.
    if (counts === undefined || counts.size === 0) continue
    const price = margin + Math.log(dimensions.length) + Math.log(counts.size) + place * 0.1
    for (const [value, ids] of byValue(unexplained, dimension)) {
      const fleetCount = counts.get(value) ?? 0
      const score = gain(ids.length, Math.max(fleetCount, ids.length), unexplained.length, devices) - price
      if (score > 0 && (best === undefined || score > best.score))
        best = { dimension, value, ids, fleet: Math.max(fleetCount, ids.length), score }
    }
  }
  return best
}

function byValue(failing: readonly Failing[], dimension: string): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const { id, traits } of failing) {
    const value = traits[dimension]
    if (value === null || value === undefined) continue
    const ids = values.get(value)
    if (ids === undefined) values.set(value, [id])
    else ids.push(id)
  }
  return values
}

/** The increase in log likelihood when `hit` of `inside` and the rest of `all` in `devices` have separate rates. */
function gain(hit: number, inside: number, all: number, devices: number): number {
  const outside = Math.max(devices - inside, 0)
  const share = hit / inside
  // Smoothing: zero observed failures do not prove a rate of zero.
  const elsewhere = (all - hit + 0.5) / (outside + 1)
  if (hit < fewestDevices || share < leastShare || share < elsewhere * leastContrast) return 0
  return (
    logLikelihood(hit, inside) + logLikelihood(all - hit, outside) - logLikelihood(all, Math.max(devices, all, inside))
  )
}

/** The log likelihood of the successes at the maximum-likelihood rate. */
function logLikelihood(successes: number, trials: number): number {
  if (trials <= 0 || successes <= 0 || successes >= trials) return 0
  const rate = successes / trials
  return successes * Math.log(rate) + (trials - successes) * Math.log(1 - rate)
}
