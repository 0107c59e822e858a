import { readFileSync } from 'node:fs'

const source = 'docs/spec/limits.csv'

/** The table of limits; `{file#constant}` in docs/spec/limits.csv becomes the value of the constant in that file. */
export function limitsText(): string {
  const [, ...lines] = readFileSync(source, 'utf8').trim().split('\n')
  const rows = lines.map((line) => cellsOf(line).map((cell) => fill(cell)))
  const broken = rows.find((row) => row.length !== 2)
  if (broken !== undefined) throw new Error(`${source}: a row needs two cells: ${broken.join(' | ')}`)
  return [
    '# Limits',
    '',
    '| limit | at it |',
    '| --- | --- |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
  ].join('\n')
}

const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain = '']) =>
    (quoted ?? plain).replaceAll('""', '"'),
  )

const fill = (cell: string): string =>
  cell.replaceAll(/\{([^#}]+)#(\w+)\}/g, (_, file: string, name: string) => valueText(name, valueIn(file, name)))

function valueIn(file: string, name: string): number {
  const found = new RegExp(String.raw`\bconst ${name} = ([\d_]+(?: \* [\d_]+)*)\n`).exec(readFileSync(file, 'utf8'))
  if (found?.[1] === undefined) throw new Error(`${source} names ${name}, which is not a number in ${file}`)
  return found[1]
    .replaceAll('_', '')
    .split(' * ')
    .reduce((product, factor) => product * Number(factor), 1)
}

function valueText(name: string, value: number): string {
  if (name.endsWith('Ms')) return value % 1000 === 0 ? `${value / 1000} s` : `${value} ms`
  if (name.endsWith('Bytes')) return `${value.toLocaleString('en')} bytes`
  return value.toLocaleString('en')
}
