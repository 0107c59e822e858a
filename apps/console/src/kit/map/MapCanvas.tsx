import { roundDegrees, type Point } from '@wattdeck/domain/geo.ts'
import { type KeyboardEvent, memo, type ReactNode, useMemo, useRef } from 'react'
import { type Box, joinBoxes, type Shape, shapeAt } from './map-file.ts'
import { MapButtons } from './MapButtons.tsx'
import { matrixOf, placeLabels, scaleBar, type Spot, toGround, toScreen } from './projection.ts'
import { useMapView } from './use-map-view.ts'

type Props = {
  label: string
  shapes: readonly Shape[]
  /** The surrounding shapes, so that a neighbour does not look like the sea. */
  around: readonly Shape[]
  /** The part shown at first; everything by default. */
  start?: Box | undefined
  /** A click on a shape; without it, shapes are background only. */
  onEnter?: ((shape: Shape) => void) | undefined
  onPoint: (point: Point) => void
  /** Content on the map, in pixels. */
  children: (onScreen: (point: Point) => Spot) => ReactNode
}

const keys: Record<string, 'in' | 'out' | 'left' | 'right' | 'up' | 'down' | 'home'> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  '0': 'home',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** A map drawn from shapes, which is panned and zoomed by pointer, buttons or keys. Enter selects the point of the cross. */
export function MapCanvas({ label, shapes, around, start, onEnter, onPoint, children }: Props) {
  const drawing = useRef<SVGSVGElement>(null)
  const box = useMemo(() => joinBoxes(shapes.map((shape) => shape.box)), [shapes])
  const { projection, known, go, drag, released } = useMapView(drawing, box, start ?? box)
  const { size } = projection
  const onScreen = (point: Point) => toScreen(projection, point)

  // When zoomed in, the label of the shape may be out of sight.
  const here = projection.view.zoom > 1 ? shapeAt(shapes, projection.view) : undefined

  function act(spot: Spot) {
    const { lng, lat } = toGround(projection, spot)
    const shape = shapeAt(shapes, { lng, lat })
    if (onEnter) return shape && onEnter(shape)
    return onPoint({ lng: roundDegrees(lng), lat: roundDegrees(lat) })
  }
  function onKeyDown(event: KeyboardEvent) {
    const to = keys[event.key]
    if (to) go(to)
    else if (event.key === 'Enter' || event.key === ' ') act({ x: size.width / 2, y: size.height / 2 })
    else return
    // Enter would submit the form around the map, and the arrows would scroll.
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="map-canvas">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the role application is one */}
      <svg
        ref={drawing}
        role="application"
        aria-label={`${label}。方向键移动，加减号缩放，回车键选中十字处`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the map is panned by keys, too
        tabIndex={0}
        onKeyDown={onKeyDown}
        {...drag}
        onPointerUp={(event) => {
          const spot = released(event)
          if (spot) act(spot)
        }}
      >
        {known && (
          <>
            <g transform={matrixOf(projection)}>
              <Ground shapes={around} kind="around" />
              <Ground shapes={shapes} kind={onEnter ? 'enter' : 'inside'} />
            </g>
            <g className="map-names" aria-hidden="true">
              {placeLabels(
                shapes.map(({ adcode, name, centre }) => ({ key: adcode + name, text: name, ...onScreen(centre) })),
                size,
              ).map(({ key, text, x, y }) => (
                <text key={key} x={x} y={y}>
                  {text}
                </text>
              ))}
            </g>
            {children(onScreen)}
            <path
              className="map-cross"
              d={`M${size.width / 2 - 12} ${size.height / 2}h24M${size.width / 2} ${size.height / 2 - 12}v24`}
            />
          </>
        )}
      </svg>
      {known && (
        <>
          {here && <div className="map-here">{here.name}</div>}
          <ScaleBar {...scaleBar(projection, 100)} />
        </>
      )}
      <MapButtons go={go} />
    </div>
  )
}

type GroundProps = { shapes: readonly Shape[]; kind: string }

/** Thousands of corners, so the shapes render once for a map and are only transformed afterwards. */
const Ground = memo(function Ground({ shapes, kind }: GroundProps) {
  return shapes.map(({ adcode, name, d }) => (
    <path key={adcode + name} className={`map-shape ${kind}`} d={d}>
      <title>{name}</title>
    </path>
  ))
})

const ScaleBar = ({ widthPx, text }: { widthPx: number; text: string }) => (
  <div className="map-scale" style={{ width: widthPx }}>
    {text}
  </div>
)
