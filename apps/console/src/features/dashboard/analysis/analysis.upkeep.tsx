import { analysis, type Cohort } from '@wattdeck/contract/dashboard/analysis.ts'
import { ChartCard } from '../../../kit/charts/ChartCard.tsx'
import { lazyChart } from '../../../kit/charts/later-chart.tsx'
import { useList } from '../../../kit/api/queries.ts'
import { cohortTable, downtimeTable, percentText, usageTable } from './analysis-tables.ts'
import type { Analysis } from './use-analysis.ts'

const SeriesChart = lazyChart(async () => (await import('../../../kit/charts/SeriesChart.tsx')).SeriesChart)
const HeatChart = lazyChart(async () => (await import('../../../kit/charts/HeatChart.tsx')).HeatChart)

type Props = { of: Analysis }

export function MembersCard({ of }: Props) {
  const read = useList(analysis.trend, { query: of.grained })
  return (
    <ChartCard
      title="新增会员"
      note={of.query.deviceTypeId === undefined ? '按注册时间' : '会员不区分设备类型，请清除设备类型后查看'}
      query={read}
      tableOf={({ rows }) => ({ head: ['时间', '新增会员'], rows: rows.map((row) => [row.period, row.members]) })}
      isEmpty={({ rows }) => rows.every(({ members }) => (members ?? 0) === 0)}
    >
      {({ rows }) => (
        <SeriesChart
          label="新增会员"
          unit="人"
          names={rows.map(({ period }) => period)}
          series={[{ name: '新增会员', kind: 'bar', values: rows.map(({ members }) => members) }]}
        />
      )}
    </ChartCard>
  )
}

const pointsOf = (rows: readonly Cohort[]) =>
  rows.flatMap(({ members, active }, row) =>
    active.flatMap((count, after) => {
      const share = percentText(count, members)
      return share === null ? [] : [[after, row, Number(share)] as const]
    }),
  )

export function RetentionCard({ of }: Props) {
  const read = useList(analysis.retention, { query: of.query })
  return (
    <ChartCard
      title="会员留存"
      note="某月注册的会员中，在注册后第 k 个月充过电的比例（%），第 0 月为注册当月；不区分设备类型"
      query={read}
      tableOf={({ rows }) => cohortTable(rows)}
      isEmpty={({ rows }) => rows.every(({ members }) => members === 0)}
    >
      {({ rows }) => (
        <HeatChart
          label={`会员留存：${rows.length} 个注册月份`}
          unit="%"
          numbers
          columns={Array.from({ length: Math.max(...rows.map(({ active }) => active.length)) }, (_, k) => `第${k}月`)}
          rows={rows.map(({ cohort, members }) => `${cohort}（${members}人）`)}
          points={pointsOf(rows)}
        />
      )}
    </ChartCard>
  )
}

export function UsageCard({ of }: Props) {
  const read = useList(analysis.usage, { query: of.grained })
  const { ports, usage } = read.data ?? {}
  return (
    <ChartCard
      title="端口利用率"
      note={`充电时长 ÷ 端口时长，按当前端口数${ports === undefined ? '' : `（${ports} 个）`}计算${usage ? `；整段时间 ${usage}%` : ''}`}
      query={read}
      tableOf={usageTable}
      isEmpty={(data) => data.ports === 0}
    >
      {({ rows }) => (
        <SeriesChart
          label={`端口利用率，共 ${rows.length} 个时间点`}
          unit="%"
          names={rows.map(({ period }) => period)}
          series={[
            {
              name: '端口利用率',
              kind: 'line',
              values: rows.map((row) => (row.usage === null ? null : Number(row.usage))),
            },
          ]}
        />
      )}
    </ChartCard>
  )
}

const hoursOf = (seconds: number) => Math.round(seconds / 36) / 100
const hoursText = (seconds: number) => hoursOf(seconds).toLocaleString('zh-CN')

export function DowntimeCard({ of }: Props) {
  const read = useList(analysis.downtime, { query: of.grained })
  const upkeep = read.data
  return (
    <ChartCard
      title="设备停机与损失"
      wide
      note={
        upkeep === undefined
          ? undefined
          : `离线 ${hoursText(upkeep.offlinePortS)}、故障 ${hoursText(upkeep.faultPortS)} 端口小时，占端口时长 ${upkeep.share ?? '–'}%；估算损失 ${upkeep.lost ?? '–'} 元${upkeep.from === of.query.from ? '' : `；${upkeep.from} 至 ${upkeep.to}（最近 92 天）`}`
      }
      query={read}
      tableOf={downtimeTable}
      isEmpty={({ rows }) => rows.every((row) => row.offlinePortS === 0 && row.faultPortS === 0)}
    >
      {({ rows }) => (
        <SeriesChart
          label="设备停机，端口小时"
          unit="端口小时"
          names={rows.map(({ period }) => period)}
          series={[
            { name: '离线', kind: 'bar', values: rows.map(({ offlinePortS }) => hoursOf(offlinePortS)) },
            { name: '故障', kind: 'bar', values: rows.map(({ faultPortS }) => hoursOf(faultPortS)) },
          ]}
        />
      )}
    </ChartCard>
  )
}
