import type { MapFeature } from '@wattdeck/domain/map-file.ts'
import { useMemo } from 'react'
import { isProvince, type Shape, shapeOf } from '../../../kit/map/map-file.ts'
import { useMapFile } from '../../../kit/map/use-map-file.ts'
import { levelOf, provinceOf } from './region.ts'

export type WallboardMap = {
  /** Stable for the same shapes. */
  name: string
  features: readonly MapFeature[]
  /** The names of the shapes, by code. */
  names: ReadonlyMap<string, string>
  approval: string | undefined
}

function drawnOf(shapes: readonly Shape[], adcode: string): Pick<WallboardMap, 'name' | 'features'> | undefined {
  const level = levelOf(adcode)
  if (level === 'country' || level === 'province')
    return { name: adcode || 'country', features: shapes.map(({ feature }) => feature) }
  const shape = shapeOf(shapes, adcode)
  return shape && { name: shape.adcode, features: [shape.feature] }
}

/**
 * The country with its provinces, a province with its cities, or one city alone: only the files of municipalities have
 * district shapes. Loads the file of the country and that of the selected province.
 */
export function useWallboardMap(adcode: string): {
  map: WallboardMap | undefined
  failed: boolean
  names: WallboardMap['names']
} {
  const level = levelOf(adcode)
  const china = useMapFile('china')
  const own = useMapFile(level === 'country' ? 'china' : provinceOf(adcode))
  const names = useMemo(
    () =>
      new Map(
        [...(china.shapes ?? []).filter((shape) => isProvince(shape.adcode)), ...(own.shapes ?? [])].map((shape) => [
          shape.adcode,
          shape.name,
        ]),
      ),
    [china.shapes, own.shapes],
  )
  const drawn = useMemo(() => own.shapes && drawnOf(own.shapes, adcode), [adcode, own.shapes])
  const map = useMemo(() => drawn && { ...drawn, names, approval: own.approval }, [drawn, names, own.approval])
  return { map, failed: own.failed || (own.shapes !== undefined && map === undefined), names }
}
