/** Content of a cell. Amounts are decimal text, because money is never a JavaScript number. */
export type Cell = string | number | null | { decimal: string }

/** The digits of a number for a file. Throws for any other text, which would be a fault of the caller. */
export function digitsOf(cell: number | { decimal: string }): string {
  const digits = typeof cell === 'number' ? String(cell) : cell.decimal
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(digits)) throw new Error(`${digits} is not a number`)
  return digits
}
