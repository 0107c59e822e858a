import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'

/** Everything CI runs, in the order in which mistakes are cheapest to find. Ends with one line: N passed, N failed. */
const only = process.argv.slice(2)
mkdirSync('.cache', { recursive: true })

type Step = { name: string; args: string[]; results?: string }
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
  vitest('tests', ['unit', 'console', 'server', 'alone']),
  { name: 'build', args: [bin('vite'), 'build', 'apps/console'] },
  { name: 'sizes', args: [process.execPath, 'tools/check-sizes.ts'] },
  vitest('e2e', ['e2e']),
]

let passed = 0
let failed = 0
for (const { name, args, results } of steps) {
  if (only.length > 0 && !only.includes(name)) continue
  if (results !== undefined) rmSync(results, { force: true })
  const started = Date.now()
  console.log(`\n── ${name}`)
  const [command = '', ...rest] = args
  const { status } = spawnSync(command, rest, {
    stdio: 'inherit',
    env: { ...process.env, PATH: `node_modules/.bin:${process.env['PATH'] ?? ''}` },
  })
  const counts =
    results === undefined ? { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 } : countTests(results, status)
  passed += counts.passed
  failed += counts.failed
  console.log(`── ${name}: ${counts.failed === 0 ? 'ok' : 'FAILED'} in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

/** A runner that failed without a failed test (a crash, a hook, an unhandled error) is a failure all the same. */
function countTests(file: string, status: number | null): { passed: number; failed: number } {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(file, 'utf8')) as {
      numPassedTests: number
      numFailedTests: number
    }
    const none = numPassedTests === 0
    return { passed: numPassedTests, failed: status === 0 && !none ? numFailedTests : Math.max(1, numFailedTests) }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
