import { alarmKind, alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import {
  repairFlow,
  repairPriority,
  repairSource,
  repairStatus,
  repairTicket,
  type RepairTicket,
} from '@wattdeck/contract/product/repair-ticket.ts'
import { Button, Descriptions, Drawer } from 'antd'
import type { ReactNode } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { OwnerPath } from '../../../kit/objects/OwnerPath.tsx'
import { States } from '../../../kit/display/States.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { durationText, phoneOf } from './repair-ticket.columns.tsx'
import '../_shared/product.css'

export type TicketAction = 'assign' | 'complete' | 'close'
type Props = { id: string; onAct: (what: TicketAction, ticket: RepairTicket) => void; onClose: () => void }

/** One ticket. On a phone it fills the screen, with the actions at the bottom. */
export function TicketDrawer({ id, onAct, onClose }: Props) {
  const narrow = useNarrow()
  const ticket = useDetail(repairTicket.read, { params: { id } })
  return (
    <Drawer
      open
      title={ticket.data?.ticketNo ?? '维修工单'}
      size={narrow ? '100%' : 680}
      onClose={onClose}
      footer={ticket.data && <TicketButtons ticket={ticket.data} onAct={onAct} />}
    >
      <States query={ticket} rows={8}>
        {(data) => <TicketFacts ticket={data} />}
      </States>
    </Drawer>
  )
}

function TicketButtons({ ticket, onAct }: { ticket: RepairTicket; onAct: Props['onAct'] }) {
  if (!repairFlow.can('complete', ticket.status)) return <span className="meta">工单已完成</span>
  return (
    <Can route={repairTicket.complete}>
      <div className="ticket-buttons">
        <Button size="large" onClick={() => onAct('close', ticket)}>
          关闭
        </Button>
        <Button size="large" onClick={() => onAct('assign', ticket)}>
          {ticket.assigneeId === null ? '派单' : '转派'}
        </Button>
        <Button size="large" type="primary" onClick={() => onAct('complete', ticket)}>
          完成维修
        </Button>
      </div>
    </Can>
  )
}

const fact = (key: string, label: string, children: ReactNode) => ({ key, label, children })
function TicketFacts({ ticket }: { ticket: RepairTicket }) {
  const device = ticket.portNo === null ? ticket.deviceNo : `${ticket.deviceNo}，${ticket.portNo} 号端口`
  return (
    <div className="ticket-facts">
      <Descriptions
        bordered
        size="small"
        column={1}
        items={[
          fact('status', '状态', cells.status(repairStatus, ticket.status)),
          fact('priority', '优先级', cells.status(repairPriority, ticket.priority)),
          fact(
            'device',
            '设备',
            <ObjectLink kind="device" id={ticket.deviceId}>
              {device}
            </ObjectLink>,
          ),
          fact('place', '归属', <OwnerPath row={ticket} />),
          fact('address', '地址', cells.text(ticket.address)),
          fact('fault', '故障类型', cells.label(alarmKind, ticket.fault)),
          fact('description', '描述', <span className="ticket-lines">{ticket.description}</span>),
          ...(ticket.alarmStatus === null
            ? []
            : [
                fact(
                  'alarm',
                  '告警',
                  <AlarmStanding id={ticket.alarmId} status={ticket.alarmStatus} healthy={ticket.healthy} />,
                ),
              ]),
          fact(
            'assignee',
            '维修人',
            <ObjectLink kind="staff" id={ticket.assigneeId}>
              {cells.text(ticket.assigneeName)}
            </ObjectLink>,
          ),
          fact('reporter', '报修人', cells.text(ticket.reporter ?? ticket.createdBy)),
          ...(ticket.phone === null ? [] : [fact('phone', '报修人手机', phoneOf(ticket))]),
          fact('source', '来源', cells.label(repairSource, ticket.source)),
          fact('createdAt', '报修时间', cells.time(ticket.createdAt)),
          fact('minutes', '时长', durationText(ticket.minutes)),
          ...endingFacts(ticket),
        ]}
      />
      <Pictures title="图片" ids={ticket.pictureIds} />
      <Pictures title="维修照片" ids={ticket.resultPictureIds} />
    </div>
  )
}

const endingFacts = (ticket: RepairTicket) =>
  ticket.completedAt === null
    ? []
    : [
        fact('result', '维修结果', <span className="ticket-lines">{cells.text(ticket.result)}</span>),
        fact('parts', '更换件', cells.text(ticket.parts)),
        ...(ticket.reason === null ? [] : [fact('reason', '原因', ticket.reason)]),
        fact('completedBy', '完成人', cells.text(ticket.completedBy)),
        fact('completedAt', '完成时间', cells.time(ticket.completedAt)),
      ]

type Standing = { id: string | null; status: 1 | 2 | 3; healthy: boolean | null }
const AlarmStanding = ({ id, status, healthy }: Standing) => (
  <>
    <ObjectLink kind="alarm" id={id}>
      {cells.status(alarmStatus, status)}
    </ObjectLink>{' '}
    {healthy !== null && (healthy ? '设备已恢复正常' : '设备尚未恢复正常')}
  </>
)

const Pictures = ({ title, ids }: { title: string; ids: readonly string[] }) =>
  ids.length === 0 ? null : (
    <section>
      <h2>{title}</h2>
      <div className="ticket-pictures">
        {ids.map((id) => (
          <FilePicture key={id} id={id} alt={title} size={96} />
        ))}
      </div>
    </section>
  )
