import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { type DeviceDetail, deviceDetail, type PowerSample } from '@wattdeck/contract/product/device-detail.ts'
import { Empty, Segmented, Select } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import type { ChartPoint } from '../../../kit/charts/LineChart.tsx'
import { lazyChart } from '../../../kit/charts/later-chart.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { shanghaiTime } from '../../../kit/display/time-text.ts'
import { subscribeDevices } from '../../../kit/devices/device-live.ts'
import { formatDatetime } from '../../../kit/display/format-datetime.ts'
import '../_shared/product.css'

const LineChart = lazyChart(async () => (await import('../../../kit/charts/LineChart.tsx')).LineChart)

const hourMs = 3_600_000
const spans = [
  { value: 1, label: '近1小时' },
  { value: 6, label: '近6小时' },
  { value: 24, label: '近24小时' },
  { value: 72, label: '近3天' },
  { value: 168, label: '近7天' },
]
const metrics = {
  powerDw: { label: '功率', unit: 'W', size: 10 },
  voltageDv: { label: '电压', unit: 'V', size: 10 },
  currentMa: { label: '电流', unit: 'A', size: 1000 },
  energyWh: { label: '电量', unit: 'kWh', size: 1000 },
  temperatureC: { label: '温度', unit: '℃', size: 1 },
} as const
type Metric = keyof typeof metrics

/** A charging port if there is one, because its curve is the relevant one. */
const firstPort = ({ ports }: DeviceDetail) =>
  (ports.find((port) => port.status === plugStatus.code.working) ?? ports[0])?.portNo ?? 1

/** The readings of a port over time; the curve grows while it is displayed. */
export function DeviceCurve({ device }: { device: DeviceDetail }) {
  const [portNo, setPortNo] = useState(() => firstPort(device))
  const [metric, setMetric] = useState<Metric>('powerDw')
  const [span, setSpan] = useState(() => ({ hours: 6, end: Date.now() }))
  return (
    <section className="panel device-section">
      <div className="curve-bar">
        <Select
          aria-label="端口"
          value={portNo}
          onChange={setPortNo}
          options={device.ports.map((port) => ({ value: port.portNo, label: `${port.portNo} 号端口` }))}
        />
        <Select<Metric>
          aria-label="指标"
          value={metric}
          onChange={setMetric}
          options={Object.entries(metrics).map(([value, { label }]) => ({ value: value as Metric, label }))}
        />
        <Segmented
          aria-label="时间范围"
          value={span.hours}
          onChange={(hours) => setSpan({ hours, end: Date.now() })}
          options={spans}
        />
      </div>
      <Curve key={`${portNo} ${span.hours} ${span.end}`} id={device.id} portNo={portNo} span={span} metric={metric} />
    </section>
  )
}

type CurveProps = { id: string; portNo: number; span: { hours: number; end: number }; metric: Metric }

function Curve({ id, portNo, span, metric }: CurveProps) {
  const read = useDetail(deviceDetail.powerCurve, {
    params: { id },
    query: {
      portNo,
      beginAt: formatDatetime(span.end - span.hours * hourMs),
      endAt: formatDatetime(span.end),
    },
  })
  const liveSamples = useLiveSamples(id, portNo)
  const { label, unit, size } = metrics[metric]
  const points = useMemo(() => {
    const samples = read.data ?? []
    const last = samples.at(-1)?.at ?? ''
    return [...samples, ...liveSamples.filter((sample) => sample.at > last)].flatMap((sample): ChartPoint[] => {
      const value = sample[metric]
      return value === null ? [] : [[shanghaiTime(sample.at).getTime(), value / size]]
    })
  }, [read.data, liveSamples, metric, size])
  // The axis moves with new readings and keeps its length.
  const to = Math.max(span.end, points.at(-1)?.[0] ?? 0)
  return (
    <States query={read} rows={8}>
      {() =>
        points.length === 0 ? (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="该时间段内没有上报数据" />
        ) : (
          <LineChart
            label={`${portNo} 号端口${label}`}
            unit={unit}
            points={points}
            from={to - span.hours * hourMs}
            to={to}
          />
        )
      }
    </States>
  )
}

const mostLiveSamples = 2000

/** Readings of the port since the page was opened. */
function useLiveSamples(id: string, portNo: number): readonly PowerSample[] {
  const [liveSamples, setLiveSamples] = useState<readonly PowerSample[]>([])
  useEffect(
    () =>
      subscribeDevices([id], (patches) => {
        const port = patches.find((patch) => patch.id === id)?.ports.find((one) => one.portNo === portNo)
        const { reportedAt: at, powerDw } = port ?? {}
        if (!port || !at || powerDw === null || powerDw === undefined) return
        const { energyWh, voltageDv, currentMa, temperatureC } = port
        const sample = { at, powerDw, energyWh, voltageDv, currentMa, temperatureC }
        setLiveSamples((samples) => [...samples.filter((one) => one.at !== at), sample].slice(-mostLiveSamples))
      }),
    [id, portNo],
  )
  return liveSamples
}
