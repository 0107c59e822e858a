import { filterText } from '@wattdeck/contract/kit/list-filter.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { useEffect, useState } from 'react'
import type { ListState } from '../list-state.ts'
import { cachedUser } from '../../api/user.ts'
import type { Preset } from './presets.ts'

/**
 * The default view of a user's list. The server has it, too, but a request would delay every list; the hint of this
 * browser is corrected as soon as the views have been read.
 */
const hintKey = (route: AnyRoute) => `default-view:${cachedUser()?.id ?? ''}:${route.path}`

/** Null: none, or one whose filters the list no longer has. */
export function readHint(route: AnyRoute): string | null {
  const text = filterText(route.query, new URLSearchParams(localStorage.getItem(hintKey(route)) ?? ''))
  return text === '' ? null : text
}

export function storeHint(route: AnyRoute, text: string | undefined): void {
  if (text === undefined) localStorage.removeItem(hintKey(route))
  else localStorage.setItem(hintKey(route), text)
}

/** The list was opened without filters or a page in its address. */
export const isBare = ({ inUrl, text, refused, wantsAll, query }: ListState<AnyRoute>) =>
  inUrl && text === '' && refused.length === 0 && !wantsAll && (query as { pageNum: number }).pageNum === 1

/** Switches a list that was just opened to its view; true until then, so that no other rows are fetched. */
export function useOpeningView(route: AnyRoute, state: ListState<AnyRoute>, presets: readonly Preset[] = []): boolean {
  const [target, setTarget] = useState(() =>
    isBare(state) ? (readHint(route) ?? presets?.find(({ opens }) => opens)?.text ?? null) : null,
  )
  if (target !== null && state.text !== '') setTarget(null)
  const { show } = state
  useEffect(() => {
    if (target !== null) show(target, { replace: true })
    // Only at opening: later the user may clear the filters.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [])
  return target !== null && state.text === ''
}
