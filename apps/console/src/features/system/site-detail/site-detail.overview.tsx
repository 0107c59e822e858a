import { priceType, siteType } from '@wattdeck/contract/system/site.ts'
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
import { laterChart } from '../../../kit/charts/later-chart.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'

const BarLineChart = laterChart(async () => (await import('../../../kit/charts/BarLineChart.tsx')).BarLineChart)
const SiteMap = lazyPart(async () => (await import('./site-detail.map.tsx')).SiteMap)

const columns = { xs: 1, sm: 2 }
const fact = (key: string, label: string, children: React.ReactNode) => ({ key, label, children })

const insurance = ({ insured, insuredUntil }: SiteDetail) =>
  insured ? `已投保${insuredUntil === null ? '' : `，至 ${insuredUntil}`}` : '未投保'

const facts = (row: SiteDetail) => [
  fact('type', '类型', cells.label(siteType, row.type)),
  fact('region', '省市区', cells.text(row.regionName)),
  fact('address', '地址', cells.text(row.address)),
  fact('contact', '联系人', cells.text(row.contact)),
  fact(
    'phone',
    '电话',
    row.phone === null ? (
      cells.dash
    ) : (
      <MaskedText value={row.phone} kind="site" id={row.id} field="phone" what="电话" />
    ),
  ),
  fact('hours', '营业时间', row.openHours),
  fact(
    'tariff',
    '消费标准',
    <ObjectLink kind="tariff" id={row.tariffName === null ? null : row.tariffId}>
      {cells.text(row.tariffName)}
    </ObjectLink>,
  ),
  fact('price', '电价类型', cells.label(priceType, row.priceType)),
  fact('capacity', '报装容量', `${cells.count(row.capacityKva)} kVA`),
  fact('parking', '车位数', cells.count(row.parkingSpaces)),
  fact('parkingNote', '停车费说明', cells.text(row.parkingNote)),
  fact('insurance', '保险', insurance(row)),
  fact('createdBy', '创建人', cells.text(row.createdBy)),
  fact('createdAt', '创建时间', cells.time(row.createdAt)),
  fact('remark', '备注', cells.text(row.remark)),
]

/** How the site has done, what it is and where it stands. */
export function SiteOverview({ row }: { row: SiteDetail }) {
  const user = useUser()
  return (
    <div className="site-overview">
      <div className="site-sections">
        {mayCall(user, { menu: sitePartMenus.today }) && <SiteTrend id={row.id} />}
        <section className="panel site-section">
          <h2>基本信息</h2>
          <Descriptions size="small" column={columns} items={facts(row)} />
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
