import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import { consumptionStandard } from '@wattdeck/contract/product/consumption-standard.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { qrCodeManage } from '@wattdeck/contract/system/qr-code-manage.ts'
import { site, siteType } from '@wattdeck/contract/system/site.ts'
import { type SiteDetail, siteDetail } from '@wattdeck/contract/system/site-detail.ts'
import { Button, Tabs } from 'antd'
import { type ComponentType, useEffect } from 'react'
import { Link } from 'react-router'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { Can } from '../../../kit/api/Can.tsx'
import { refetchRoutes, useDetail } from '../../../kit/api/queries.ts'
import { grantedKeys, mayCall } from '../../../kit/api/rights.ts'
import { useUser } from '../../../kit/api/user.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { FigureStrip } from '../../../kit/display/FigureStrip.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { EmptyPane, LateSkeleton, States } from '../../../kit/display/States.tsx'
import { StatusTag } from '../../../kit/display/StatusTag.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { followLists } from '../../../kit/live/follow-lists.ts'
import { OwnerPath } from '../../../kit/objects/OwnerPath.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useTabTitle } from '../../../kit/routing/tab-titles.ts'
import { useSiteToggle } from '../site/site.actions.ts'
// Not lazy: a page without a list would split the shared list chunks further, for every page.
import { SiteDevices } from './site-detail.devices.tsx'
import { SiteOverview } from './site-detail.overview.tsx'
import { siteFigures } from './site-figures.ts'
import './site-detail.css'

const SiteDialog = lazyPart(async () => (await import('../site/site.edit-dialog.tsx')).SiteDialog)
/** A tab that is loaded when it is first opened. */
const laterTab = (load: () => Promise<ComponentType<{ row: SiteDetail }>>) =>
  lazyPart(load, 'needed', <LateSkeleton rows={8} />)
const SiteOrders = laterTab(async () => (await import('./site-detail.orders.tsx')).SiteOrders)
const SiteAlarms = laterTab(async () => (await import('./site-detail.alarms.tsx')).SiteAlarms)
const SiteTariff = laterTab(async () => (await import('./site-detail.tariff.tsx')).SiteTariff)

const listPath = '/system/site'

/** One site, by the id in the URL, so a shared link shows the same. */
export default function SiteDetailPage() {
  const [search, setSearch] = useSearch()
  const id = search.get('id') ?? ''
  if (!/^[1-9]\d{0,17}$/.test(id))
    return (
      <PageFrame title="站点详情">
        <section className="panel">
          <EmptyPane
            filtered={false}
            text="请在站点管理中选择要查看的站点"
            action={
              <Link to={listPath}>
                <Button type="primary">前往站点管理</Button>
              </Link>
            }
          />
        </section>
      </PageFrame>
    )
  const onTab = (tab: string) => setSearch({ id, ...(tab === 'overview' ? {} : { tab }) }, { replace: true })
  return <SiteFrame key={id} id={id} tab={search.get('tab') ?? 'overview'} onTab={onTab} />
}

const { read, trend } = siteDetail
/** The routes of this page affected by a change of a list. */
const followed = {
  routes: { site: [read], device: [read], order: [read, trend], alarm: [read], repairTicket: [read] },
  polled: [read],
  leastMs: 5000,
  pollMs: 60_000,
}

function SiteFrame({ id, tab, onTab }: { id: string; tab: string; onTab: (tab: string) => void }) {
  const narrow = useNarrow()
  const detail = useDetail(read, { params: { id } })
  useEffect(() => followLists(followed, (routes) => void refetchRoutes(routes)), [])
  useTabTitle(detail.data && `站点 ${detail.data.name}`)
  const tabs = useSiteTabs(detail.data)
  return (
    <PageFrame
      title={detail.data?.name ?? '站点详情'}
      note={detail.data && <SiteHead row={detail.data} />}
      actions={
        <>
          {detail.data && <SiteActions row={detail.data} />}
          <Link to={listPath}>
            <Button>返回列表</Button>
          </Link>
        </>
      }
    >
      <States query={detail} rows={10}>
        {(data) => (
          <>
            <SiteFigures row={data} />
            <Tabs
              tabBarGutter={narrow ? 16 : 32}
              activeKey={tabs.some(({ key }) => key === tab) ? tab : 'overview'}
              onChange={onTab}
              destroyOnHidden
              items={tabs}
            />
          </>
        )}
      </States>
    </PageFrame>
  )
}

/** The current figures of the site and those of today. */
function SiteFigures({ row }: { row: SiteDetail }) {
  const user = useUser()
  return <FigureStrip label="站点概况" figures={siteFigures(row, grantedKeys(user?.menuTree ?? []))} />
}

/** One tab for each list that the user may open. */
function useSiteTabs(row: SiteDetail | undefined) {
  const user = useUser()
  if (row === undefined) return []
  return [
    { key: 'overview', label: '概览', children: <SiteOverview row={row} /> },
    { key: 'devices', label: '设备', route: deviceManage.list, children: <SiteDevices row={row} /> },
    { key: 'orders', label: '订单', route: consumeOrder.list, children: <SiteOrders row={row} /> },
    { key: 'alarms', label: '告警', route: alarmCenter.list, children: <SiteAlarms row={row} /> },
    { key: 'tariff', label: '消费标准', route: consumptionStandard.read, children: <SiteTariff row={row} /> },
  ]
    .filter(({ route }) => route === undefined || mayCall(user, route.access))
    .map(({ key, label, children }) => ({ key, label, children }))
}

const SiteHead = ({ row }: { row: SiteDetail }) => (
  <span className="site-head">
    <StatusTag of={enabledStatus} value={row.status} />
    <CopyId value={row.code} what="站点编号" />
    <span>{siteType.show(row.type).label}</span>
    <OwnerPath row={{ ...row, siteName: null }} />
  </span>
)

function SiteActions({ row }: { row: SiteDetail }) {
  const [editing, setEditing, close] = useOpen<true>()
  const toggle = useSiteToggle()(row)
  return (
    <>
      <Can route={site.edit}>
        <Button onClick={() => setEditing(true)}>编辑</Button>
        <Button onClick={toggle.onClick}>{toggle.label}</Button>
      </Can>
      <Can route={qrCodeManage.list}>
        <Link to={`/system/qrCodeManage?siteId=${row.id}`}>
          <Button>设备二维码</Button>
        </Link>
      </Can>
      {editing && <SiteDialog row={row} onClose={close} />}
    </>
  )
}
