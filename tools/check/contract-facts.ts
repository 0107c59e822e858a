import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type { z } from 'zod'

/** Comparisons of an expected fact with the contract. Each returns the difference, or undefined. */
type Problem = string | undefined
type Def = {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  options?: z.ZodType[]
  getter?: () => z.ZodType
}
const defOf = (schema: z.ZodType) => schema.def as unknown as Def

const partsOf = (expected: string, separator: string | RegExp) =>
  expected.split(separator).filter((part) => part !== '')
const joinProblems = (problems: readonly string[]): Problem => (problems.length === 0 ? undefined : problems.join('; '))

/** Schemas of the fields with this name in a schema, through lists, unions and optional values. */
function fieldsNamed(schema: z.ZodType | undefined, name: string): z.ZodType[] {
  if (schema === undefined) return []
  const { type, shape, element, innerType, in: input, options, getter } = defOf(schema)
  if (type === 'object') return shape?.[name] === undefined ? [] : [shape[name]]
  const within = [element, innerType, type === 'pipe' ? input : undefined, getter?.(), ...(options ?? [])]
  return within.flatMap((one) => fieldsNamed(one, name))
}

function typeOf(schema: z.ZodType): string {
  const { type, innerType } = defOf(schema)
  return innerType === undefined ? type : typeOf(innerType)
}

/**
 * Fields of a schema: 'id rows.name' by their path, 'level=1' with the default of an omitted field, ':boolean' the type
 * of the whole.
 */
export function fieldProblem(schema: z.ZodType, expected: string): Problem {
  const problems = partsOf(expected, ' ').map((part) => {
    if (part.startsWith(':')) return typeOf(schema) === part.slice(1) ? '' : `is no ${part.slice(1)}`
    const [path = '', value] = part.split('=')
    const steps = path.split('.')
    const found = steps.reduce<z.ZodType[]>((from, step) => from.flatMap((one) => fieldsNamed(one, step)), [schema])
    if (found.length === 0) return `has no field ${path}`
    if (value === undefined) return ''
    const actual = JSON.stringify(found[0]?.safeParse(undefined).data)
    return actual === value ? '' : `${path} is ${actual} when it is left out, not ${value}`
  })
  return joinProblems(problems.filter((problem) => problem !== ''))
}

type CodeTable = { options: { value: number | string }[]; show: (value: never) => { label: string; tone?: string } }
export const isCodeTable = (value: unknown): value is CodeTable =>
  typeof value === 'object' && value !== null && 'options' in value && 'show' in value

const entriesOf = (table: CodeTable) =>
  table.options.map(({ value }) => ({ ...table.show(value as never), code: String(value) }))

/** '1=正常:ok;2=欠费' or '1;2': codes, with label and tone where the line names them; '*' at the end allows more codes. */
export function codesProblem(table: CodeTable, expected: string): Problem {
  const pairs = partsOf(expected, ';').map((part) => /^([^=]+)(?:=([^:]+))?(?::(\w+))?$/.exec(part)?.slice(1) ?? [part])
  const open = pairs.at(-1)?.[0] === '*'
  const expectedItems = open ? pairs.slice(0, -1) : pairs
  const entries = entriesOf(table)
  const missing = expectedItems.flatMap(([code, label, tone]) => {
    const entry = entries.find((one) => one.code === code)
    if (entry === undefined) return [`has no code ${code}`]
    if (label !== undefined && entry.label !== label) return [`${code} is ${entry.label}, not ${label}`]
    return tone !== undefined && entry.tone !== tone ? [`${code} is shown as ${entry.tone}, not ${tone}`] : []
  })
  const codes = new Set(expectedItems.map(([code]) => code))
  const more = open
    ? []
    : entries.filter(({ code }) => !codes.has(code)).map(({ code }) => `has the further code ${code}`)
  return joinProblems([...missing, ...more])
}

/** Moves of a state, '0>1 1>2': exactly these. */
export function movesProblem(moves: readonly string[], expected: string): Problem {
  const expectedItems = partsOf(expected, ' ')
  return joinProblems([
    ...expectedItems.filter((move) => !moves.includes(move)).map((move) => `never moves ${move}`),
    ...moves.filter((move) => !expectedItems.includes(move)).map((move) => `also moves ${move}`),
  ])
}

export function constantProblem(value: unknown, expected: string): Problem {
  const actual = JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one))
  return actual === JSON.stringify(JSON.parse(expected)) ? undefined : `is ${actual}, not ${expected}`
}

/** 'form 30s': the encoding and the timeout of a call. No call of the specification requires an idempotency key. */
export function callProblem(route: AnyRoute, expected: string): Problem {
  const actual = `${route.encoding} ${route.timeoutMs / 1000}s`
  return joinProblems([
    ...(actual === expected ? [] : [`is ${actual}, not ${expected}`]),
    ...(route.idempotent ? ['demands an idempotency key, which no caller of the specification sends'] : []),
  ])
}

/** Paths may differ in case and in parameter names, because the specification misspells some. */
const loosely = (path: string) => path.toLowerCase().replaceAll(/\{\w+\}/g, '{}')
export const routeAt = (routes: readonly { route: AnyRoute }[], method: string, path: string): AnyRoute | undefined =>
  routes.find(({ route }) => route.method === method && loosely(route.path) === loosely(path))?.route
