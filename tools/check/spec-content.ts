import { contentProblem } from './content.ts'
import { judge, type State, type Subject } from './content-verdict.ts'
import { screenProblems } from './screen-content.ts'
import { type Line, readCsv } from './spec-csv.ts'

/**
 * The content of the specification: the parts of its calls, entities, codes, constants and screens. Each line is built,
 * waits for a capability, or is in content-open.csv with a reason; any other line fails `npm run spec`.
 */
type JudgedLine = Subject & { group: string; text: string; state: State }

/** The number of lines of content-open.csv, which may only shrink: lower this with it. */
const mostOpen = 14

/** The number of lines of the lists, which may only grow: a shorter list would make everything look built. */
const leastContent = 181
const leastLabels = 1177

const groupOf: Record<string, string> = {
  2: 'screens (2)',
  3: 'entities (3)',
  4: 'states (4)',
  6: 'roles (6)',
  7: 'fields of calls (7)',
  8: 'errors (8)',
  9: 'constants (9)',
}
const states: readonly State[] = ['ok', 'waiting', 'open', 'wrong']

export const readLists = () => {
  const open = new Map(readCsv('content-open.csv').map(({ id = '', reason = '' }) => [id, reason]))
  const capabilities = new Set(readCsv('capabilities.csv').map(({ capability = '' }) => capability))
  return { open, lists: { capabilities, open: new Set(open.keys()) } }
}
const labelId = ({ screen, part, label }: Line) => `${screen} ${part} ${label}`

/** The built calls and screens, and the page of each built screen. */
type Built = { calls: readonly Line[]; isCallBuilt: (call: Line) => boolean; pages: ReadonlyMap<string, string> }

async function subjectsOf({ calls, isCallBuilt, pages }: Built): Promise<Omit<JudgedLine, 'state'>[]> {
  const fromCalls = calls.map((call) => ({
    id: `${call['method']} ${call['path']}`,
    group: 'calls',
    text: call['area'] ?? '',
    waits: call['waits'] ?? '',
    problem: isCallBuilt(call) ? undefined : 'is not built',
  }))
  const fromScreens = readCsv('screens.csv').map(({ screen = '', title = '', waits = '' }) => ({
    id: screen,
    group: 'screens',
    text: title,
    waits,
    problem: pages.has(screen) ? undefined : 'is not built',
  }))
  const fromContent = readCsv('content.csv').map(async (line) => ({
    id: line['id'] ?? '',
    group: groupOf[line['section'] ?? ''] ?? '',
    text: line['text'] ?? '',
    waits: line['waits'] ?? '',
    problem: await contentProblem(line),
  }))
  return [...fromCalls, ...fromScreens, ...(await Promise.all(fromContent)), ...(await labelSubjects(pages))]
}

async function labelSubjects(pages: ReadonlyMap<string, string>): Promise<Omit<JudgedLine, 'state'>[]> {
  const byScreen = Map.groupBy(readCsv('screen-content.csv'), ({ screen = '' }) => screen)
  const all = [...byScreen].map(async ([screen, lines]) => {
    const page = pages.get(screen)
    const problems = page === undefined ? [] : await screenProblems(page, lines)
    return lines.map((line, place) => ({
      id: labelId(line),
      group: 'labels of screens',
      text: screen,
      waits: line['waits'] ?? '',
      problem: page === undefined ? 'belongs to a screen that is not built' : problems[place],
    }))
  })
  return (await Promise.all(all)).flat()
}

