type CodeTable = {
  code: Readonly<Record<string, number | string>>
  options: { value: number | string; label: string }[]
}

/**
 * The table without options for codes that this version never writes, so no filter or form offers them. They stay part
 * of the data model, and existing rows still show their labels.
 */
export function withoutOptions<T extends CodeTable>(table: T, unwritten: readonly (keyof T['code'])[]): T {
  const hidden = new Set(unwritten.map((name) => table.code[name as string]))
  return { ...table, options: table.options.filter(({ value }) => !hidden.has(value)) }
}
