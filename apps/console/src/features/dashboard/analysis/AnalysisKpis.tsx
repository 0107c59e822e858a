import {
  analysis,
  analysisFigure,
  type AnalysisFigure,
  type AnalysisKpi,
} from '@wattdeck/contract/dashboard/analysis.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { Tooltip } from 'antd'
import { useList } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import type { Analysis } from './use-analysis.ts'

const units: Record<AnalysisFigure, string> = {
  revenue: '元',
  orders: '单',
  energy: 'kWh',
  service: '元',
  refunded: '元',
  members: '人',
  recharged: '元',
}
type Kpis = DataOf<typeof analysis.kpis>
const apart = (text: string) => text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',')

export function AnalysisKpis({ of: { query } }: { of: Analysis }) {
  const read = useList(analysis.kpis, { query })
  return (
    <section className="panel analysis-kpis" aria-label="关键指标" aria-busy={read.isFetching}>
      <States query={read} rows={2}>
        {(data) => (
          <dl>
            {data.figures.map((kpi) => (
              <div key={kpi.key}>
                <dt>
                  {analysisFigure.show(kpi.key).label}
                  <small>（{units[kpi.key]}）</small>
                </dt>
                <dd>{kpi.value === null ? <Untold /> : apart(kpi.value)}</dd>
                {data.until !== null && kpi.part !== null && (
                  <dd className="kpi-until">
                    截至 {data.until.slice(5)}：{apart(kpi.part)}
                  </dd>
                )}
                <dd className="kpi-changes">
                  <Change kpi={kpi} of={data} which="previous" />
                  <Change kpi={kpi} of={data} which="lastYear" />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </States>
    </section>
  )
}

const Untold = () => (
  <Tooltip title="会员与充值不区分设备类型">
    <span className="dash">–</span>
  </Tooltip>
)

const isNothing = (amount: string) => Number(amount) === 0

/** The comparison as text; while the period is running it includes how far it reaches. */
function Change({ kpi, of, which }: { kpi: AnalysisKpi; of: Kpis; which: 'previous' | 'lastYear' }) {
  if (kpi.value === null) return null
  const change = kpi[`${which}Change`]
  // Two empty periods have no comparison.
  if (change === null && isNothing(kpi.part ?? kpi.value)) return null
  const word = which === 'previous' ? '环比' : '同比'
  const { from, to } = of[which]
  const days = from === to ? from : `${from} 至 ${to}`
  const unit = units[kpi.key]
  const how =
    of.until === null
      ? `${days}：${kpi[which] ?? ''} ${unit}`
      : `截至 ${of.until} 为 ${kpi.part ?? ''} ${unit}；${days} 同一时段为 ${kpi[which] ?? ''} ${unit}`
  const tone = change === null || Number(change) === 0 ? 'off' : change.startsWith('-') ? 'down' : 'up'
  const arrow = { up: '▲', down: '▼', off: '' }[tone]
  return (
    <Tooltip title={how}>
      <span data-change={tone} role="note" aria-label={`${word} ${how}`}>
        {word} {change === null ? '无可比数据' : `${arrow}${change.replace('-', '')}%`}
      </span>
    </Tooltip>
  )
}
