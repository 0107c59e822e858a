import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type EncodedMap, type MapFile, provinceFiles, readMap } from '@wattdeck/domain/map-file.ts'
import type { Plugin } from 'vite'

type Ring = [number, number][]
type InsetRegion = { name: string; center: [number, number]; geometries: { exterior: Ring }[] }

const read: (module: string) => unknown = createRequire(import.meta.url)
const country = '100000'

/** The inset of the South China Sea islands and the dashed line. echarts draws it in code, so it has no data file. */
function insetOf(): MapFile['features'] {
  const draw = read('echarts4/lib/coord/geo/fix/nanhai.js') as (map: string, regions: InsetRegion[]) => void
  const regions: InsetRegion[] = []
  draw('china', regions)
  return regions.flatMap(
    ({ name, geometries, center }) =>
      readMap(
        {
          features: [
            {
              properties: { name, cp: center },
              geometry: { type: 'MultiPolygon', coordinates: geometries.map(({ exterior }) => [exterior]) },
            },
          ],
        },
        country,
      ).features,
  )
}

const files = new Map<string, () => MapFile>([
  [
    'china.json',
    () => {
      const map = readMap(read('echarts4/map/json/china.json') as EncodedMap, country)
      return { ...map, features: [...map.features, ...insetOf()] }
    },
  ],
  ...Object.entries(provinceFiles).map(
    ([adcode, file]) =>
      [`${adcode}.json`, () => readMap(read(`echarts4/map/json/province/${file}.json`) as EncodedMap, adcode)] as const,
  ),
])

/**
 * The maps of the console as plain GeoJSON under /maps: china.json with the provinces, and one file for each province
 * with its cities, named by its code. A file of the same name in public/maps replaces ours.
 */
export function mapFiles(): Plugin {
  let replaced = (_name: string): boolean => false
  return {
    name: 'map-files',
    configResolved({ publicDir }) {
      replaced = (name) => existsSync(join(publicDir, 'maps', name))
    },
    configureServer(server) {
      server.middlewares.use('/maps', (request, response, next) => {
        const name = (request.url ?? '').replace(/^\//, '').replace(/\?.*$/, '')
        const make = files.get(name)
        if (!make || replaced(name)) return next()
        response.setHeader('content-type', 'application/json; charset=utf-8')
        response.end(JSON.stringify(make()))
      })
    },
    generateBundle() {
      for (const [name, make] of files)
        if (!replaced(name)) this.emitFile({ type: 'asset', fileName: `maps/${name}`, source: JSON.stringify(make()) })
    },
  }
}
