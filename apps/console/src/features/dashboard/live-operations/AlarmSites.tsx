import { liveTarget } from '@wattdeck/contract/dashboard/live-links.ts'
import { targetPath } from '@wattdeck/contract/dashboard/figure-links.ts'
import {
  type AlarmSite,
  type LiveAlarm,
  liveMost,
  liveOperations,
} from '@wattdeck/contract/dashboard/live-operations.ts'
import { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import {
  alarmDetailText,
  alarmFlow,
  alarmKind,
  alarmSeverity,
  alarmStatus,
} from '@wattdeck/contract/product/alarm-codes.ts'
import { repairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { Button } from 'antd'
import { type PointerEvent, useState } from 'react'
import { Link } from 'react-router'
import { Can } from '../../../kit/api/Can.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { StatusTag, Tag } from '../../../kit/display/StatusTag.tsx'
import { agoText } from '../../../kit/display/time-text.ts'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { Block, NothingHere } from '../_shared/Block.tsx'
import { heldSites } from './held-sites.ts'
import type { Panels } from './use-panels.ts'

const TicketDialog = lazyPart(async () => (await import('../../../kit/objects/TicketDialog.tsx')).TicketDialog)
const refresh = [liveOperations.alarms]

/** Unclosed alarms by site, worst site first. */
export function AlarmSites({ panels }: { panels: Panels }) {
  const { alarms: read } = panels
  const [pinnedSites, setPinnedSites] = useState<readonly AlarmSite[]>()
  const fresh = read.data?.sites ?? []
  const { sites, moved } = pinnedSites === undefined ? { sites: fresh, moved: false } : heldSites(pinnedSites, fresh)
  const pinSites = (event: PointerEvent) => {
    if (event.pointerType === 'mouse' && !read.isPlaceholderData) setPinnedSites(sites)
  }
  return (
    <Block
      title="告警（按站点）"
      area="alarms"
      query={read}
      rows={6}
      extra={moved && <Tag tone="run">有更新，移开指针后显示</Tag>}
    >
      {({ siteCount }) =>
        sites.length === 0 ? (
          <NothingHere>没有未关闭的告警</NothingHere>
        ) : (
          <>
            <ul className="alarm-sites" onPointerEnter={pinSites} onPointerLeave={() => setPinnedSites(undefined)}>
              {sites.map((site) => (
                <SiteAlarms key={site.siteId ?? 'none'} site={site} panels={panels} />
              ))}
            </ul>
            {siteCount > liveMost.sites && (
              <p className="meta">
                共 {cells.count(siteCount)} 个站点，显示前 {liveMost.sites} 个
              </p>
            )}
          </>
        )
      }
    </Block>
  )
}

/** Links to the alarm list of a site; devices without a site have no such list. */
function RestOfSite({ site: { siteId, count, alarms }, panels: { owner, menus } }: SiteProps) {
  const rest = count - alarms.length
  if (rest <= 0) return null
  const text = `其余 ${cells.count(rest)} 条`
  const target = siteId === null ? undefined : liveTarget('alarms', { ...owner, siteId }, menus)
  return <p className="alarm-rest">{target === undefined ? text : <Link to={targetPath(target)}>{text}</Link>}</p>
}

type SiteProps = { site: AlarmSite; panels: Panels }

function SiteAlarms({ site, panels }: SiteProps) {
  const { siteId, siteName, severity, count, alarms } = site
  return (
    <li>
      <div className="alarm-site">
        <StatusTag of={alarmSeverity} value={severity} />
        <strong className="one-line">
          {siteId === null ? (
            '未分配站点的设备'
          ) : (
            <ObjectLink kind="site" id={siteId}>
              {siteName ?? '其他站点'}
            </ObjectLink>
          )}
        </strong>
        <span className="meta">{cells.count(count)} 条</span>
      </div>
      <ul>
        {alarms.map((alarm) => (
          <AlarmLine key={alarm.id} alarm={alarm} />
        ))}
      </ul>
      <RestOfSite site={site} panels={panels} />
    </li>
  )
}

function AlarmLine({ alarm }: { alarm: LiveAlarm }) {
  const { kind, severity, status, deviceId, deviceNo, portNo, firstAt, detail, ticketId, ticketNo } = alarm
  const size = useNarrow() ? 'large' : 'small'
  const acknowledge = useSubmit(alarmCenter.acknowledge, { refresh })
  const [asking, ask, close] = useOpen<true>()
  const { label } = alarmKind.show(kind)
  const what = `${deviceNo} ${label}`
  return (
    <li className="alarm-line">
      <span className="alarm-what" data-tone={alarmSeverity.show(severity).tone}>
        <strong>{label}</strong>
        {alarmDetailText(detail) !== '' && <span className="meta">{alarmDetailText(detail)}</span>}
        {status === alarmStatus.code.acknowledged && <StatusTag of={alarmStatus} value={status} />}
      </span>
      <span className="alarm-where">
        <ObjectLink kind="device" id={deviceId}>
          {deviceNo}
        </ObjectLink>
        {portNo !== null && (
          <ObjectLink kind="port" id={`${deviceId}/${portNo}`}>
            {portNo} 号端口
          </ObjectLink>
        )}
        <time className="meta" dateTime={firstAt.replace(' ', 'T')} title={firstAt}>
          {agoText(firstAt)}
        </time>
        {ticketId !== null && (
          <ObjectLink kind="ticket" id={ticketId}>
            {ticketNo}
          </ObjectLink>
        )}
      </span>
      <span className="alarm-actions">
        {alarmFlow.can('acknowledge', status) && (
          <Can route={alarmCenter.acknowledge}>
            <Button
              size={size}
              aria-label={`确认 ${what}`}
              loading={acknowledge.pending}
              onClick={() => void acknowledge.run({ body: { ids: [alarm.id] } })}
            >
              确认
            </Button>
          </Can>
        )}
        {ticketId === null && (
          <Can route={repairTicket.add}>
            <Button size={size} aria-label={`报修 ${what}`} onClick={() => ask(true)}>
              报修
            </Button>
          </Can>
        )}
      </span>
      {asking && <TicketDialog alarm={alarm} refresh={refresh} onClose={close} />}
    </li>
  )
}
