import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'

/**
 * The coverage of a run. The gate samples checks that are too expensive to run before every merge; `--full` runs all of
 * them. The sample is a function of the commit, so a failure can be repeated with the three variables below.
 */
type Tier = 'gate' | 'full'
export type Selection = { tier: Tier; seed: string; turn: number }

export const sampledFile = '.cache/sampled.jsonl'

const git = (...args: string[]): string => {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

/** The seed picks values at random; the turn picks slices in order, so that consecutive merges cover all of them. */
export function readSelection(env: Record<string, string | undefined> = process.env): Selection {
  return {
    tier: env['CHECK_TIER'] === 'full' ? 'full' : 'gate',
    seed: env['CHECK_SEED'] ?? (git('rev-parse', '--short=12', 'HEAD') || 'none'),
    turn: Number(env['CHECK_TURN'] ?? (git('rev-list', '--first-parent', '--count', 'HEAD') || 0)),
  }
}

/** Exported to the processes of the run, which must agree on the sample. */
export const selectionEnv = ({ tier, seed, turn }: Selection) => ({
  CHECK_TIER: tier,
  CHECK_SEED: seed,
  CHECK_TURN: String(turn),
})

const selection = readSelection()
const { tier } = selection
export const atTier = <T>(gate: T, full: T): T => (tier === 'full' ? full : gate)

/** The items of slice number `turn`, when every item belongs to one of `slices` slices. */
export const sliceOf = <T>(items: readonly T[], slices: number, turn: number): T[] =>
  items.filter((_, place) => (place + turn) % slices === 0)

/** One slice of the items in the gate, all of them in a full run. */
export const turnSlice = <T>(items: readonly T[], slices: number): T[] =>
  tier === 'full' ? [...items] : sliceOf(items, slices, selection.turn)

/** The same, recorded for the report of the run. */
export function rotate<T>(what: string, items: readonly T[], slices: number): T[] {
  const sample = turnSlice(items, slices)
  recordSample(what, sample.length, items.length)
  return sample
}

/** Feeds the table of the parts that the gate left to other commits. */
export function recordSample(what: string, taken: number, of: number): void {
  if (process.env['CHECK_RUN'] === undefined) return
  mkdirSync('.cache', { recursive: true })
  appendFileSync(sampledFile, `${JSON.stringify({ what, taken, of })}\n`)
}

/** A number derived from the commit and a name: another one at each commit, the same one when the run is repeated. */
export const seedNumber = (name: string): number =>
  createHash('sha256').update(`${selection.seed} ${name}`).digest().readUInt32BE()

/** `count` different items, drawn by the commit. */
export function draw<T>(name: string, items: readonly T[], count: number): T[] {
  const rest = [...items]
  const sample: T[] = []
  for (let state = seedNumber(name); sample.length < count && rest.length > 0;) {
    // A linear congruential generator is random enough to choose test inputs.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    sample.push(...rest.splice(state % rest.length, 1))
  }
  return sample
}

/** The features of a change; loops over routes and pages are then limited to them. Empty: all. */
const onlyFeatures = new Set((process.env['CHECK_FEATURES'] ?? '').split(',').filter(Boolean))
export const looksAtAll = onlyFeatures.size === 0
export const isInScope = (feature: string): boolean => looksAtAll || onlyFeatures.has(feature)
