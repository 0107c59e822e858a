import type { Point } from '@wattdeck/domain/geo.ts'
import type { Spot } from './projection.ts'

export type MapPoint = Point & { id: string; name: string }
type Props = { points: readonly MapPoint[]; onScreen: (point: Point) => Spot; chosen?: ReadonlySet<string> }

/** Points with names, such as sites; selected ones differ by colour and size. */
export const MapMarks = ({ points, onScreen, chosen }: Props) =>
  points.map((point) => {
    const { x, y } = onScreen(point)
    const isChosen = chosen?.has(point.id) ?? false
    return (
      <circle key={point.id} className={isChosen ? 'map-mark chosen' : 'map-mark'} cx={x} cy={y} r={isChosen ? 6 : 4.5}>
        <title>{point.name}</title>
      </circle>
    )
  })

/** The selected point; the tip of the pin marks it. */
export const Pin = ({ x, y }: Spot) => (
  <g className="map-pin" transform={`translate(${x} ${y})`}>
    <path d="M0 0C-3 -8 -9 -12 -9 -19A9 9 0 0 1 9 -19C9 -12 3 -8 0 0Z" />
    <circle cy={-19} r={3.2} />
  </g>
)
