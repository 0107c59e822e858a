import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { importersOf } from './import-graph.ts'
import { type Phase, phases, type Stage, testPhase } from './phases.ts'

/**
 * The scope of a change. A feature has the same name in all folders; other files are followed along the import graph to
 * tests and features. Composition roots are not followed, because everything is behind them.
 */
const compositionRoots = [
  /^apps\/server\/src\/(?:app\/)?[^/]+\.ts$/,
  /^apps\/server\/test\/(?:harness\/(?:api|process)|every\/route-fixture)\.ts$/,
  /^packages\/contract\/src\/(?:all-routes|features\.gen)\.ts$/,
  /^apps\/console\/src\/(?:features\/(?:auth\/routes|screens|screens\.gen)|main)\.tsx?$/,
  /^(?:tools|bench)\//,
]
/** Enough for one feature in minutes. The remaining files are listed and left to the gate. */
const mostFiles = { server: 12, browser: 1 }

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

/** Against the given commit; else the uncommitted work; else, in a clean tree, the last commit. */
function changedFiles(since: string | undefined): string[] {
  const untracked = git('ls-files', '--others', '--exclude-standard')
  if (since !== undefined) return [...git('diff', '--name-only', since), ...untracked]
  const uncommitted = [...git('diff', '--name-only', 'HEAD'), ...untracked]
  return uncommitted.length > 0 ? uncommitted : git('diff', '--name-only', 'HEAD~1')
}

const camel = (kebab: string) => kebab.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const isTest = (file: string) => file.endsWith('.test.ts')
const isLoop = (file: string) => /^apps\/server\/test\/every\/every-|^packages\/contract\/test\/all-routes/.test(file)

function featureOf(file: string, features: ReadonlySet<string>): string | undefined {
  const [, inServer] = /^apps\/server\/src\/features\/[^/]+\/([^/_][^/]*)\//.exec(file) ?? []
  const [, named] =
    /^(?:packages\/contract\/src|apps\/console\/src\/features)\/[^/]+\/(?:[^/]+\/)?([^/.]+)\.[^/]+$/.exec(file) ?? []
  return [inServer, named].find((name) => name !== undefined && features.has(name))
}

/** Follows the importers of the changed files, nearest first. */
function reach(changed: readonly string[], importers: ReadonlyMap<string, string[]>): string[] {
  const seen = new Set(changed)
  for (const file of seen) {
    if (compositionRoots.some((pattern) => pattern.test(file)) && !changed.includes(file)) continue
    for (const importer of importers.get(file) ?? []) seen.add(importer)
  }
  return [...seen]
}

export async function selectChanged(since: string | undefined) {
  const changed = changedFiles(since).filter((file) => existsSync(file))
  const tracked = git('ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx').filter((file) =>
    existsSync(file),
  )
  const importers = importersOf(tracked)
  const features = new Set(
    tracked.flatMap((file) => /^apps\/server\/src\/features\/[^/]+\/([^/_][^/]*)\//.exec(file)?.[1] ?? []),
  )
  const reached = reach(changed, importers)
  const own = new Set(changed.flatMap((file) => featureOf(file, features) ?? []))
  const near = new Set(reached.flatMap((file) => featureOf(file, features) ?? []))
  const tests = tracked.filter(isTest)
  const named = tests.filter((file) => [...near].some((name) => new RegExp(`/${name}[/.]`).test(file)))
  const ofFeature = (file: string) => Number(![...own].some((name) => file.includes(`/${name}`)))
  const selected = [...new Set([...changed.filter(isTest), ...named, ...reached.filter(isTest)])].filter(
    (file) => !isLoop(file) && !file.endsWith('.chaos.test.ts'),
  )
  const nearest = selected.toSorted((a, b) => ofFeature(a) - ofFeature(b))
  const light = nearest.filter((file) => /^(?:packages|apps\/console|tools)\//.test(file))
  const server = nearest.filter((file) => /^apps\/(?!console)/.test(file))
  const mentions = (file: string) => {
    const text = readFileSync(file, 'utf8')
    return [...own].some((name) => text.includes(`/${name}.ts'`) || text.includes(`/${camel(name)}`))
  }
  const browser = tests.filter((file) => file.startsWith('e2e/') && (changed.includes(file) || mentions(file)))
  const loops = own.size > 0 || changed.some((file) => file.endsWith('.sql')) ? tests.filter(isLoop) : []
  const ofSchema = ['apps/server/test/every/tenant-tables.test.ts', 'apps/server/test/runtime/upgrade.test.ts']
  const tables = changed.some((file) => file.endsWith('.sql')) ? ofSchema : []
  const lookAt = changed.some((file) => /^apps\/console\/.*\.(?:tsx|css)$/.test(file))

  const run = [...light, ...loops, ...tables, ...server.slice(0, mostFiles.server)]
  const opened =
    lookAt || browser.length > 0 ? [...browser.slice(0, mostFiles.browser), 'e2e/open-every-page.test.ts'] : []
  const lint = { ...phases.lint, args: [...phases.lint.args, ...changed.filter((file) => /\.tsx?$/.test(file))] }
  const lanes: Phase[][] = [
    [phases.format, phases.types, phases.spec],
    opened.length > 0 ? [lint, phases.build] : [lint, phases.layout],
  ]
  const stages: Stage[] = [{ lanes }]
  if (run.length > 0) stages.push({ lanes: [[testPhase('tests', ['unit', 'console', 'server'], run)]] })
  if (opened.length > 0) stages.push({ lanes: [[testPhase('browser', ['e2e', 'pages'], opened)]] })
  const skipped = [...server.slice(mostFiles.server), ...browser.slice(mostFiles.browser)]
  return {
    stages,
    // The loops over routes and pages are limited to these features.
    env: { CHECK_FEATURES: [...own].map(camel).join() },
    explanation: [
      `changed: ${changed.length} files; features: ${[...own].join(', ') || 'none'}`,
      `runs: ${[...run, ...opened].join(' ') || 'no test'}`,
      ...(skipped.length === 0 ? [] : [`left to the gate: ${skipped.length} files: ${skipped.join(' ')}`]),
    ],
  }
}
