import { LinesChart, ScatterChart } from 'echarts/charts'
import { GeoComponent, TooltipComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useCallback, useEffect, useEffectEvent } from 'react'
import { type MapFigures, mapOption, type Pressed } from './map-option.ts'
import { useWallChart, type WallColours } from './use-wall-chart.ts'

use([GeoComponent, LinesChart, ScatterChart, TooltipComponent, CanvasRenderer])

type Props = { label: string; figures: MapFigures; onPress: (pressed: Pressed) => void }

/** The map itself. Load it by `lazyPart`: it is heavy. */
export function MapCanvas({ label, figures, onPress }: Props) {
  const optionOf = useCallback((colours: WallColours) => mapOption(colours, figures), [figures])
  const { box, chart } = useWallChart(optionOf)
  const press = useEffectEvent((pressed: Pressed) => onPress(pressed))
  useEffect(() => {
    const made = chart.current
    made?.on('click', (event) => press(event as unknown as Pressed))
    return () => void made?.off('click')
  })
  return (
    <figure className="wall-map" aria-label={label}>
      <div ref={box} aria-hidden />
    </figure>
  )
}
