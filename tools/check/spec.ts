import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { judge } from './content-verdict.ts'
import { callerFinder, testedFunctions } from './rule-callers.ts'
import { checkContent, readLists } from './spec-content.ts'
import { type Line, readCsv, root } from './spec-csv.ts'
import { testTitles } from './test-titles.ts'

/**
 * The built part of the specification: `npm run spec`. With `-- --missing` also the missing part, with `-- --content`
 * every line that waits for a capability, with `-- --rules` every rule and its tests. The lists are in docs/spec. The
 * last bullet of 'Navigation guard' (icon names hint at mobile screens) is no line of rules.csv. It names no behaviour,
 * and states that no route is shown.
 */
type Screen = { name: string; path: string; title: string; centre: string; menuKey?: string; lazy?: () => unknown }

const consoleSource = join(root, 'apps/console/src')
const problems: string[] = []

/** The specification lists login and public screens under `public`. */
const centreOf = (screen: Screen) => (screen.centre === 'auth' ? 'public' : screen.centre)

/** Wire words are misspelt in places; a path that differs only in case or in a parameter's name counts as the same. */
const loosely = (path: string) => path.toLowerCase().replaceAll(/\{\w+\}/g, '{}')

function callIsBuilt(call: Line): boolean {
  const expected = `${call['method']} ${call['path']} ${call['encoding']} ${call['timeout_s']}s`
  const near = allRoutes.filter(({ route }) => loosely(route.path) === loosely(call['path'] ?? ''))
  const found = near.map(({ feature, name, route }) => ({
    where: `${feature}.${name}`,
    says: `${route.method} ${route.path} ${route.encoding} ${route.timeoutMs / 1000}s`,
  }))
  if (found.some(({ says }) => says === expected)) return true
  for (const { where, says } of found) problems.push(`${where} is ${says}, the specification says ${expected}`)
  return false
}

async function consoleScreens(): Promise<Map<string, Screen>> {
  const table = join(consoleSource, 'features/screens.ts')
  const { screens } = (await import(table)) as { screens: Screen[] }
  const byName = new Map(screens.map((screen) => [screen.name, screen]))
  if (byName.size !== screens.length) problems.push('a screen name stands twice in the route tables')
  return byName
}

/** A page is lazy, so that counting renders nothing: the file name is read from the import inside the function. */
function pageOf(screen: Screen): string | undefined {
  const file = /import\(\s*['"]([^'"]+)['"]\s*\)/.exec(String(screen.lazy))?.[1]
  const paths = ['features', 'features/auth'].map((at) => join(consoleSource, at, file ?? ''))
  const found = file === undefined ? undefined : paths.find((path) => existsSync(path))
  return found === undefined ? undefined : relative(root, found)
}

function screenIsBuilt(line: Line, screen: Screen | undefined): boolean {
  if (!screen) return false
  const { screen: name, centre, title, menu_key: group = '' } = line
  const differs = (what: string, is: string, expected: string) =>
    problems.push(`screen ${name}: ${what} is '${is}', the specification says '${expected}'`)
  if (centreOf(screen) !== centre) differs('centre', screen.centre, centre ?? '')
  // The helper route is never shown, so its title in the list is a remark in brackets.
  if (screen.title !== title && !title?.startsWith('(')) differs('title', screen.title, title ?? '')
  if (screen.menuKey && group && !`${screen.menuKey}.`.startsWith(`${group}.`))
    differs('menu key', screen.menuKey, group)
  if (pageOf(screen) !== undefined) return true
  problems.push(`screen ${name}: its page file does not exist`)
  return false
}

function printTally(what: string, column: string, lines: Line[], built: Set<Line>): void {
  console.log(`${what} built: ${built.size} / ${lines.length}`)
  for (const [group = '', members = []] of Map.groupBy(lines, (line) => line[column] ?? ''))
    console.log(
      `  ${group.padEnd(18)}${String(members.filter((line) => built.has(line)).length).padStart(4)} / ${members.length}`,
    )
}

/** Ids in brackets at the start of a test's title; a skipped test covers nothing. */
const titlePattern = /(?:\b(?:it|test)(?:\.(?!skip|todo)\w+)*|\))\(\s*['"`]((?:\[[a-z]+(?:\.[a-z\d-]+)+\]\s*)+)/g

const testFiles = () =>
  globSync('{packages,apps,e2e}/**/*.test.{ts,tsx}', { cwd: root, exclude: ['**/node_modules/**'] }).toSorted()

function testsByRule(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const file of testFiles())
    for (const [, ids = ''] of readFileSync(join(root, file), 'utf8').matchAll(titlePattern))
      for (const [, id = ''] of ids.matchAll(/\[([^\]]+)\]/g)) found.set(id, (found.get(id) ?? new Set()).add(file))
  return found
}

function printRules(): void {
  const rules = readCsv('rules.csv')
  const tests = testsByRule()
  for (const { id = '', text = '' } of rules) {
    const files = [...(tests.get(id) ?? [])]
    console.log(
      `${files.length > 0 ? 'tested ' : 'NO TEST'} ${id}: ${text}${files.map((file) => `\n          ${file}`).join('')}`,
    )
    if (files.length === 0) problems.push(`rule ${id} has no test`)
  }
  const ruleIds = new Set(rules.map(({ id }) => id))
  if (ruleIds.size !== rules.length) problems.push('a rule id stands twice in rules.csv')
  for (const [id, files] of tests)
    if (!ruleIds.has(id)) problems.push(`${[...files].join(', ')} names the unknown rule ${id}`)
  console.log(`rules tested: ${rules.filter(({ id = '' }) => tests.has(id)).length} / ${rules.length}`)
  judgeCallers(rules)
}

