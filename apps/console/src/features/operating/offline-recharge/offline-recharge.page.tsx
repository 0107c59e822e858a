import {
  offlineRecharge,
  type OfflineRecharge,
  offlineRechargeList,
} from '@wattdeck/contract/operating/offline-recharge.ts'
import { Button } from 'antd'
import { useNavigate } from 'react-router'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useDayPresets } from '../../../kit/list/views/presets.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useOfflineActions } from './offline-recharge.actions.ts'
import { offlineColumns, voucherColumn } from './offline-recharge.columns.tsx'

const AddDialog = lazyPart(async () => (await import('../_shared/offline-recharge.add-dialog.tsx')).AddOfflineDialog)
const DeclineDialog = lazyPart(async () => (await import('./offline-recharge.decline-dialog.tsx')).DeclineOfflineDialog)

export default function OfflineRechargePage() {
  const list = useFieldList(offlineRechargeList, {
    listKey: 'offline-recharge',
    liveKey: 'offlineRecharge',
    columns: offlineColumns,
  })
  const navigate = useNavigate()
  const [adding, setAdding, closeAdding] = useOpen<true>()
  const [declining, setDeclining, closeDeclining] = useOpen<OfflineRecharge>()
  const rowActions = useOfflineActions(setDeclining)
  return (
    <>
      <ListPage
        {...list}
        title="线下充值"
        note="收款人提交后须由他人审核，通过后立即入账。赠送按机构的充值档位计算"
        presets={useDayPresets()}
        actions={
          <>
            <Button onClick={() => void navigate('/operating/deskShift')}>交班</Button>
            <MainButton route={offlineRecharge.add} label="新增充值" onClick={() => setAdding(true)} />
          </>
        }
        columns={list.columns.toSpliced(6, 0, voucherColumn)}
        nameOf={(row) => row.serialNo}
        rowActions={rowActions}
      />
      {adding && <AddDialog onClose={closeAdding} />}
      {declining && <DeclineDialog row={declining} onClose={closeDeclining} />}
    </>
  )
}
