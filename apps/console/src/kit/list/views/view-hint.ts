import { filterText } from '@wattdeck/contract/kit/list-filter.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { useEffect, useState } from 'react'
import type { ListState } from '../list-state.ts'
import { knownUser } from '../../api/user.ts'
import type { Preset } from './presets.ts'

/**
 * Which view a person's list opens with. The server knows it, too, but asking would keep every list waiting; what this
 * browser remembers is put right as soon as the views have been read.
 */
const hintKey = (route: AnyRoute) => `default-view:${knownUser()?.id ?? ''}:${route.path}`

/** Null: none, or one whose filters the list no longer knows. */
export function readHint(route: AnyRoute): string | null {
  const text = filterText(route.query, new URLSearchParams(localStorage.getItem(hintKey(route)) ?? ''))
  return text === '' ? null : text
}

export function keepHint(route: AnyRoute, text: string | undefined): void {
  if (text === undefined) localStorage.removeItem(hintKey(route))
  else localStorage.setItem(hintKey(route), text)
}

/** The list was opened, not led anywhere by its address. */
export const isBare = ({ inUrl, text, refused, wantsAll, query }: ListState<AnyRoute>) =>
  inUrl && text === '' && refused.length === 0 && !wantsAll && (query as { pageNum: number }).pageNum === 1

/** Leads a list that was just opened to its view; true until it is there, so that nothing is read in vain. */
export function useOpeningView(route: AnyRoute, state: ListState<AnyRoute>, presets: readonly Preset[] = []): boolean {
  const [target, setTarget] = useState(() =>
    isBare(state) ? (readHint(route) ?? presets?.find(({ opens }) => opens)?.text ?? null) : null,
  )
  if (target !== null && state.text !== '') setTarget(null)
  const { show } = state
  useEffect(() => {
    if (target !== null) show(target, { replace: true })
    // Only when it is opened: whoever clears the filters later wants them cleared.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [])
  return target !== null && state.text === ''
}
