import { alarmCenter, type Incident } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmKind, causeDimension, incidentStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import { Button, Drawer } from 'antd'
import { useEffect, useState } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import { subscribeLive } from '../../../kit/live/live-bus.ts'
import { refetchRoutes, useDetail, useList } from '../../../kit/api/queries.ts'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { EmptyPane, States } from '../../../kit/display/States.tsx'
import { StatusTag } from '../../../kit/display/StatusTag.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import '../_shared/product.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

const most = 20
/** Limits the height, so the list of alarms stays visible. */
const atFirst = 3
const shareText = ({ devices, fleet }: Incident) => `${Math.round((devices / fleet) * 100)}%`

/** Open incidents, above the single alarms. Nothing is rendered without incidents. */
export function OpenIncidents({ onShow }: { onShow: (incidentId: string) => void }) {
  const [all, setAll] = useState(false)
  const [visiting, setVisiting, close] = useOpen<Incident>()
  const query = { status: incidentStatus.code.open, pageSize: most }
  const { data } = useList(alarmCenter.incidents, { query })
  useEffect(
    () =>
      subscribeLive((event) => {
        if (event.kind === 'hello' || (event.kind === 'changed' && event.list === 'alarm'))
          void refetchRoutes([alarmCenter.incidents])
      }),
    [],
  )
  if (data === undefined || data.rows.length === 0) return null
  return (
    <section className="panel incidents" aria-label="共因事件">
      <h2>共因事件</h2>
      <ul>
        {data.rows.slice(0, all ? most : atFirst).map((incident) => (
          <IncidentLine
            key={incident.id}
            incident={incident}
            onShow={() => onShow(incident.id)}
            onVisit={() => setVisiting(incident)}
          />
        ))}
      </ul>
      {!all && data.rows.length > atFirst && (
        <Button type="link" onClick={() => setAll(true)}>
          展开全部 {data.rows.length} 项
        </Button>
      )}
      {visiting && <VisitDrawer incident={visiting} onClose={close} />}
    </section>
  )
}

type LineProps = { incident: Incident; onShow: () => void; onVisit: () => void }
const IncidentLine = ({ incident, onShow, onVisit }: LineProps) => (
  <li className="incident">
    <div className="incident-text">
      <strong>
        {causeDimension.show(incident.dimension).label}「{incident.label}」
      </strong>
      <StatusTag of={incidentStatus} value={incident.status} />
      <span>
        {cells.count(incident.devices)} 台{alarmKind.show(incident.kind).label}，占其 {cells.count(incident.fleet)} 台的{' '}
        {shareText(incident)}
      </span>
      {incident.lostPerHour !== null && <span>预计每小时损失 ¥{incident.lostPerHour}</span>}
      <span className="meta">
        {incident.organiseName} · {cells.time(incident.startedAt)} 开始
      </span>
    </div>
    <div className="incident-actions">
      <Button onClick={onShow}>查看告警</Button>
      <Button onClick={onVisit}>前往地点</Button>
    </div>
  </li>
)

/** The minimal set of sites to visit for all devices of the incident. */
function VisitDrawer({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const sites = useDetail(alarmCenter.incidentSites, { params: { id: incident.id } })
  return (
    <Drawer open title={`前往地点：${incident.label}`} size={dialogWidth.s} onClose={onClose}>
      <States query={sites}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyPane filtered={false} text="没有仍在告警的设备" />
          ) : (
            <ol className="visit-list">
              {rows.map(({ siteId, siteName, address, devices }) => (
                <li key={siteId ?? 'none'}>
                  <strong>
                    {siteName === null ? (
                      siteId === null ? (
                        '未分配站点'
                      ) : (
                        '其他站点'
                      )
                    ) : (
                      <ObjectLink kind="site" id={siteId}>
                        {siteName}
                      </ObjectLink>
                    )}
                  </strong>
                  <span>{cells.count(devices)} 台</span>
                  {address !== null && <span className="meta">{address}</span>}
                </li>
              ))}
            </ol>
          )
        }
      </States>
    </Drawer>
  )
}
