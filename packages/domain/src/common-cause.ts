/**
 * Why devices fail together. Each device has a value in some dimensions (site, carrier, firmware …); a cause is one
 * value. Naming a cause costs as many nats as it takes to say which one is meant; what it pays is how much better the
 * failures are foretold when devices with this value have a rate of their own. The causes that pay most are taken, one
 * after the other, until none pays: the fewest that cover what is no coincidence. What is left are failures by themselves.
 */
export type Traits = Readonly<Record<string, string | null>>
export type Failing = { id: string; traits: Traits }
/** How many devices there are, and how many have each value: dimension, then value. */
export type Fleet = { total: number; counts: ReadonlyMap<string, ReadonlyMap<string, number>> }
export type Cause = {
  dimension: string
  value: string
  /** The failing devices that it explains. */
  ids: string[]
  /** How many devices have the value at all. */
  fleet: number
  score: number
}

/** Fewer than this is no pattern, whatever the numbers say. */
const fewestDevices = 3
/** Of those that a cause could have hit, at least this part must fail. */
const leastShare = 0.2
/** And so many times more of them than elsewhere. */
const leastContrast = 3
/** What a cause must pay beyond its name. */
const margin = 3

/** `dimensions` are in the order in which they are believed when two explain the same. */
export function commonCauses(failing: readonly Failing[], fleet: Fleet, dimensions: readonly string[]): Cause[] {
  const causes: Cause[] = []
  let left = failing
  let devices = fleet.total
  for (;;) {
    const best = bestCause(left, devices, fleet, dimensions)
    if (best === undefined) return causes
    causes.push(best)
    const explained = new Set(best.ids)
    left = left.filter(({ id }) => !explained.has(id))
    // What is explained has no part in the next question.
    devices -= explained.size
  }
}

function bestCause(left: readonly Failing[], devices: number, fleet: Fleet, dimensions: readonly string[]) {
  let best: Cause | undefined
  for (const [place, dimension] of dimensions.entries()) {
    const counts = fleet.counts.get(dimension)
    // A dimension in which all are alike tells nothing.
    if (counts === undefined || counts.size === 0) continue
    const price = margin + Math.log(dimensions.length) + Math.log(counts.size) + place * 0.1
    for (const [value, ids] of byValue(left, dimension)) {
      const known = counts.get(value) ?? 0
      const score = gain(ids.length, Math.max(known, ids.length), left.length, devices) - price
      if (score > 0 && (best === undefined || score > best.score))
        best = { dimension, value, ids, fleet: Math.max(known, ids.length), score }
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

/** How much better two rates foretell the failures than one: `hit` of `inside` against the rest of `all` in `devices`. */
function gain(hit: number, inside: number, all: number, devices: number): number {
  const outside = Math.max(devices - inside, 0)
  const share = hit / inside
  // A little more than was seen: nobody knows that nothing fails elsewhere.
  const elsewhere = (all - hit + 0.5) / (outside + 1)
  if (hit < fewestDevices || share < leastShare || share < elsewhere * leastContrast) return 0
  return (
    logLikelihood(hit, inside) + logLikelihood(all - hit, outside) - logLikelihood(all, Math.max(devices, all, inside))
  )
}

/** Of so many successes in so many trials, at the rate that fits best. */
function logLikelihood(successes: number, trials: number): number {
  if (trials <= 0 || successes <= 0 || successes >= trials) return 0
  const rate = successes / trials
  return successes * Math.log(rate) + (trials - successes) * Math.log(1 - rate)
}
