import type { Point } from '@wattdeck/domain/geo.ts'
import { Button, Select } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { type Box, isProvince, provinceOf, type Shape, shapeAt, shapeOf } from './map-file.ts'
import { MapCanvas } from './MapCanvas.tsx'
import './map.css'
import { boxAround, type Spot } from './projection.ts'
import { useMapFile } from './use-map-file.ts'

type Props = {
  label: string
  /** The code of the region to start with. */
  near?: string | undefined
  /** A point to show. Another one moves the map there. */
  focus?: Point | undefined
  /** The effect of a click inside a province. */
  hint: string
  onPoint: (point: Point) => void
  children: (onScreen: (point: Point) => Spot) => ReactNode
}
type Place = { province: string; city?: string; around?: Point }

const country = 'china'
const nothing: readonly Shape[] = []

/** The country, and from there a province: selected on the map or from the lists above it. */
export function MapFrame({ label, near, focus, hint, onPoint, children }: Props) {
  const china = useMapFile(country)
  // The user's selection applies until there is another point to show.
  const [chosen, setChosen] = useState<{ place: Place; since: Point | undefined }>()
  const place = chosen && chosen.since === focus ? chosen.place : beginning(china.shapes, near, focus)
  const { province } = place
  const own = useMapFile(province)
  const { shapes } = own
  const provinces = useMemo(() => china.shapes?.filter(({ adcode }) => isProvince(adcode)), [china.shapes])
  const around = useMemo(
    () => (province === country ? undefined : provinces?.filter(({ adcode }) => adcode !== province)),
    [provinces, province],
  )
  const go = (to: Place) => setChosen({ place: to, since: focus })
  // The inset of the southern islands cannot be entered.
  const enter = ({ adcode }: Shape) => isProvince(adcode) && go({ province: adcode })

  return (
    <div className="map-frame">
      <div className="map-places">
        <Select
          aria-label="省份"
          value={province}
          onChange={(next) => go({ province: next })}
          showSearch={{ optionFilterProp: 'label' }}
          options={[
            { value: country, label: '全国' },
            ...(provinces ?? []).map(({ adcode, name }) => ({ value: adcode, label: name })),
          ]}
        />
        {province !== country && (
          <>
            <Select
              aria-label="城市"
              placeholder="定位到城市"
              allowClear
              value={place.city ?? null}
              onChange={(city?: string) => go({ province, ...(city ? { city } : {}) })}
              showSearch={{ optionFilterProp: 'label' }}
              options={(shapes ?? []).map(({ name }) => ({ value: name, label: name }))}
            />
            <Button onClick={() => go({ province: country })}>返回全国</Button>
          </>
        )}
      </div>
      {shapes ? (
        <MapCanvas
          key={JSON.stringify(place)}
          label={label}
          shapes={shapes}
          start={startOf(shapes, place, near)}
          around={around ?? nothing}
          onEnter={province === country ? enter : undefined}
          onPoint={onPoint}
        >
          {children}
        </MapCanvas>
      ) : (
        <output className="map-canvas map-missing">
          {own.failed ? (
            <>
              地图加载失败，可直接填写经纬度
              <Button onClick={() => void own.refetch()}>重试</Button>
            </>
          ) : (
            '地图加载中…'
          )}
        </output>
      )}
      <p className="meta map-note">
        {province === country ? '点击省份进入' : hint}
        <span>{own.approval === undefined ? '示意图，仅供选点参考' : `审图号：${own.approval}`}</span>
      </p>
    </div>
  )
}

/** The initial place: around the point, else the region, else the whole country. */
function beginning(shapes: readonly Shape[] | undefined, near: string | undefined, focus: Point | undefined): Place {
  const found = focus && shapes ? shapeAt(shapes, focus) : undefined
  if (focus && found && isProvince(found.adcode)) return { province: found.adcode, around: focus }
  return { province: near ? provinceOf(near) : country }
}

function startOf(
  shapes: readonly Shape[],
  { city, around, province }: Place,
  near: string | undefined,
): Box | undefined {
  if (province === country) return undefined
  if (city !== undefined) return shapes.find((shape) => shape.name === city)?.box
  if (around) return boxAround(around)
  return near && provinceOf(near) === province ? shapeOf(shapes, near)?.box : undefined
}
