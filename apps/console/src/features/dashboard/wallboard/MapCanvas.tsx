import { LinesChart, ScatterChart } from 'echarts/charts'
import { GeoComponent, TooltipComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useCallback, useEffect, useEffectEvent } from 'react'
import { type MapFigures, mapOption, type Pressed } from './map-option.ts'
import { useWallboardChart, type WallboardColours } from './use-wallboard-chart.ts'

use([GeoComponent, LinesChart, ScatterChart, TooltipComponent, CanvasRenderer])

type Props = { label: string; figures: MapFigures; onPress: (pressed: Pressed) => void }

/** The map. Load it by `lazyPart` because of its bundle size. */
export function MapCanvas({ label, figures, onPress }: Props) {
  const optionOf = useCallback((colours: WallboardColours) => mapOption(colours, figures), [figures])
  const { box, chart } = useWallboardChart(optionOf)
  const press = useEffectEvent((pressed: Pressed) => onPress(pressed))
  useEffect(() => {
    const instance = chart.current
    instance?.on('click', (event) => press(event as unknown as Pressed))
    return () => void instance?.off('click')
  })
  return (
    <figure className="wallboard-map" aria-label={label}>
      <div ref={box} aria-hidden />
    </figure>
  )
}
