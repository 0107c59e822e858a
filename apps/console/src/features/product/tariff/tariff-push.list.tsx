import { pushState, type TariffDevice, tariffDeviceList, tariffPush } from '@wattdeck/contract/product/tariff-push.ts'
import { Button } from 'antd'
import { Can } from '../../../kit/api/Can.tsx'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { OnlineDot } from '../../../kit/devices/device-cells.tsx'

const columns: ColumnChanges<TariffDevice> = {
  deviceNo: { fixed: false },
  ofSite: { render: (row) => (row.ofSite ? '随站点' : '单独设置') },
  online: { render: (row) => <OnlineDot online={row.online} /> },
  state: { render: stateCell },
  versionNo: { align: 'start' },
}

/** The platform prices most devices, so they receive no tariff. */
function stateCell({ needsTariff: isPushed, state }: TariffDevice) {
  if (!isPushed) return <span className="meta">平台计费</span>
  return state === null ? cells.dash : cells.status(pushState, state)
}

/** Devices with this tariff. Chargers that bill on their own charge only after they have confirmed it. */
export function TariffDevices({ id }: { id: string }) {
  const state = useLocalListState(tariffPush.list)
  const list = useFieldList(tariffDeviceList, { listKey: 'tariff-push', columns })
  const retry = useSubmit(tariffPush.retry, { refresh: [tariffPush.list] })
  return (
    <ListPanel
      {...list}
      params={{ id }}
      state={state}
      nameOf={(row) => row.deviceNo}
      barred={(row) => !row.needsTariff}
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
