import type { AreaDevice, AreaPoint } from '@wattdeck/contract/dashboard/big-screen-devices.ts'
import { areaState } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import type { MapFeature } from '@wattdeck/domain/map-file.ts'
import { registerMap } from 'echarts/core'
import { mix } from '../../../kit/theme/colour.ts'
import { shortText } from './number-text.ts'
import type { WallboardColours } from './use-wallboard-chart.ts'

type Corner = readonly [number, number]
export type MapFigures = {
  map: { name: string; features: readonly MapFeature[] }
  names: ReadonlyMap<string, string>
  /** The value of each region, by its code. */
  shades: readonly { adcode: string; value: number }[]
  points: readonly AreaPoint[]
  devices: readonly AreaDevice[]
  /** Opposite corners of the visible area when it is a small part of the map. */
  near: readonly [Corner, Corner] | null
  lines: readonly { from: readonly [number, number]; to: readonly [number, number]; weight: number }[]
  quiet: boolean
}

/** The element of a click event of echarts. */
export type Pressed =
  | { componentType: 'geo'; name: string }
  | { componentType: 'series'; data: { point?: AreaPoint; device?: AreaDevice } }

const { offline, free, working, fault } = areaState.code

/** Label offsets of small provinces whose names would overlap, in letters. */
const asides: Readonly<Record<string, Corner>> = {
  110000: [-0.4, -0.5],
  120000: [1, 0.4],
  310000: [1.2, 0],
  810000: [1.4, 0],
  820000: [-1.2, 0.7],
}

const registered = new Map<string, MapFigures['map']['features'][number] | undefined>()
/** echarts keeps every registered map, so each is registered once: at most 34 provinces and their cities. */
function registeredName({ name, features }: MapFigures['map']): string {
  // Not 'china': echarts adds islands to a map of that name, which our file already contains.
  const key = `wallboard-${name}`
  if (registered.get(key) === features[0]) return key
  registered.set(key, features[0])
  const shown = features.map((feature) => ({
    ...feature,
    properties: { ...feature.properties, cp: feature.properties.centre },
  }))
  registerMap(key, { type: 'FeatureCollection', features: shown } as unknown as Parameters<typeof registerMap>[1])
  return key
}

/** Grows with the number of devices, up to a size that does not hide neighbours. */
const sizeOf = (devices: number, font: number) => font * Math.min(2.2, 0.6 + Math.log10(1 + devices) * 0.4)

export function mapOption(colours: WallboardColours, figures: MapFigures) {
  const { text, border, glow, gold, ok, bad, off, low, high, panel, font } = colours
  const { map, names, shades, points, devices, lines, near, quiet } = figures
  const most = Math.max(...shades.map(({ value }) => value), 1)
  const stateColours = { [offline]: off, [free]: ok, [working]: glow, [fault]: bad }
  const heaviest = Math.max(...lines.map(({ weight }) => weight), 1)
  return {
    animation: false,
    tooltip: { renderMode: 'richText', confine: true },
    geo: {
      id: 'ground',
      map: registeredName(map),
      nameProperty: 'adcode',
      roam: false,
      preserveAspect: true,
      boundingCoords: near,
      left: '4%',
      right: '4%',
      top: '3%',
      bottom: '6%',
      label: {
        show: true,
        color: text,
        fontSize: font * 0.8125,
        textBorderColor: panel,
        textBorderWidth: 2,
        formatter: ({ name }: { name: string }) => names.get(name) ?? '',
      },
      itemStyle: { areaColor: low, borderColor: border, borderWidth: 1 },
      emphasis: { label: { color: text }, itemStyle: { areaColor: glow } },
      select: { disabled: true },
      tooltip: { show: true, formatter: ({ name }: { name: string }) => tooltipText(names, shades, name) },
      // The square root keeps small values distinguishable from zero.
      regions: [...new Set([...shades.map(({ adcode }) => adcode), ...Object.keys(asides)])].map((adcode) => {
        const value = shades.find((shade) => shade.adcode === adcode)?.value ?? 0
        const [right, down] = asides[adcode] ?? [0, 0]
        return {
          name: adcode,
          label: { offset: [right * font, down * font] },
          itemStyle: { areaColor: value === 0 ? low : mix(high, low, 0.25 + 0.75 * Math.sqrt(value / most)) },
        }
      }),
    },
    series: [
      {
        id: 'lines',
        type: 'lines',
        coordinateSystem: 'geo',
        silent: true,
        zlevel: 1,
        // Without a trail: echarts draws it by copying the canvas, which fails when a chart is disposed.
        effect: {
          show: !quiet && lines.length > 0,
          period: 5,
          symbol: 'arrow',
          symbolSize: font * 0.45,
          trailLength: 0,
          color: gold,
        },
        lineStyle: { color: gold, curveness: 0.25, opacity: 0.5 },
        data: lines.map(({ from, to, weight }) => ({
          coords: [from, to],
          lineStyle: { width: 0.6 + 1.8 * (weight / heaviest) },
        })),
      },
      {
        id: 'points',
        type: 'scatter',
        coordinateSystem: 'geo',
        zlevel: 2,
        itemStyle: { borderColor: panel, borderWidth: 1 },
        tooltip: { formatter: ({ data }: { data: PointData }) => pointText(data) },
        data: [
          ...points.map((point) => ({
            name: point.name,
            value: [point.positionX, point.positionY],
            symbolSize: sizeOf(point.allDeviceCount, font),
            itemStyle: { color: pointColour(point, { bad, ok, glow, off }), opacity: 0.9 },
            point,
          })),
          ...devices.map((device) => ({
            name: device.deviceName,
            value: [device.positionX, device.positionY],
            symbolSize: font * 0.75,
            itemStyle: { color: stateColours[device.state] },
            device,
          })),
        ],
      },
    ],
  }
}

type PointData = { point?: AreaPoint; device?: AreaDevice }

function pointColour(point: AreaPoint, { bad, ok, glow, off }: Pick<WallboardColours, 'bad' | 'ok' | 'glow' | 'off'>) {
  if (point.onLineDeviceNum === 0) return off
  if (point.faultPortNum > 0) return bad
  return point.workingPortNum > 0 ? glow : ok
}

const tooltipText = (names: ReadonlyMap<string, string>, shades: MapFigures['shades'], adcode: string) => {
  const value = shades.find((shade) => shade.adcode === adcode)?.value ?? 0
  return names.has(adcode) ? `${names.get(adcode)}  ${shortText(value)}` : ''
}

function pointText({ point, device }: PointData): string {
  if (device)
    return `${device.deviceName}\n${areaState.show(device.state).label} · ${device.siteName ?? device.deviceNo}`
  if (!point) return ''
  const more = point.areaCount > 1 ? ` 等 ${point.areaCount} 处` : ''
  return `${point.name}${more}\n设备 ${point.allDeviceCount} 台，在线 ${point.onLineDeviceNum} 台\n工作中 ${point.workingPortNum} 口，故障 ${point.faultPortNum} 口`
}
