/** Prints rows as aligned columns, with numbers right-aligned. */
export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void {
  if (rows.length === 0) return
  const cells = [head, ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell)))]
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const isNumber = head.map((_, column) => rows.every((row) => typeof row[column] === 'number'))
  console.log(`\n${title}`)
  for (const row of cells) {
    const line = row.map((cell, column) =>
      isNumber[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    )
    console.log(`  ${line.join('  ').trimEnd()}`)
  }
}
