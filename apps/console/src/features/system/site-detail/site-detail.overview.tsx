import { type Site, siteList } from '@wattdeck/contract/system/site.ts'
import {
  type SiteDay,
  type SiteDetail,
  siteDetail,
  sitePartMenus,
  siteTrendDays,
} from '@wattdeck/contract/system/site-detail.ts'
import { energyText } from '@wattdeck/domain/tariff/labels.ts'
import { Descriptions } from 'antd'
import { useMemo } from 'react'
import { useDetail } from '../../../kit/api/queries.ts'
import { mayCall } from '../../../kit/api/rights.ts'
import { useUser } from '../../../kit/api/user.ts'
import type { BarLinePoint } from '../../../kit/charts/BarLineChart.tsx'
import { ChartCard } from '../../../kit/charts/ChartCard.tsx'
import { lazyChart } from '../../../kit/charts/later-chart.tsx'
import { fieldColumns } from '../../../kit/crud/field-columns.tsx'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { siteColumns } from '../site/site.columns.tsx'

const BarLineChart = lazyChart(async () => (await import('../../../kit/charts/BarLineChart.tsx')).BarLineChart)
const SiteMap = lazyPart(async () => (await import('./site-detail.map.tsx')).SiteMap)

const descriptionColumns = { xs: 1, sm: 2 }
/** Descriptive fields of the site list; the header and the figures show the others. */
const factNames = [
  'type',
  'regionName',
  'address',
  'contact',
  'phone',
  'openHours',
  'tariffName',
  'priceType',
  'capacityKva',
  'parkingSpaces',
  'parkingNote',
  'insurance',
  'createdBy',
  'createdAt',
  'remark',
] as const
const columns = new Map(
  fieldColumns<Site>(siteList.fields, [], { personal: 'site', changes: siteColumns }).map((column) => [
    column.key,
    column,
  ]),
)
const factsOf = (row: SiteDetail) =>
  factNames.flatMap((name) => {
    const column = columns.get(name)
    return column === undefined ? [] : [{ key: name, label: column.title, children: column.render(row) }]
  })

/** The trend of the site, its description and its location. */
export function SiteOverview({ row }: { row: SiteDetail }) {
  const user = useUser()
  return (
    <div className="site-overview">
      <div className="site-sections">
        {mayCall(user, { menu: sitePartMenus.today }) && <SiteTrend id={row.id} />}
        <section className="panel site-section">
          <h2>基本信息</h2>
          <Descriptions size="small" column={descriptionColumns} items={factsOf(row)} />
        </section>
      </div>
      <div className="site-sections">
        {row.pictureIds.length > 0 && <SitePictures row={row} />}
        <section className="panel site-section site-place">
          <h2>位置</h2>
          <SiteMap row={row} />
        </section>
      </div>
    </div>
  )
}

const SitePictures = ({ row: { name, pictureIds } }: { row: SiteDetail }) => (
  <section className="panel site-section">
    <h2>图片</h2>
    <div className="site-pictures">
      {pictureIds.map((id, at) => (
        <FilePicture key={id} id={id} alt={`${name} 图片 ${at + 1}`} size={96} />
      ))}
    </div>
  </section>
)

const revenue = { label: '营收', unit: '元' }
const orders = { label: '订单', unit: '单' }
const tableOf = (days: readonly SiteDay[]) => ({
  head: ['日期', '营收（元）', '订单', '电量（kWh）'],
  rows: days.map((day) => [day.period, day.revenue, String(day.orders), energyText(day.energyDwh)]),
})

function SiteTrend({ id }: { id: string }) {
  const query = useDetail(siteDetail.trend, { params: { id } })
  const points = useMemo(
    () => (query.data ?? []).map((day): BarLinePoint => [day.period.slice(5), Number(day.revenue), day.orders]),
    [query.data],
  )
  const title = `近${siteTrendDays}天营收与订单`
  return (
    <ChartCard
      title={title}
      query={query}
      tableOf={tableOf}
      isEmpty={(days) => days.every((day) => day.orders === 0 && day.revenue === '0.00')}
    >
      {() => <BarLineChart label={title} bar={revenue} line={orders} points={points} />}
    </ChartCard>
  )
}
