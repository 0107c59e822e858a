import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { get } from '../kit/route.ts'
import { date, id, money, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds } from '../system/ownership.ts'

/** 粒度: the length of a step on the time axis. */
export const analysisGrain = codes({
  hour: { code: 1, label: '按小时' },
  day: { code: 2, label: '按日' },
  week: { code: 3, label: '按周' },
  month: { code: 4, label: '按月' },
})
export type AnalysisGrain = (typeof analysisGrain.options)[number]['value']

/** The longest period in days: overall, by hour, and for the heat map. */
export const analysisDays = { most: 366, hours: 7, heat: 92 } as const

const places = { ...ownerIds, deviceTypeId: id.optional() }
const days = { from: date.optional(), to: date.optional() }
const range = row({ ...places, ...days })
const ranged = row({ ...places, ...days, grain: analysisGrain.wire.optional() })

/** 指标. Members and recharges have no device type, so they are unavailable when one is selected. */
export const analysisFigure = codes({
  revenue: { code: 'revenue', label: '营收' },
  orders: { code: 'orders', label: '订单数' },
  energy: { code: 'energy', label: '电量' },
  service: { code: 'service', label: '服务费' },
  refunded: { code: 'refunded', label: '退款' },
  members: { code: 'members', label: '新增会员' },
  recharged: { code: 'recharged', label: '充值' },
})
export type AnalysisFigure = (typeof analysisFigure.options)[number]['value']

const span = row({ from: z.string(), to: z.string().describe('a running period is compared up to `until`') })
export type AnalysisKpi = z.infer<typeof AnalysisKpi>
export const AnalysisKpi = row({
  key: analysisFigure.schema,
  value: z.string().nullable().describe('yuan, kWh or a count, as decimal text; null: not available by device type'),
  part: z.string().nullable().describe('part of the value that is compared'),
  previous: z.string().nullable(),
  lastYear: z.string().nullable(),
  previousChange: z.string().nullable().describe('percent; null without a previous value'),
  lastYearChange: z.string().nullable(),
})

const amounts = { revenue: money, orders: z.int(), energyDwh: z.int().describe('1/10000 kWh') }
const Before = row({ period: z.string(), ...amounts })
export type TrendPoint = z.infer<typeof TrendPoint>
export const TrendPoint = row({
  period: z.string().describe('an hour, a day, the first day of a week, or a month'),
  ...amounts,
  service: money,
  refunded: money,
  members: z.int().nullable(),
  before: Before.nullable().describe('same position in the previous period'),
})

const Share = row({ id: z.string(), name: z.string(), ...amounts })
export type AnalysisShare = z.infer<typeof Share>

/** Weekdays from 1, Monday. */
const HeatCell = row({ weekday: z.int(), hour: z.int(), orders: z.int(), energyDwh: z.int() })
export type HeatCell = z.infer<typeof HeatCell>

const Cohort = row({
  cohort: z.string().describe('month of registration'),
  members: z.int(),
  active: z.array(z.int()).describe('members who charged, per month from the month of registration'),
})
export type Cohort = z.infer<typeof Cohort>

const percent = z.string().nullable()
const UsagePoint = row({ period: z.string(), seconds: z.int(), portSeconds: z.int(), usage: percent })
const DowntimePoint = row({ period: z.string(), offlinePortS: z.int(), faultPortS: z.int() })

const access = { menu: menuKey.analysis }

/** Each part of the page has its own call. All end with the last day and begin a month before it by default. */
export const analysis = {
  /** Device types for the filter, also for the customer analysis. */
  deviceTypes: get('/seeker/api/analysis/deviceTypes', {
    access: { menu: [menuKey.analysis, menuKey.customerAnalysis] },
    data: z.array(row({ id: z.string(), name: z.string() })),
  }),
  kpis: get('/seeker/api/analysis/kpis', {
    access,
    query: range,
    data: row({
      until: z.string().nullable().describe('end of the comparison for a running period'),
      previous: span,
      lastYear: span,
      figures: z.array(AnalysisKpi),
    }),
  }),
  trend: get('/seeker/api/analysis/trend', { access, query: ranged, data: row({ rows: z.array(TrendPoint) }) }),
  types: get('/seeker/api/analysis/types', { access, query: range, data: row({ rows: z.array(Share) }) }),
  sites: get('/seeker/api/analysis/sites', { access, query: range, data: row({ rows: z.array(Share) }) }),
  heat: get('/seeker/api/analysis/heat', {
    access,
    query: range,
    data: row({ from: z.string(), to: z.string(), rows: z.array(HeatCell) }),
  }),
  retention: get('/seeker/api/analysis/retention', { access, query: range, data: row({ rows: z.array(Cohort) }) }),
  usage: get('/seeker/api/analysis/usage', {
    access,
    query: ranged,
    data: row({ ports: z.int(), usage: percent, rows: z.array(UsagePoint) }),
  }),
  downtime: get('/seeker/api/analysis/downtime', {
    access,
    query: ranged,
    data: row({
      from: z.string(),
      to: z.string(),
      offlinePortS: z.int(),
      faultPortS: z.int(),
      share: percent.describe('percent of the port time of all current ports'),
      lost: money
        .nullable()
        .describe('estimate by the revenue of ports of the same type and hour of day; null if none was available'),
      rows: z.array(DowntimePoint),
    }),
  }),
}
