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
  /** Below a district there are sites. */
  ofSites: boolean
  ranking: readonly Item[]
  /** Every one of them, for the colours of a map and for what it shows without one. */
  all: readonly Item[]
}
type Answer = { level: number; ranking: Item[]; areas?: Item[] }

/** How devices, ports or members are spread over what lies below the region one looks at. */
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

/** Goes to what lies below: a region by its code, a site by its id. What nobody has said the place of leads nowhere. */
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

/** What a district is called: no map has its shape, but its city knows it. */
export function useDistrictName(): string | undefined {
  const { path, choice } = useWallboardView()
  const [above = '', own = ''] = path.slice(-2)
  const isDistrict = path.length > 1 && !own.endsWith('00')
  const filter = { ...wallboardFilter(choice, ''), ...filterOf(above) }
  const { data } = useFigures(bigScreen.deviceMapRanking, filter, { of: [], pace: 'slow', enabled: isDistrict })
  return isDistrict ? data?.areas.find(({ code }) => code === own)?.name : undefined
}
