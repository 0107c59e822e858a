/**
 * The row that the keyboard is on is simply the one that has the focus: it is seen by its ring, read out by a screen
 * reader, and kept by the browser when the list is read again. Rows of a table and cards of a phone are the same here.
 */
const rows = '#content .data-table .ant-table-row, #content .card-list > li'
const boxes = '.ant-table-selection-column input, .card-check input'
const actions = '.row-actions button, .card-actions button'

const allRows = () => [...document.querySelectorAll<HTMLElement>(rows)]
const rowAround = (element: Element | null) => element?.closest<HTMLElement>(rows) ?? undefined

/** Where to go from a place among so many rows; from nowhere, to the first or the last. */
export function nextPlace(at: number, step: 1 | -1, count: number): number {
  if (at === -1) return step === 1 ? 0 : count - 1
  return Math.min(Math.max(at + step, 0), count - 1)
}

export function moveRow(step: 1 | -1) {
  const all = allRows()
  const at = all.indexOf(rowAround(document.activeElement) ?? document.body)
  const row = all[nextPlace(at, step, all.length)]
  if (!row) return
  row.tabIndex = -1
  row.focus()
}

/** Ticks the row; the box itself knows whether it may be. */
export const selectRow = () => rowAround(document.activeElement)?.querySelector<HTMLElement>(boxes)?.click()

/** Only a focused row takes Enter: inside it every button keeps its own. */
export const isRow = (target: EventTarget | null) => target instanceof HTMLElement && target.matches(rows)
export const openRow = () => rowAround(document.activeElement)?.querySelector<HTMLElement>(actions)?.click()
