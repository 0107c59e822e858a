import { SettingOutlined } from '@ant-design/icons'
import { type Alarm, alarmCenter, alarmList } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmFlow, alarmKind, unclosedAlarms } from '@wattdeck/contract/product/alarm-codes.ts'
import { repairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { Button } from 'antd'
import { useNavigate } from 'react-router'
import { Can } from '../../../kit/api/Can.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import type { Chosen } from '../../../kit/list/chosen.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { useUser } from '../../../kit/api/user.ts'
import { alarmColumns } from './alarm-center.columns.tsx'
import { OpenIncidents } from './alarm-center.incidents.tsx'
import { devicePath } from '../../../kit/objects/object-types.ts'
import { useOpen } from '../../../kit/form/use-return-focus.ts'

const CloseAlarmDialog = lazyPart(async () => (await import('./alarm-center.close-dialog.tsx')).CloseAlarmDialog)
const RulesDrawer = lazyPart(async () => (await import('./alarm-center.rules-drawer.tsx')).RulesDrawer)
const TicketDialog = lazyPart(async () => (await import('../../../kit/objects/TicketDialog.tsx')).TicketDialog)

type Open = { what: 'close'; ids: string[]; clear?: () => void } | { what: 'ticket'; alarm: Alarm } | { what: 'rules' }
const refresh = [alarmCenter.list, alarmCenter.totals, alarmCenter.incidents]
const over = '告警已关闭'

export default function AlarmCenterPage() {
  const user = useUser()
  const navigate = useNavigate()
  const state = useListState(alarmCenter.list)
  const list = useFieldList(alarmList, { listKey: 'alarm', liveKey: 'alarm', columns: alarmColumns })
  const [open, setOpen, close] = useOpen<Open>()
  const acknowledge = useSubmit(alarmCenter.acknowledge, { refresh })

  const rowActions = (row: Alarm): RowAction[] => [
    {
      label: '确认',
      route: alarmCenter.acknowledge,
      disabled: alarmFlow.can('acknowledge', row.status) ? undefined : '告警已确认或已关闭',
      onClick: () => void acknowledge.run({ body: { ids: [row.id] } }),
    },
    {
      label: '报修',
      route: repairTicket.add,
      disabled: alarmFlow.can('close', row.status) ? undefined : over,
      onClick: () => setOpen({ what: 'ticket', alarm: row }),
    },
    {
      label: '关闭',
      route: alarmCenter.close,
      disabled: alarmFlow.can('close', row.status) ? undefined : over,
      onClick: () => setOpen({ what: 'close', ids: [row.id] }),
    },
    { label: '查看设备', onClick: () => void navigate(devicePath(row.deviceId)) },
  ]
  return (
    <PageFrame
      title={list.title}
      actions={
        // Rules belong to a whole organisation, so users of agents and sites cannot access them.
        user?.agentId === null &&
        user.userType === 1 && (
          <Button icon={<SettingOutlined />} onClick={() => setOpen({ what: 'rules' })}>
            告警规则
          </Button>
        )
      }
    >
      <OpenIncidents onShow={(incidentId) => state.set({ incidentId, unclosed: undefined })} />
      <ListPanel
        {...list}
        state={state}
        nameOf={(row) => `${row.deviceNo} ${alarmKind.show(row.kind).label}`}
        filters={[
          ...list.filters.slice(0, -1),
          { kind: 'region', label: '区域' },
          ...list.filters.slice(-1),
          { kind: 'select', name: 'unclosed', label: '是否关闭', options: unclosedAlarms.options },
          { kind: 'text', name: 'incidentId', label: '共因事件编号' },
          { kind: 'text', name: 'alarmId', label: '告警编号' },
        ]}
        totals={{
          route: alarmCenter.totals,
          items: [
            { key: 'count', label: '告警' },
            { key: 'open', label: '未处理' },
            { key: 'acknowledged', label: '处理中' },
            { key: 'critical', label: '紧急' },
          ],
        }}
        rowActions={rowActions}
        barred={(row) => !alarmFlow.can('close', row.status)}
        renderBatch={(chosen) => (
          <AlarmBatch
            chosen={chosen}
            onClose={() => setOpen({ what: 'close', ids: chosen.ids, clear: chosen.clear })}
          />
        )}
      />
      {open?.what === 'close' && (
        <CloseAlarmDialog
          ids={open.ids}
          refresh={refresh}
          {...(open.clear && { onDone: open.clear })}
          onClose={close}
        />
      )}
      {open?.what === 'ticket' && <TicketDialog alarm={open.alarm} refresh={refresh} onClose={close} />}
      {open?.what === 'rules' && <RulesDrawer onClose={close} />}
    </PageFrame>
  )
}

/** Only open alarms can be acknowledged; the others in the selection stay unchanged. */
function AlarmBatch({ chosen, onClose }: { chosen: Chosen<Alarm>; onClose: () => void }) {
  const acknowledge = useSubmit(alarmCenter.acknowledge, { refresh, onDone: chosen.clear })
  const open = chosen.rows.filter((row) => alarmFlow.can('acknowledge', row.status)).map(({ id }) => id)
  return (
    <>
      <Can route={alarmCenter.acknowledge}>
        <Button
          className="batch-button"
          size="small"
          disabled={open.length === 0}
          loading={acknowledge.pending}
          onClick={() => void acknowledge.run({ body: { ids: open } })}
        >
          批量确认
        </Button>
        <Button className="batch-button" size="small" onClick={onClose}>
          批量关闭
        </Button>
      </Can>
    </>
  )
}
