import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { selectChanged } from './changed.ts'
import { allStages, type Phase, pickPhases, reportFile, type Stage, vitestArgs } from './phases.ts'
import { printTable } from './print-table.ts'
import { measure, runCommand, type Usage } from './run-command.ts'
import { type Failure, readReport, shortReason, type TestCounts } from './test-report.ts'
import { readSelection, sampledFile, selectionEnv } from './tier.ts'
import { startOwnPostgres } from '../dev/local-services.ts'
import { makeClock } from '../dev/moved-clock.ts'

/**
 * `npm run check` is the gate before every merge. `-- --full` runs everything at full size, `-- --changed` the scope of
 * a change, `-- types lint` the named phases, `-- --at=2027-01-01T00:20 tests` the tests with clocks that begin at that
 * time in Shanghai. It ends with one line: N passed, N failed.
 */
const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('--'))
const selection = readSelection({ ...process.env, ...(args.includes('--full') ? { CHECK_TIER: 'full' } : {}) })
const runName = process.env['TEST_RUN'] ?? 'wattdeck_check'
const evidence = '.cache/evidence'
Object.assign(process.env, selectionEnv(selection), { CHECK_RUN: '1' })

type Done = { phase: Phase; usage: Usage; passed: number; failures: Failure[]; files: TestCounts['files'] }
const done: Done[] = []
const stepHead = ['phase', 'seconds', 'CPU s', 'passed', 'failed', '']
const sampleHead = ['what', 'taken', 'of', '']
const verdicts: string[] = []

mkdirSync('.cache', { recursive: true })
for (const old of [sampledFile, evidence]) rmSync(old, { recursive: true, force: true })
const stages = await chooseStages()
const at = args.find((arg) => arg.startsWith('--at='))?.slice('--at='.length)
if (at !== undefined) startClockAt(at)
// Tests create and drop hundreds of databases, which alone takes minutes on a server that waits for the disk.
const postgres = await startOwnPostgres('ephemeral')
process.env['POSTGRES'] = postgres.at
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void postgres.stop().then(() => process.exit(1)))

const used = measure()
for (const { lanes } of stages) await Promise.all(lanes.map(runLane))
await rerunFailures()
await postgres.stop()
report(used())

/** For the database and all processes that start from now on. */
function startClockAt(shanghaiTime: string): void {
  const clock = makeClock()
  clock.moveTo(Date.parse(`${shanghaiTime}+08:00`))
  Object.assign(process.env, clock.env)
}

async function chooseStages(): Promise<Stage[]> {
  if (names.length > 0) return pickPhases(names)
  if (!args.includes('--changed')) return allStages
  const since = args.find((arg) => arg.startsWith('--since='))?.slice('--since='.length)
  const changed = await selectChanged(since)
  Object.assign(process.env, changed.env)
  for (const line of changed.explanation) console.log(line)
  return changed.stages
}

async function runLane(lane: readonly Phase[]): Promise<void> {
  for (const phase of lane) await runPhase(phase)
}

async function runPhase(phase: Phase): Promise<void> {
  if (phase.projects !== undefined) rmSync(reportFile(phase.name), { force: true })
  const usedByPhase = measure()
  console.log(`── ${phase.name} begins`)
  const { status, output } = await runCommand(phase.args, {
    env: { TEST_RUN: `${runName}_${phase.name.replaceAll('-', '_')}` },
    logFile: `${evidence}/${phase.name}.log`,
  })
  const usage = usedByPhase()
  const counts: Omit<TestCounts, 'files'> & { files?: TestCounts['files'] } =
    phase.projects === undefined
      ? {
          passed: status === 0 ? 1 : 0,
          failures: status === 0 ? [] : [{ file: '', title: phase.name, reason: output }],
        }
      : readReport(reportFile(phase.name), status)
  done.push({ phase, usage, passed: counts.passed, failures: counts.failures, files: counts.files ?? [] })
  const outcome = counts.failures.length === 0 ? 'ok' : 'FAILED'
  console.log(`── ${phase.name}: ${outcome} in ${usage.seconds.toFixed(1)} s`)
  if (counts.failures.length > 0) console.log(output.slice(-20_000))
}

/** A failed test runs once more with logs and traces. The gate stays red in any case: a flaky test is a defect, too. */
async function rerunFailures(): Promise<void> {
  for (const { phase, failures } of done) {
    const files = [...new Set(failures.map(({ file }) => file))].filter((file) => file !== '').slice(0, 10)
    if (phase.projects === undefined || files.length === 0) continue
    const name = `${phase.name}-again`
    console.log(`── ${name}: ${files.join(' ')}`)
    const { status } = await runCommand(vitestArgs(name, phase.projects, files), {
      env: {
        TEST_RUN: `${runName}_${phase.name.replaceAll('-', '_')}_again`,
        TEST_LOG: 'info',
        CHECK_TRACES: `${evidence}/traces`,
      },
      logFile: `${evidence}/${name}.log`,
    })
    const again = readReport(reportFile(name), status).failures
    for (const { file, title } of failures.filter((failure) => files.includes(failure.file))) {
      const twice = again.some((failure) => failure.file === file && failure.title === title)
      verdicts.push(`${twice ? 'failed twice' : 'passed when run again'}: ${file}: ${title}`)
    }
  }
}

function report(total: Usage): void {
  const steps = done.map(({ phase, usage, passed, failures }): (string | number)[] => [
    phase.name,
    usage.seconds,
    usage.cpuSeconds,
    String(passed),
    String(failures.length),
    usage.stolenPercent < 5 ? '' : `${usage.stolenPercent} % of the processors taken by other machines`,
  ])
  printTable('Phases (CPU of the whole machine: phases that run side by side count each other)', stepHead, [
    ...steps,
    ['all', total.seconds, total.cpuSeconds, '', '', ''],
  ])
  const slowest = done
    .flatMap(({ files }) => files)
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 10)
  printTable(
    'The ten slowest files',
    ['file', 'seconds', 'tests'],
    slowest.map(({ file, seconds, tests }) => [file, seconds, String(tests)]),
  )
  printTable(
    `Sampled by tier ${selection.tier}, seed ${selection.seed}, turn ${selection.turn}`,
    sampleHead,
    readSamples(),
  )
  const failures = done.flatMap(({ failures: some, phase }) => some.map((failure) => ({ ...failure, phase })))
  // Repeats the reason and the command at the end, because the first report may be far up.
  for (const { file, title, reason, phase } of failures) {
    console.log(`\nfailed: ${file === '' ? phase.name : file}: ${title}\n${shortReason(reason)}`)
    const env = Object.entries(selectionEnv(selection)).map(([name, value]) => `${name}=${value}`)
    if (phase.projects !== undefined && file !== '')
      console.log(`  repeat: ${env.join(' ')} npm test -- ${file} -t ${JSON.stringify(title)}`)
  }
  for (const verdict of verdicts) console.log(verdict)
  if (failures.length > 0) console.log(`evidence: ${evidence}`)
  const passed = done.reduce((sum, one) => sum + one.passed, 0)
  console.log(`\n${passed} passed, ${failures.length} failed`)
  process.exitCode = failures.length === 0 ? 0 : 1
}

function readSamples(): string[][] {
  if (!existsSync(sampledFile)) return []
  const lines = readFileSync(sampledFile, 'utf8').trim().split('\n')
  return lines
    .map((line) => JSON.parse(line) as { what: string; taken: number; of: number })
    .map(({ what, taken, of }) => [what, String(taken), String(of), `${((taken * 100) / of).toFixed(0)} %`])
}
