/** One command of the check. `projects` names the Vitest projects of a test phase, `files` limits it to some. */
export type Phase = { name: string; args: string[]; projects?: string[] }
/** Phases of one lane run one after the other; lanes of one stage run side by side; stages run in order. */
export type Stage = { lanes: Phase[][] }

const bin = (name: string) => `node_modules/.bin/${name}`
const node = (...args: string[]) => [process.execPath, ...args]

export const reportFile = (name: string) => `.cache/${name}.json`

export const vitestArgs = (name: string, projects: readonly string[], files: readonly string[] = []): string[] => [
  bin('vitest'),
  'run',
  ...projects.flatMap((project) => ['--project', project]),
  ...files,
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportFile(name)}`,
]
export const testPhase = (name: string, projects: string[], files: readonly string[] = []): Phase => ({
  name,
  args: vitestArgs(name, projects, files),
  projects,
})

export const phases = {
  format: { name: 'format', args: [bin('oxfmt'), '--check'] },
  types: { name: 'types', args: [bin('tsc'), '-b'] },
  lint: { name: 'lint', args: [bin('oxlint'), '--type-aware', '--deny-warnings'] },
  registry: { name: 'registry', args: node('tools/check/registry.ts', '--verify') },
  layout: { name: 'layout', args: node('tools/check/check-layout.ts') },
  dead: { name: 'dead', args: [bin('knip')] },
  dbTypes: { name: 'db-types', args: node('tools/check/gen-db-types.ts', '--verify') },
  spec: { name: 'spec', args: node('tools/check/spec.ts') },
  rules: { name: 'rules', args: node('tools/check/spec.ts', '--rules') },
  docs: { name: 'docs', args: node('tools/check/docs.ts', '--verify') },
  build: { name: 'build', args: [bin('vite'), 'build', 'apps/console'] },
  sizes: { name: 'sizes', args: node('tools/check/check-sizes.ts') },
  tests: testPhase('tests', ['unit', 'console', 'server']),
  chaos: testPhase('chaos', ['chaos']),
  browser: testPhase('browser', ['e2e', 'pages']),
} satisfies Record<string, Phase>

/** The gate and the full run: the cheapest checks first. The chaos runs mostly wait, so they run beside the tests. */
export const allStages: Stage[] = [
  {
    lanes: [
      [phases.format, phases.types, phases.registry, phases.layout, phases.spec, phases.rules, phases.docs],
      [phases.lint, phases.build, phases.sizes, phases.dead, phases.dbTypes],
    ],
  },
  { lanes: [[phases.tests], [phases.chaos]] },
  { lanes: [[phases.browser]] },
]

/** Only the named phases, in the same order, one after the other. */
export function pickPhases(names: readonly string[]): Stage[] {
  const allPhases = allStages.flatMap(({ lanes }) => lanes.flat())
  const unknown = names.filter((name) => !allPhases.some((phase) => phase.name === name))
  if (unknown.length > 0)
    throw new Error(`unknown phase ${unknown.join(', ')}; there are ${allPhases.map(({ name }) => name).join(', ')}`)
  return [{ lanes: [allPhases.filter(({ name }) => names.includes(name))] }]
}
