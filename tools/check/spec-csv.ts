import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Line = Record<string, string>

export const root = join(import.meta.dirname, '../..')

/** The lines of a table of docs/spec. */
export function readCsv(name: string): Line[] {
  const [head = '', ...lines] = readFileSync(join(root, 'docs/spec', name), 'utf8')
    .trim()
    .split('\n')
  const columns = head.split(',')
  return lines.map((line) => {
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)]
    const values = cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (values.length !== columns.length) throw new Error(`${name}: ${columns.length} columns expected: ${line}`)
    return Object.fromEntries(columns.map((column, place) => [column, values[place] ?? '']))
  })
}
