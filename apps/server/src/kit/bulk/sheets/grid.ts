import { limits, SheetProblem, tooMuch } from './sheet-limits.ts'

export type Sheet = { head: string[]; rows: string[][] }

/** Collects cells in any order and enforces the limits at each cell. Empty cells are skipped, because sheets have many of them. */
export class Grid {
  readonly #rows: string[][] = []
  #characters = 0

  /** `row` counts from 1, as in the sheet; `column` counts from 0. */
  set(row: number, column: number, text: string): void {
    if (text === '') return
    if (row > limits.rows + 1) throw new SheetProblem(`表格最多${limits.rows}行`)
    if (column >= limits.columns) throw new SheetProblem(`表格最多${limits.columns}列`)
    if (text.length > limits.cellLength)
      throw new SheetProblem(`第${row}行第${column + 1}列的内容超过${limits.cellLength}个字符`)
    this.#characters += text.length
    if (this.#characters > limits.characters) throw tooMuch()
    while (this.#rows.length < row) this.#rows.push([])
    const cells = this.#rows[row - 1] ?? []
    while (cells.length < column) cells.push('')
    cells[column] = text
  }

  /** Row n of the sheet is rows[n - 2]. Empty rows are kept, so that messages can refer to row numbers. */
  finish(): Sheet {
    const [first = [], ...rows] = this.#rows
    const head = first.map((title) => title.trim())
    if (head.every((title) => title === '')) throw new SheetProblem('表格没有表头')
    for (const row of rows) while (row.length < head.length) row.push('')
    return { head, rows }
  }
}
