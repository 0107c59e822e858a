import { type RawBuilder, sql } from 'kysely'

type CodeTable = { code: Readonly<Record<string, number | string>> }

/** Numbers that a column stores for codes with other values on the wire. */
export type StoredCodes = {
  numberOf: (code: number | string) => number | null
  codeIn: (column: RawBuilder<unknown>) => RawBuilder<unknown>
}

/**
 * Maps the codes of a table to the numbers of a column, in both directions. Statements use `number`, rows of a query use
 * `codeOf`, and a list uses the whole mapping (`stored` of its source).
 */
export function storedCodes<T extends CodeTable, const N extends Partial<Record<keyof T['code'] & string, number>>>(
  table: T,
  number: N,
) {
  type Code = T['code'][keyof N & keyof T['code']]
  const pairs = Object.entries<number | undefined>(number).flatMap(([name, stored]) => {
    const code = table.code[name]
    return code === undefined || stored === undefined ? [] : [{ code, stored }]
  })
  const cases = sql.join(
    pairs.map(({ code, stored }) => sql`when ${sql.lit(stored)} then ${sql.lit(code)}`),
    sql` `,
  )
  return {
    number,
    codeOf: (value: number): Code => {
      const pair = pairs.find(({ stored }) => stored === value)
      if (pair === undefined) throw new Error(`no code for stored value ${String(value)}`)
      return pair.code as Code
    },
    numberOf: (code: number | string) => pairs.find((pair) => pair.code === code)?.stored ?? null,
    codeIn: (column: RawBuilder<unknown>) => sql`case ${column} ${cases} end`,
  }
}
