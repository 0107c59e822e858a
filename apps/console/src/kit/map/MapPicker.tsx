import { chinaBounds, inChina, type Point } from '@wattdeck/domain/geo.ts'
import { Button, InputNumber } from 'antd'
import { useState } from 'react'
import { MapFrame } from './MapFrame.tsx'
import { MapMarks, type MapPoint, Pin } from './MapMarks.tsx'

type Props = {
  value?: Point | undefined
  /** Undefined: there is no point, or the typed values are invalid. */
  onChange: (point: Point | undefined) => void
  /** The code of the region to start with. */
  near?: string | undefined
  /** Other points to show, for orientation. */
  points?: readonly MapPoint[]
}
type Typed = { lng: number | null; lat: number | null }

const { west, east, south, north } = chinaBounds
const fields = [
  { name: 'lng', label: '经度', low: west, high: east },
  { name: 'lat', label: '纬度', low: south, high: north },
] as const

/** One point: clicked on a map, or typed as longitude and latitude. */
export function MapPicker({ value, onChange, near, points }: Props) {
  const [typed, setTyped] = useState<Typed>()
  const [focus, setFocus] = useState(value)
  const shown: Typed = typed ?? { lng: value?.lng ?? null, lat: value?.lat ?? null }

  function type(change: Partial<Typed>) {
    const next = { ...shown, ...change }
    const { lng, lat } = next
    const point = lng !== null && lat !== null && inChina({ lng, lat }) ? { lng, lat } : undefined
    setTyped(next)
    onChange(point)
  }
  /** The map moves there when the input is complete, not at each digit. */
  const settle = () => typed && value && setFocus(value)
  function pick(point: Point) {
    if (!inChina(point)) return
    setTyped(undefined)
    onChange(point)
  }

  return (
    <div className="map-picker">
      <MapFrame label="选点地图" near={near} focus={focus} hint="点击地图确定位置" onPoint={pick}>
        {(onScreen) => (
          <>
            {points && <MapMarks points={points} onScreen={onScreen} />}
            {value && <Pin {...onScreen(value)} />}
          </>
        )}
      </MapFrame>
      <div className="map-degrees">
        {fields.map(({ name, label, low, high }) => {
          const degrees = shown[name]
          const wrong = degrees !== null && (degrees < low || degrees > high)
          return (
            <label key={name}>
              <span>{label}</span>
              <InputNumber
                value={degrees}
                precision={6}
                controls={false}
                placeholder={`${low} 到 ${high}`}
                {...(wrong ? { status: 'error' as const } : {})}
                aria-invalid={wrong}
                onChange={(degree) => type({ [name]: degree })}
                onBlur={settle}
                onPressEnter={settle}
              />
              {wrong && <em role="alert">{`${label}应在 ${low} 到 ${high} 之间`}</em>}
            </label>
          )
        })}
        <Button disabled={shown.lng === null && shown.lat === null} onClick={() => type({ lng: null, lat: null })}>
          清除
        </Button>
      </div>
    </div>
  )
}
