import { createContext, use } from 'react'
import { useNavigate } from 'react-router'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { pathBelow, readAdcode } from './region.ts'
import { readRotation, type Rotation } from './turns.ts'
import type { WallboardChoice } from './wallboard-filter.ts'

/** The figure by which the map is coloured and ranked. */
export const metrics = [
  { key: 'device', label: '设备数', unit: '台' },
  { key: 'port', label: '端口数', unit: '口' },
  { key: 'member', label: '会员数', unit: '人' },
] as const
type Metric = (typeof metrics)[number]['key']

export type WallboardView = {
  /** The top region of the view. */
  home: string
  adcode: string
  /** From home to the current region. */
  path: readonly string[]
  siteId: string | undefined
  metric: Metric
  rotation: Rotation
  choice: WallboardChoice
  go: (adcode: string, siteId?: string) => void
  set: (changes: Readonly<Record<string, string | undefined>>) => void
}

type Params = { home: string; rotation: Rotation; fixed?: WallboardChoice }

const idOf = (text: string | null) => (text !== null && /^[1-9]\d{0,17}$/.test(text) ? text : undefined)
const onlineOf = (text: string | null): WallboardChoice =>
  text === '1' ? { isOnline: 1 } : text === '0' ? { isOnline: 0 } : {}
const classOf = (text: string | null): WallboardChoice =>
  text !== null && /^\d{2}$/.test(text) ? { deviceFirstClass: text } : {}

/** The view state in the URL, so a restarted wallboard or a shared link shows the same view. */
export function useWallboardViewState({ home, rotation: usual, fixed = {} }: Params): WallboardView {
  const [params] = useSearch()
  const navigate = useNavigate()
  const path = pathBelow(home, readAdcode(params.get('adcode')))
  const organiseId = idOf(params.get('organiseId'))
  const siteId = idOf(params.get('site'))

  function set(changes: Readonly<Record<string, string | undefined>>) {
    const next = new URLSearchParams(globalThis.location.search)
    for (const [name, value] of Object.entries(changes))
      if (value === undefined || value === '') next.delete(name)
      else next.set(name, value)
    // Keeps the fragment, which holds the token of a link. Replaces the entry, because a rotating wallboard would fill
    // the history.
    void navigate({ search: next.toString(), hash: globalThis.location.hash }, { replace: true })
  }
  return {
    home,
    adcode: path.at(-1) ?? home,
    path,
    siteId,
    metric: metrics.find(({ key }) => key === params.get('metric'))?.key ?? 'device',
    rotation: readRotation(params.get('rotate'), usual),
    choice: {
      ...(organiseId === undefined ? {} : { organiseId }),
      ...classOf(params.get('deviceFirstClass')),
      ...onlineOf(params.get('isOnline')),
      ...fixed,
    },
    go: (adcode, site) => set({ adcode: adcode === home ? undefined : adcode, site }),
    set,
  }
}

export const WallboardViewContext = createContext<WallboardView | undefined>(undefined)
export function useWallboardView(): WallboardView {
  const view = use(WallboardViewContext)
  if (view === undefined) throw new Error('a panel must be inside a wallboard')
  return view
}
