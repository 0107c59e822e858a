import type { SavedView } from '@wattdeck/contract/auth/saved-view.ts'
import type { Count } from '../known-pages.ts'

const shownMost = 8
const badgeMost = 9999

/** The number of rows of a view, as text for its tab. */
export const badgeText = ({ total, bounded }: Count) => (bounded || total > badgeMost ? `${badgeMost}+` : String(total))

/** The visible tabs and those in 更多; the active view is always visible. */
export function splitViews(views: readonly SavedView[], activeId: string | undefined) {
  const inSight = views.slice(0, shownMost)
  const active = views.find((view) => view.id === activeId)
  const shown = active && !inSight.includes(active) ? [...inSight.slice(0, -1), active] : inSight
  return { shown, rest: views.filter((view) => !shown.includes(view)) }
}

/** The active view, and the last shown one, if it belongs to the user and its filters have changed since. */
export function viewNow(views: readonly SavedView[], text: string, lastId: string | undefined) {
  const active = views.find((view) => view.query === text)
  const last = views.find((view) => view.id === lastId && view.own)
  return { active, changed: active === undefined && text !== '' ? last : undefined }
}

/** The order of the user's own views after one has moved a position; undefined where it cannot. */
export function movedViews(views: readonly SavedView[], id: string, by: -1 | 1): string[] | undefined {
  const ids = views.filter((view) => view.own).map((view) => view.id)
  const from = ids.indexOf(id)
  const to = from + by
  if (from === -1 || to < 0 || to >= ids.length) return undefined
  ids.splice(to, 0, ...ids.splice(from, 1))
  return ids
}
