import { centreOf, type Point, pointInPolygon } from '@wattdeck/domain/geo.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { MapFrame } from './MapFrame.tsx'
import { MapMarks, type MapPoint } from './MapMarks.tsx'
import type { Spot } from './projection.ts'

type Props = {
  /** Corners of a closed polygon; empty where there is none. */
  value?: readonly Point[]
  /** Called with a closed polygon and the points inside it; both are empty after the polygon is opened again. */
  onChange: (corners: Point[], inside: MapPoint[]) => void
  points: readonly MapPoint[]
  near?: string | undefined
}

const fewest = 3
const most = 100
const nothing: readonly Point[] = []

/** Draws an area corner by corner and lists the points inside it. */
export function MapArea({ value = nothing, onChange, points, near }: Props) {
  const [corners, setCorners] = useState<readonly Point[]>(value)
  const [closed, setClosed] = useState(value.length >= fewest)
  const [begin] = useState<Point | undefined>(value.length > 0 ? centreOf(value) : points[0])
  const insideOf = (area: readonly Point[]) => points.filter((point) => pointInPolygon(point, area))
  const inside = closed ? insideOf(corners) : []

  function draw(next: readonly Point[], close: boolean) {
    setCorners(next)
    setClosed(close)
    if (close) onChange([...next], insideOf(next))
    else if (closed) onChange([], [])
  }
  const add = (corner: Point) => {
    const isNew = !corners.some(({ lng, lat }) => lng === corner.lng && lat === corner.lat)
    if (!closed && isNew && corners.length < most) draw([...corners, corner], false)
  }

  return (
    <div className="map-area">
      <MapFrame
        label="圈选地图"
        near={near}
        focus={near === undefined || value.length > 0 ? begin : undefined}
        hint={closed ? '区域已闭合，撤销后可继续修改' : '依次点击地图添加顶点，至少三个'}
        onPoint={add}
      >
        {(onScreen) => (
          <>
            <Outline spots={corners.map(onScreen)} closed={closed} onClose={() => draw(corners, true)} />
            <MapMarks points={points} onScreen={onScreen} chosen={new Set(inside.map((point) => point.id))} />
          </>
        )}
      </MapFrame>
      <div className="map-area-bar">
        <Button type="primary" disabled={closed || corners.length < fewest} onClick={() => draw(corners, true)}>
          闭合区域
        </Button>
        <Button disabled={corners.length === 0} onClick={() => draw(closed ? corners : corners.slice(0, -1), false)}>
          撤销
        </Button>
        <Button disabled={corners.length === 0} onClick={() => draw([], false)}>
          清空
        </Button>
        <output className="meta">
          {closed ? `圈内 ${inside.length} 个，共 ${points.length} 个` : `已添加 ${corners.length} 个顶点`}
        </output>
      </div>
      {inside.length > 0 && (
        <ul className="map-inside" aria-label="圈内的点">
          {inside.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

type OutlineProps = { spots: readonly Spot[]; closed: boolean; onClose: () => void }

/** A press on the first corner closes the polygon. */
function Outline({ spots, closed, onClose }: OutlineProps) {
  const line = spots.map(({ x, y }) => `${x} ${y}`).join('L')
  const [first] = spots
  return (
    <g className={closed ? 'map-outline closed' : 'map-outline'}>
      {spots.length > 1 && <path d={`M${line}${closed ? 'Z' : ''}`} />}
      {spots.map(({ x, y }) => (
        <circle key={`${x} ${y}`} className="map-corner" cx={x} cy={y} r={4} />
      ))}
      {first && !closed && spots.length >= fewest && (
        <circle
          className="map-corner close"
          cx={first.x}
          cy={first.y}
          r={8}
          // The map would take the press for another corner.
          onPointerDown={(event) => event.stopPropagation()}
          onClick={onClose}
        />
      )}
    </g>
  )
}