/** A rule whose function the product does not call is unused: it waits for a capability, or is open. */
function judgeCallers(rules: readonly Line[]): void {
  const ruleTests = testFiles().filter((file) => new RegExp(titlePattern).test(readFileSync(join(root, file), 'utf8')))
  const functions = testedFunctions(ruleTests)
  const isUsed = callerFinder()
  const { open, lists } = readLists()
  const results = rules.map(({ id = '', waits = '' }) => {
    const unused = [...(functions.get(id)?.values() ?? [])].filter((one) => !isUsed(one))
    const names = unused.map(({ file, name }) => `${name} of ${file}`).join(', ')
    const problem = unused.length === 0 ? undefined : `only tests call ${names}`
    const { state, error } = judge({ id, problem, waits }, lists)
    if (error !== undefined) problems.push(`rule ${error}`)
    if (state === 'waiting') console.log(`waiting for ${waits}: ${id}: ${problem}`)
    if (state === 'open') console.log(`OPEN ${id}: ${open.get(id)}`)
    return state
  })
  const count = (expected: string) => results.filter((state) => state === expected).length
  console.log(`rules in use: ${count('ok')}; waiting for a capability: ${count('waiting')}; open: ${count('open')}`)
}

/**
 * Attacks and the whole titles of the tests that cover them. One without a title waits for the capability that it attacks.
 */
function printAttacks(): void {
  const attacks = readCsv('abuse.csv')
  const titles = new Set(testFiles().flatMap((file) => [...testTitles(file)]))
  const capabilities = new Set(readCsv('capabilities.csv').map(({ capability = '' }) => capability))
  for (const { id, test = '', waits = '' } of attacks) {
    if (test !== '' && !titles.has(test))
      problems.push(`docs/spec/abuse.csv: no test has the whole title '${test}', which ${id} names`)
    if ((test === '') !== capabilities.has(waits))
      problems.push(`docs/spec/abuse.csv: ${id} names a test, or a capability that it waits for`)
  }
  const open = attacks.filter(({ test }) => test === '')
  const waiting = open.map(({ id, waits }) => `${id} for ${waits}`).join(', ')
  console.log(`attacks held off by a test: ${attacks.length - open.length} / ${attacks.length}; waiting: ${waiting}`)
  if (!process.argv.includes('--missing')) return
  for (const { id, attack } of open) console.log(`open attack    ${id}: ${attack}`)
}

/**
 * Abuse cases with the control and its test. Each file must exist, and have tests with these whole titles. Without a title
 * the whole file covers the case.
 */
function printControls(): void {
  const lines = readCsv('controls.csv')
  for (const { abuse, file = '', test = '' } of lines) {
    const titles = existsSync(join(root, file)) ? testTitles(file) : new Set<string>()
    if (titles.size === 0) problems.push(`docs/spec/controls.csv: ${file} has no tests, which '${abuse}' names`)
    for (const title of test === '' ? [] : test.split(' › '))
      if (!titles.has(title))
        problems.push(
          `docs/spec/controls.csv: ${file} has no test with the whole title '${title}', which '${abuse}' names`,
        )
  }
  const cases = new Set(lines.map(({ abuse }) => abuse))
  console.log(`abuse cases with a control and its test: ${cases.size}`)
}

async function printBuilt(): Promise<void> {
  const calls = readCsv('calls.csv')
  const screens = readCsv('screens.csv')
  // A shorter list would make everything look built.
  if (calls.length !== 115 || screens.length !== 174)
    problems.push('docs/spec no longer lists 115 calls and 174 screens')
  const routes = await consoleScreens()
  const builtCalls = new Set(calls.filter(callIsBuilt))
  const builtScreens = new Set(screens.filter((line) => screenIsBuilt(line, routes.get(line['screen'] ?? ''))))
  printTally('calls', 'area', calls, builtCalls)
  printTally('screens', 'centre', screens, builtScreens)
  const named = new Set(screens.map((line) => line['screen']))
  // Screens beyond the specification are few, and each needs a reason.
  const own = new Map(readCsv('own-screens.csv').map((line) => [line['screen'], line['reason'] ?? '']))
  for (const name of routes.keys())
    if (!named.has(name) && !own.get(name))
      problems.push(`screen ${name} is neither in docs/spec/screens.csv nor, with a reason, in own-screens.csv`)
  for (const name of own.keys())
    if (named.has(name) || !routes.has(name ?? '')) problems.push(`own-screens.csv lists ${name} without need`)
  const pages = new Map(
    [...builtScreens].flatMap(({ screen = '' }) => {
      const page = routes.get(screen)
      const file = page && pageOf(page)
      return file === undefined ? [] : [[screen, file] as const]
    }),
  )
  const details = process.argv.includes('--content')
  problems.push(...(await checkContent({ calls, isCallBuilt: (call) => builtCalls.has(call), pages }, details)))
  if (!process.argv.includes('--missing')) return
  for (const call of calls) if (!builtCalls.has(call)) console.log(`missing call   ${call['method']} ${call['path']}`)
  for (const line of screens)
    if (!builtScreens.has(line)) console.log(`missing screen ${line['centre']} ${line['screen']} ${line['title']}`)
}

if (process.argv.includes('--rules')) printRules()
else {
  await printBuilt()
  printAttacks()
  printControls()
}
for (const problem of problems) console.error(`error: ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0
