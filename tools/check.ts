import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { startOwnPostgres } from './own-engines.ts'

/** Everything CI runs, in the order in which mistakes are cheapest to find. Ends with one line: N passed, N failed. */
const only = process.argv.slice(2)
mkdirSync('.cache', { recursive: true })

type Step = { name: string; args: string[]; results?: string }
type Counts = { passed: number; failed: number; names?: string[] }
const bin = (name: string) => `node_modules/.bin/${name}`
const vitest = (name: string, projects: string[]): Step => ({
  name,
  args: [
    bin('vitest'),
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=.cache/${name}.json`,
  ],
  results: `.cache/${name}.json`,
})
const steps: Step[] = [
  { name: 'format', args: [bin('oxfmt'), '--check'] },
  { name: 'types', args: [bin('tsc'), '-b'] },
  { name: 'lint', args: [bin('oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'layout', args: [process.execPath, 'tools/check-layout.ts'] },
  { name: 'dead', args: [bin('knip')] },
  { name: 'db-types', args: [process.execPath, 'tools/gen-db-types.ts', '--verify'] },
  { name: 'spec', args: [process.execPath, 'tools/spec.ts'] },
  { name: 'rules', args: [process.execPath, 'tools/spec.ts', '--rules'] },
  { name: 'build', args: [bin('vite'), 'build', 'apps/console'] },
  { name: 'sizes', args: [process.execPath, 'tools/check-sizes.ts'] },
  vitest('tests', ['unit', 'console', 'server']),
  vitest('waiting', ['waiting']),
  vitest('chaos', ['chaos']),
  vitest('alone', ['alone']),
  vitest('pages', ['pages']),
  vitest('e2e', ['e2e']),
]

/** Tests make and drop hundreds of databases: on a server that waits for the disk, that alone takes minutes. */
const postgres = await startOwnPostgres('forgetful')
process.env['POSTGRES'] = postgres.at
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void postgres.stop().then(() => process.exit(1)))

const total = { passed: 0, failed: 0, names: [] as string[] }
for (const step of steps) if (only.length === 0 || only.includes(step.name)) await run(step)
await postgres.stop()

async function run({ name, args, results }: Step): Promise<void> {
  if (results !== undefined) rmSync(results, { force: true })
  const started = Date.now()
  const before = readTicks()
  console.log(`\n── ${name}`)
  const status = await runProcess(args)
  const taken = takenSince(before)
  const ended: Counts = { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 }
  const counts = results === undefined ? ended : countTests(results, status)
  total.passed += counts.passed
  total.failed += counts.failed
  if (counts.failed > 0) total.names.push(...(counts.names ?? [name]))
  const took = ((Date.now() - started) / 1000).toFixed(1)
  console.log(`── ${name}: ${counts.failed === 0 ? 'ok' : 'FAILED'} in ${took} s${taken}`)
}

function readTicks(): number[] {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  return line.split(/\s+/).slice(1, 9).map(Number)
}
/** Other guests of the same machine slow everything down: whoever reads of a time that was exceeded should know. */
function takenSince(before: readonly number[]): string {
  const spent = readTicks().map((ticks, at) => ticks - (before[at] ?? 0))
  const [stolen = 0, all] = [spent[7], spent.reduce((sum, ticks) => sum + ticks, 0)]
  const percent = all === 0 ? 0 : Math.round((stolen * 100) / all)
  return percent < 5 ? '' : `, ${percent} % of the processors taken by others`
}

function runProcess([command = '', ...rest]: string[]): Promise<number | null> {
  const child = spawn(command, rest, {
    stdio: 'inherit',
    env: { ...process.env, PATH: `node_modules/.bin:${process.env['PATH'] ?? ''}` },
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
}

type Outcome = { status: string; fullName: string; failureMessages: string[] }
type Report = {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; message: string; assertionResults: Outcome[] }[]
}

/** A runner that failed without a failed test (a crash, a hook, an unhandled error) is a failure all the same. */
function countTests(file: string, status: number | null): Counts {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report
    const none = numPassedTests === 0
    const names = testResults.flatMap(({ name, message, assertionResults }) => {
      const place = relative('.', name)
      const failed = assertionResults
        .filter(({ status: ended }) => ended === 'failed')
        .map(({ fullName, failureMessages }) => `${place}: ${fullName}\n${shortly(failureMessages.join('\n'))}`)
      // A file that failed by a hook or at its loading has a message of its own and no failed test.
      return message === '' || failed.length > 0 ? failed : [`${place}\n${shortly(message)}`]
    })
    return {
      passed: numPassedTests,
      failed: status === 0 && !none ? numFailedTests : Math.max(1, numFailedTests),
      ...(names.length === 0 ? {} : { names }),
    }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/** What was found wrong, without the rest of a long stack. */
function shortly(message: string): string {
  const lines = stripVTControlCharacters(message).split('\n')
  return lines
    .slice(0, 12)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n')
}

// Once more at the end, with the reason: what stands further up may be far away.
for (const name of total.names) console.log(`failed: ${name}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
