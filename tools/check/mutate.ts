import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { type Mutation, mutations } from './mutations.ts'
import { allStages, vitestArgs } from './phases.ts'
import { runCommand } from './run-command.ts'
import { startOwnPostgres } from '../dev/local-services.ts'

/**
 * `npm run mutate`: applies each fault of tools/check/mutations.ts to the working tree, runs the part of the gate that
 * must fail, and reverts the fault. `-- scope lock` applies those whose name contains one of the words.
 */
const words = process.argv.slice(2)
const chosen = mutations.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
const dirty = execFileSync('git', [
  'status',
  '--porcelain',
  '--',
  ...new Set(chosen.map(({ file }) => file)),
]).toString()
if (dirty !== '') throw new Error(`commit these files first; mutations change them:\n${dirty}`)

// Restores the working tree when the run is interrupted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const postgres = await startOwnPostgres('ephemeral')
process.env['POSTGRES'] = postgres.at
if (!(await isGreen())) throw new Error('the tests fail without a mutation, so a run proves nothing')
const missed: string[] = []
for (const mutation of chosen) {
  const caught = await isCaught(mutation)
  console.log(`${caught ? 'caught' : 'MISSED'}: ${mutation.name} (${where(mutation)})`)
  if (!caught) missed.push(mutation.name)
}
await postgres.stop()
console.log(`\n${chosen.length - missed.length} of ${chosen.length} caught`)
process.exitCode = missed.length === 0 ? 0 : 1

async function isCaught(mutation: Mutation): Promise<boolean> {
  const text = readFileSync(mutation.file, 'utf8')
  if (text.split(mutation.from).length !== 2)
    throw new Error(`${mutation.file} must contain exactly once: ${mutation.from}`)
  const restore = () => writeFileSync(mutation.file, text)
  process.once('exit', restore)
  try {
    writeFileSync(
      mutation.file,
      text.replace(mutation.from, () => mutation.to),
    )
    const { status } = await runCommand(commandOf(mutation), { env: { TEST_RUN: 'wattdeck_mutate' } })
    return status !== 0
  } finally {
    restore()
    process.off('exit', restore)
  }
}

/** The control: without a fault the same tests pass. */
async function isGreen(): Promise<boolean> {
  const tests = chosen.flatMap(({ caughtBy }) => ('project' in caughtBy ? [caughtBy] : []))
  const projects = [...new Set(tests.map(({ project }) => project))]
  const files = [...new Set(tests.map(({ test }) => test))]
  const { status } = await runCommand(vitestArgs('mutation', projects, files), { env: { TEST_RUN: 'wattdeck_mutate' } })
  return status === 0
}

function commandOf({ caughtBy }: Mutation): string[] {
  if ('project' in caughtBy) return [...vitestArgs('mutation', [caughtBy.project], [caughtBy.test]), '--bail=1']
  const phase = allStages.flatMap(({ lanes }) => lanes.flat()).find(({ name }) => name === caughtBy.phase)
  if (phase === undefined) throw new Error(`unknown phase ${caughtBy.phase}`)
  return phase.args
}

function where({ caughtBy }: Mutation): string {
  return 'phase' in caughtBy ? caughtBy.phase : caughtBy.test
}
