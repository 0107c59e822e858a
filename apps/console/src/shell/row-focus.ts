/**
 * The current row of the keyboard is the focused one: it has the focus ring, screen readers announce it, and the browser
 * keeps it when the list is refetched. Table rows and phone cards are handled alike.
 */
const rows = '#content .data-table .ant-table-row, #content .card-list > li'
const boxes = '.ant-table-selection-column input, .card-check input'
const actions = '.row-actions button, .card-actions button'

const allRows = () => [...document.querySelectorAll<HTMLElement>(rows)]
const rowAround = (element: Element | null) => element?.closest<HTMLElement>(rows) ?? undefined

/** The next index among `count` rows; without a current row (-1), the first or the last. */
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

/** Clicks the checkbox of the row, which may be disabled. */
export const selectRow = () => rowAround(document.activeElement)?.querySelector<HTMLElement>(boxes)?.click()

/** Only a focused row handles Enter; a focused button inside it keeps its own. */
export const isRow = (target: EventTarget | null) => target instanceof HTMLElement && target.matches(rows)
export const openRow = () => rowAround(document.activeElement)?.querySelector<HTMLElement>(actions)?.click()
