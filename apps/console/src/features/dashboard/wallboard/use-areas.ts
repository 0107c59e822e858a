import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import { areaLevel } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import type { RankItem } from './Ranking.tsx'
import { shortText } from './number-text.ts'
import { filterOf } from './region.ts'
import { useWallboardSource } from './source.ts'
import { type Figures, useFigures } from './use-figures.ts'
import { useWallboardView } from './view.ts'
import { memberFilter, onlineFilter, wallboardFilter } from './wallboard-filter.ts'

type Item = { code: string; adcode: string; name: string; countNum: number }
export type Areas = {
  /** Sites are the level below a district. */
  ofSites: boolean
  ranking: readonly Item[]
  /** All items, for the colours of a map and for the list without one. */
  all: readonly Item[]
}
type Answer = { level: number; ranking: Item[]; areas?: Item[] }

/** The distribution of devices, ports or members over the areas below the current region. */
export function useAreas(): Figures<Areas> {
  const { adcode, choice, metric } = useWallboardView()
  const { hasMembers } = useWallboardSource()
  const filter = wallboardFilter(choice, adcode)
  const shown = metric === 'member' && !hasMembers ? 'device' : metric
  const reading = (key: typeof metric) => ({
    of: [key === 'member' ? ('member' as const) : ('device' as const)],
    pace: 'slow' as const,
    enabled: shown === key,
  })
  const devices = useFigures(bigScreen.deviceMapRanking, { ...filter, ...onlineFilter(choice) }, reading('device'))
  const ports = useFigures(bigScreen.devicePortMapRanking, { ...filter, ...onlineFilter(choice) }, reading('port'))
  const members = useFigures(bigScreen.memberRegionRanking, memberFilter(filter), reading('member'))
  const figures = { device: devices, port: ports, member: members }[shown]
  return { ...figures, data: figures.data && areasOf(figures.data) }
}

const areasOf = ({ level, ranking, areas }: Answer): Areas => ({
  ofSites: level === areaLevel.code.site,
  ranking,
  all: areas !== undefined && areas.length > 0 ? areas : ranking,
})

/** Opens the area below: a region by its code, a site by its id. An unknown place has no target. */
export function useEnter() {
  const { adcode, go } = useWallboardView()
  return ({ code, ofSites }: { code: string; ofSites: boolean }) => {
    if (code === '') return undefined
    return () => (ofSites ? go(adcode, code) : go(code))
  }
}

export function useAreaItems(areas: Areas): RankItem[] {
  const enter = useEnter()
  return areas.ranking.map(({ code, name, countNum }) => ({
    key: code || name,
    name,
    value: countNum,
    text: shortText(countNum),
    onClick: enter({ code, ofSites: areas.ofSites }),
  }))
}

/** The name of a district, from the areas of its city, because no map has its shape. */
export function useDistrictName(): string | undefined {
  const { path, choice } = useWallboardView()
  const [above = '', own = ''] = path.slice(-2)
  const isDistrict = path.length > 1 && !own.endsWith('00')
  const filter = { ...wallboardFilter(choice, ''), ...filterOf(above) }
  const { data } = useFigures(bigScreen.deviceMapRanking, filter, { of: [], pace: 'slow', enabled: isDistrict })
  return isDistrict ? data?.areas.find(({ code }) => code === own)?.name : undefined
}
