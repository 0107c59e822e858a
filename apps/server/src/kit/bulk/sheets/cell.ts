/** What stands in one cell. Amounts are decimal text, because a JavaScript number never holds money. */
export type Cell = string | number | null | { decimal: string }

/** The digits of a number as they stand in a file; anything else in its place would be a fault of ours. */
export function digitsOf(cell: number | { decimal: string }): string {
  const digits = typeof cell === 'number' ? String(cell) : cell.decimal
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(digits)) throw new Error(`${digits} is no number`)
  return digits
}
