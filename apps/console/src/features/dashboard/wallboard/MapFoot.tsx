import type { AreaDevices } from '@wattdeck/contract/dashboard/big-screen-devices.ts'
import { areaState } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import type { z } from 'zod'
import { useWallboardSource } from './source.ts'
import { useDistrictName } from './use-areas.ts'
import { metrics, useWallboardView } from './view.ts'

type Props = {
  names: ReadonlyMap<string, string>
  approval: string | undefined
  hasMap: boolean
  places: z.infer<typeof AreaDevices> | undefined
}

/** The current region, the layers of the map, and its approval number. */
export function MapFoot({ names, approval, hasMap, places }: Props) {
  const view = useWallboardView()
  const { hasMembers } = useWallboardSource()
  const district = useDistrictName()
  const { path, adcode, siteId } = view
  const nameOf = (code: string) => {
    if (code === '') return '全国'
    return names.get(code) ?? (code === adcode ? district : undefined) ?? code
  }
  const siteName = places?.devices.find((device) => device.siteId === siteId)?.siteName ?? '站点'
  return (
    <footer className="wallboard-map-foot">
      <nav aria-label="区域">
        <ol className="wallboard-path">
          {path.map((code, place) => (
            <li key={code || 'china'}>
              {place === path.length - 1 && siteId === undefined ? (
                <span aria-current="location">{nameOf(code)}</span>
              ) : (
                <button type="button" onClick={() => view.go(code)}>
                  {nameOf(code)}
                </button>
              )}
            </li>
          ))}
          {siteId !== undefined && (
            <li>
              <span aria-current="location">{siteName}</span>
            </li>
          )}
        </ol>
      </nav>
      <fieldset className="wallboard-tabs" aria-label="地图指标">
        {metrics
          .filter(({ key }) => hasMembers || key !== 'member')
          .map(({ key, label }) => (
            <button
              key={key}
              type="button"
              aria-pressed={key === view.metric}
              onClick={() => view.set({ metric: key === 'device' ? undefined : key })}
            >
              {label}
            </button>
          ))}
      </fieldset>
      <ul className="wallboard-legend" aria-label="图例">
        {areaState.options.map(({ value, label }) => (
          <li key={value} data-state={value}>
            {label}
          </li>
        ))}
      </ul>
      <small>
        {places && places.hiddenCount > 0 && <span>{`${places.hiddenCount} 台设备无位置`}</span>}
        {hasMap && <span>{approval === undefined ? '示意地图' : `审图号：${approval}`}</span>}
      </small>
    </footer>
  )
}