/** Duplicate ids, reasons without a line, capabilities without a waiting line, built screens without a label. */
function listProblems(
  results: readonly JudgedLine[],
  open: ReadonlyMap<string, string>,
  pages: Built['pages'],
): string[] {
  const problems: string[] = []
  const ids = new Set(results.map(({ id }) => id))
  const ruleLines = readCsv('rules.csv')
  const rules = new Set(ruleLines.map(({ id }) => id))
  const awaitedCapabilities = new Set([...results, ...ruleLines].map(({ waits }) => waits))
  for (const capability of readLists().lists.capabilities)
    if (!awaitedCapabilities.has(capability)) problems.push(`capabilities.csv: nothing waits for ${capability}`)
  const twice = [...Map.groupBy(results, ({ id }) => id)].filter(([, same]) => same.length > 1)
  for (const [id] of twice) problems.push(`${id} stands twice in the lists of docs/spec`)
  for (const id of open.keys()) if (!ids.has(id) && !rules.has(id)) problems.push(`content-open.csv: no list has ${id}`)
  if (open.size > mostOpen)
    problems.push(`content-open.csv has ${open.size} lines; it had ${mostOpen}, and may only shrink`)
  if (readCsv('content.csv').length < leastContent) problems.push(`content.csv has fewer than ${leastContent} lines`)
  if (readCsv('screen-content.csv').length < leastLabels)
    problems.push(`screen-content.csv has fewer than ${leastLabels} lines`)
  const screensWithLabels = new Set(
    results.filter(({ group }) => group === 'labels of screens').map(({ text }) => text),
  )
  for (const { id, group, state } of results)
    if (group === 'screens' && state === 'ok' && pages.has(id) && !screensWithLabels.has(id))
      problems.push(`screen ${id} is built and screen-content.csv says nothing of it`)
  return problems
}

const countsOf = (lines: readonly JudgedLine[]) =>
  states.map((state) => lines.filter((line) => line.state === state).length)

function printCounts(
  title: string,
  head: readonly string[],
  rows: readonly (readonly [string, readonly number[]])[],
): void {
  const width = Math.max(...rows.map(([name]) => name.length), title.length)
  console.log(`${title.padEnd(width)}${head.map((name) => name.padStart(9)).join('')}`)
  for (const [name, counts] of rows)
    console.log(`  ${name.padEnd(width - 2)}${counts.map((count) => String(count).padStart(9)).join('')}`)
}

function printTables(results: readonly JudgedLine[]): void {
  const groups = [...Map.groupBy(results, ({ group }) => group)]
  printCounts(
    'specification',
    ['ok', 'waiting', 'open', 'wrong'],
    [...groups.map(([group, lines]) => [group, countsOf(lines)] as const), ['all', countsOf(results)]],
  )
  const waiting = Map.groupBy(
    results.filter(({ state }) => state === 'waiting'),
    ({ waits }) => waits,
  )
  const kinds = ['calls', 'screens', 'labels of screens']
  printCounts(
    'waiting for',
    ['calls', 'screens', 'labels', 'other'],
    [...waiting]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([capability, lines]) => {
        const counts = kinds.map((kind) => lines.filter(({ group }) => group === kind).length)
        return [capability, [...counts, lines.length - counts.reduce((sum, count) => sum + count, 0)]] as const
      }),
  )
  const screens = [
    ...Map.groupBy(
      results.filter(({ group }) => group === 'labels of screens'),
      ({ text }) => text,
    ).values(),
  ]
  const having = (state: State) => screens.filter((lines) => lines.some((line) => line.state === state)).length
  const complete = screens.filter((lines) => lines.every(({ state }) => state === 'ok')).length
  console.log(
    `screens complete: ${complete} / ${screens.length}; waiting for a capability: ${having('waiting')}; with something open: ${having('open')}`,
  )
}

/** Judges every line, prints the tables, with `details` each incomplete line, and returns the problems. */
export async function checkContent(built: Built, details: boolean): Promise<string[]> {
  const { open, lists } = readLists()
  const problems: string[] = []
  const results = (await subjectsOf(built)).map((subject) => {
    const { state, error } = judge(subject, lists)
    if (error !== undefined) problems.push(error)
    return { ...subject, state }
  })
  problems.push(...listProblems(results, open, built.pages))
  printTables(results)
  if (details)
    for (const { id, state, waits, problem } of results.toSorted((one, other) => one.waits.localeCompare(other.waits)))
      if (state === 'waiting') console.log(`waiting for ${waits}: ${id}: ${problem}`)
  for (const { id, state } of results) if (state === 'open') console.log(`OPEN ${id}: ${open.get(id)}`)
  return problems
}
