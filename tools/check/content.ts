import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import type { z } from 'zod'
import {
  callProblem,
  codesProblem,
  constantProblem,
  fieldProblem,
  isCodeTable,
  movesProblem,
  routeAt,
} from './contract-facts.ts'
import { type Line, root } from './spec-csv.ts'
import { parseFile, wordsOf } from './source-tree.ts'

/**
 * Checks a line of docs/spec/content.csv. `kind` selects the check, and `at` the place:
 *
 * field     'GET /path reply', or query, body, params of a call   fields, see fieldProblem
 * call      'GET /path'                                           encoding and timeout
 * schema    '<file of the contract>#<name>'                       fields of a schema
 * codes     '<file of the contract>#<name>', '*' for any table    codes, see codesProblem
 * moves     '<file of the contract>#<name>'                       moves of a state
 * constant  '<file>#<name>'                                       its value in JSON
 * words     '<file>'                                              names, texts and numbers of the source, by ';'
 * mentions  '<pattern of files>'                                  texts that one of them contains outside tests, by ';'
 * absent    '<pattern of files>'                                  texts that none of them may contain, by ';'
 */
type Problem = string | undefined

const contract = 'packages/contract/src/'
const modules = new Map<string, Promise<Record<string, unknown>>>()

async function exportOf(file: string, name: string): Promise<unknown> {
  const path = join(root, file)
  if (!existsSync(path)) return undefined
  const module = modules.get(path) ?? (import(path) as Promise<Record<string, unknown>>)
  modules.set(path, module)
  return (await module)[name]
}

const splitLast = (at: string, separator: string): [string, string] => {
  const place = at.lastIndexOf(separator)
  return place < 0 ? [at, ''] : [at.slice(0, place), at.slice(place + separator.length)]
}

let exported: Promise<unknown[]> | undefined
/** Every value that the contract exports. */
function contractValues(): Promise<unknown[]> {
  const files = globSync(`${contract}**/*.ts`, { cwd: root })
  exported ??= Promise.all(
    files.map(async (file) => Object.values((await import(join(root, file))) as Record<string, unknown>)),
  ).then((all) => all.flat())
  return exported
}

async function codesAt(at: string, expected: string): Promise<Problem> {
  if (at !== '*') {
    const table = await exportOf(`${contract}${splitLast(at, '#')[0]}`, splitLast(at, '#')[1])
    return isCodeTable(table) ? codesProblem(table, expected) : `there is no code table ${at}`
  }
  const all = (await contractValues()).filter(isCodeTable)
  return all.some((table) => codesProblem(table, expected) === undefined) ? undefined : 'no code table has these codes'
}

function fieldAt(at: string, expected: string): Problem {
  const [call, part] = splitLast(at, ' ')
  const [method, path] = splitLast(call, ' ')
  const route = routeAt(allRoutes, method, path)
  if (route === undefined) return `there is no call ${call}`
  const name = part === 'reply' ? 'data' : (part as 'query' | 'body' | 'params')
  return fieldProblem(route[name] as z.ZodType, expected)
}

/** Whether a source contains a word: as a name, a complete text or a number. */
export function hasWord(file: string, word: string): boolean {
  if (!existsSync(join(root, file))) return false
  return wordsOf(parseFile(file)).has(word)
}

function wordsAt(file: string, expected: string): Problem {
  const missing = expected.split(';').filter((word) => !hasWord(file, word))
  return missing.length === 0 ? undefined : `${file} does not name ${missing.join(', ')}`
}

/** The given texts that files of a pattern contain, except tests, with the file of each. */
function findTexts(pattern: string, expected: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const file of globSync(pattern, { cwd: root })) {
    if (file.includes('.test.')) continue
    const text = readFileSync(join(root, file), 'utf8')
    for (const part of expected.split(';')) if (text.includes(part)) found.set(part, file)
  }
  return found
}

function mentionsAt(pattern: string, expected: string): Problem {
  const places = findTexts(pattern, expected)
  const missing = expected.split(';').filter((part) => !places.has(part))
  return missing.length === 0 ? undefined : `no file of ${pattern} says ${missing.join(', ')}`
}

function absentAt(pattern: string, expected: string): Problem {
  const places = [...findTexts(pattern, expected)].map(([part, file]) => `${file} says ${part}`)
  return places.length === 0 ? undefined : places.join('; ')
}

/** The missing or differing part of a line; undefined when it is complete. */
export async function contentProblem({ kind = '', at = '', wanted: expected = '' }: Line): Promise<Problem> {
  const [file, name] = splitLast(at, '#')
  switch (kind) {
    case 'field':
      return fieldAt(at, expected)
    case 'call': {
      const route = routeAt(allRoutes, ...splitLast(at, ' '))
      return route === undefined ? `there is no call ${at}` : callProblem(route, expected)
    }
    case 'schema': {
      const schema = await exportOf(`${contract}${file}`, name)
      return schema === undefined ? `there is no schema ${at}` : fieldProblem(schema as z.ZodType, expected)
    }
    case 'codes':
      return codesAt(at, expected)
    case 'moves': {
      const flow = (await exportOf(`${contract}${file}`, name)) as { moves: string[] } | undefined
      return flow === undefined ? `there are no moves ${at}` : movesProblem(flow.moves, expected)
    }
    case 'constant': {
      const value = await exportOf(file, name)
      return value === undefined ? `there is no constant ${at}` : constantProblem(value, expected)
    }
    case 'words':
      return wordsAt(at, expected)
    case 'mentions':
      return mentionsAt(at, expected)
    case 'absent':
      return absentAt(at, expected)
    default:
      throw new Error(`content.csv: the kind '${kind}' is unknown`)
  }
}
