import { type TariffDevice, pushState, tariffPush } from '@wattdeck/contract/product/tariff-push.ts'
import { Button } from 'antd'
import { Link } from 'react-router'
import { Can } from '../../../kit/api/Can.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { OnlineDot } from '../_shared/device-cells.tsx'

const columns: Column<TariffDevice>[] = [
  {
    key: 'deviceNo',
    title: '设备编号',
    width: 150,
    render: (row) => <Link to={`/product/deviceDetail?id=${row.id}`}>{row.deviceNo}</Link>,
  },
  { key: 'name', title: '设备名称', width: 160, render: (row) => row.name },
  { key: 'siteName', title: '站点', width: 140, render: (row) => cells.text(row.siteName) },
  { key: 'ofSite', title: '绑定方式', width: 90, render: (row) => (row.ofSite ? '随站点' : '单独设置') },
  { key: 'online', title: '在线状态', width: 80, render: (row) => <OnlineDot online={row.online} /> },
  { key: 'state', title: '下发状态', width: 100, card: 'tag', render: stateCell },
  { key: 'versionNo', title: '下发版本', width: 90, render: (row) => cells.text(row.versionNo) },
  { key: 'reason', title: '原因', width: 180, render: (row) => cells.text(row.reason) },
  { key: 'confirmedAt', title: '确认时间', width: 180, render: (row) => cells.time(row.confirmedAt) },
]

/** Most devices are priced by the platform and need not be told anything. */
function stateCell({ told, state }: TariffDevice) {
  if (!told) return <span className="meta">平台计费</span>
  return state === null ? cells.dash : cells.status(pushState, state)
}

/** Devices that charge by a tariff. Piles that count money charge only once they have confirmed it. */
export function TariffDevices({ id }: { id: string }) {
  const state = useLocalListState(tariffPush.list)
  const retry = useSubmit(tariffPush.retry, { refresh: [tariffPush.list] })
  return (
    <ListPanel
      listKey="tariff-push"
      route={tariffPush.list}
      params={{ id }}
      state={state}
      columns={columns}
      nameOf={(row) => row.deviceNo}
      filters={[{ kind: 'select', name: 'state', label: '下发状态', options: pushState.options }]}
      barred={(row) => !row.told}
      renderBatch={(chosen) => (
        <Can route={tariffPush.retry}>
          <Button
            className="batch-button"
            size="small"
            loading={retry.pending}
            onClick={() => void retry.run({ body: { ids: chosen.ids } }).then((ok) => ok && chosen.clear())}
          >
            重新下发
          </Button>
        </Can>
      )}
    />
  )
}
