import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import type { AreaDevices } from '@wattdeck/contract/dashboard/big-screen-devices.ts'
import { areaLevel } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import type { Flylines } from '@wattdeck/contract/dashboard/big-screen-orders.ts'
import { useMemo, useState } from 'react'
import type { z } from 'zod'
import { laterDrawing } from './lazy-drawing.tsx'
import { MapFoot } from './MapFoot.tsx'
import type { MapFigures, Pressed } from './map-option.ts'
import { shortText } from './number-text.ts'
import { levelOf, pathBelow } from './region.ts'
import { StaleMark } from './ScreenPanel.tsx'
import { SiteDevices } from './SiteDevices.tsx'
import { useQuiet } from './turns.ts'
import { type Areas, useAreas, useEnter } from './use-areas.ts'
import { useFigures } from './use-figures.ts'
import { useWallboardMap, type WallboardMap } from './use-wallboard-map.ts'
import { useWallboardView } from './view.ts'
import { onlineFilter, wallboardFilter } from './wallboard-filter.ts'

const MapCanvas = laterDrawing(() => import('./MapCanvas.tsx').then((part) => part.MapCanvas))
type Lines = z.infer<typeof Flylines>
type Points = z.infer<typeof AreaDevices>
const noLines: Lines['lines'] = []

/** The map of a wallboard: regions shaded by count, devices by state, and today's charges as flights. */
export function MapPanel() {
  const view = useWallboardView()
  const { adcode, siteId, choice } = view
  const filter = wallboardFilter(choice, adcode)
  const quiet = useQuiet()
  const areas = useAreas()
  const places = useFigures(
    bigScreen.areaDevices,
    { ...filter, ...onlineFilter(choice), ...(siteId === undefined ? {} : { siteId }) },
    // The start or end of a charge changes the state of its device.
    { of: ['device', 'order'] },
  )
  const flights = useFigures(bigScreen.flylines, filter, { of: ['order'], pace: 'slow', enabled: siteId === undefined })
  const { map: own, failed, names } = useWallboardMap(adcode)
  // Shows the previous map until the next one is loaded.
  const [before, setBefore] = useState(own)
  if (own && own !== before) setBefore(own)
  const map = own ?? (failed ? undefined : before)
  const enter = useEnter()

  const figures = useMemo(
    () =>
      map && {
        ...figuresOf(map, areas.data, places.data, siteId === undefined ? flights.data : undefined, quiet),
        near: levelOf(adcode) === 'district' ? cornersOf(places.data) : null,
      },
    [map, areas.data, places.data, flights.data, adcode, siteId, quiet],
  )
  function press(pressed: Pressed) {
    if (pressed.componentType === 'geo') {
      // The shape of a whole city, or of the box with the southern islands, has no target.
      if (pressed.name !== adcode && pressed.name !== '100000') view.go(pressed.name)
      return
    }
    const { point } = pressed.data
    if (point === undefined) return
    const ofSites = places.data?.level === areaLevel.code.site
    // Descends one level: a point may represent places in many districts.
    const below = ofSites ? undefined : pathBelow(view.home, point.code)[view.path.length]
    enter({ code: below ?? point.code, ofSites })?.()
  }
  const stale = areas.staleSince ?? places.staleSince ?? flights.staleSince
  return (
    <section className="wallboard-map-panel" aria-label="地图" data-stale={stale === undefined ? undefined : true}>
      {figures && <MapCanvas label={mapLabel(areas.data, names)} figures={figures} onPress={press} />}
      {!figures && !failed && <span className="wallboard-wait" />}
      {(failed || (areas.data?.ofSites === true && siteId === undefined)) && areas.data && (
        <AreaList areas={areas.data} note={failed ? '地图暂不可用，以列表显示' : undefined} />
      )}
      {siteId !== undefined && places.data && <SiteDevices places={places.data} />}
      {stale !== undefined && <StaleMark since={stale} />}
      <MapFoot names={names} approval={map?.approval} hasMap={map !== undefined} places={places.data} />
    </section>
  )
}

function figuresOf(
  { name, features, names }: WallboardMap,
  areas: Areas | undefined,
  places: Points | undefined,
  flights: Lines | undefined,
  quiet: boolean,
): Omit<MapFigures, 'near'> {
  const to = flights && ([flights.to.positionX, flights.to.positionY] as const)
  const lines = flights?.lines ?? noLines
  return {
    map: { name, features },
    names,
    shades: (areas?.ofSites === true ? [] : (areas?.all ?? [])).map(({ adcode, countNum }) => ({
      adcode,
      value: countNum,
    })),
    points: places?.points ?? [],
    devices: places?.devices ?? [],
    // Charges at the target of the lines need no line.
    lines: lines
      .filter((line) => to && (line.positionX !== to[0] || line.positionY !== to[1]))
      .map((line) => ({ from: [line.positionX, line.positionY], to: to ?? [0, 0], weight: line.countNum })),
    quiet,
  }
}

/** The bounding box of the places of a district, a small part of its city, with enough margin to recognise the city. */
function cornersOf(places: Points | undefined): MapFigures['near'] {
  const spots = [...(places?.points ?? []), ...(places?.devices ?? [])]
  if (spots.length === 0) return null
  const [xs, ys] = [spots.map(({ positionX }) => positionX), spots.map(({ positionY }) => positionY)]
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const around = Math.max(0.2, (east - west) * 0.4, (north - south) * 0.4)
  return [
    [west - around, north + around],
    [east + around, south - around],
  ]
}

const mapLabel = (areas: Areas | undefined, names: ReadonlyMap<string, string>) =>
  `地图，${(areas?.all ?? []).map(({ adcode, name, countNum }) => `${names.get(adcode) ?? name} ${shortText(countNum)}`).join('，')}`

/** Shown instead of a map, or below a city, which has no district shapes. */
function AreaList({ areas, note }: { areas: Areas; note: string | undefined }) {
  const enter = useEnter()
  return (
    <div className="wallboard-areas" data-alone={note === undefined ? undefined : true}>
      {note && <p>{note}</p>}
      <ul>
        {areas.all.map(({ code, name, countNum }) => (
          <li key={code || name}>
            <button type="button" disabled={code === ''} onClick={enter({ code, ofSites: areas.ofSites })}>
              <span className="one-line">{name}</span>
              <em>{shortText(countNum)}</em>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
