import { offlineWay } from '@wattdeck/contract/operating/offline-recharge.ts'
import { type CardRecharge, cardRechargeList } from '@wattdeck/contract/operating/card-recharge.ts'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useDayPresets } from '../../../kit/list/views/presets.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { CardLink } from '../_shared/CardLink.tsx'

const RechargeDrawer = lazyPart(async () => (await import('./card-recharge.drawer.tsx')).CardRechargeDrawer)

const columns = {
  cardNo: { render: ({ cardNo }: CardRecharge) => <CardLink cardNo={cardNo} /> },
  way: { render: ({ way }: CardRecharge) => (way === null ? cells.dash : cells.label(offlineWay, way)) },
}

export default function CardRechargePage() {
  const list = useFieldList(cardRechargeList, { listKey: 'card-recharge', liveKey: 'rechargeRecord', columns })
  const [open, setOpen, close] = useOpen<CardRecharge>()
  return (
    <>
      <ListPage
        {...list}
        title="充值记录"
        note="储值卡已到账的充值；在「线下充值」中收款和审核"
        presets={useDayPresets()}
        nameOf={(row) => row.serialNo}
        rowActions={(row) => [{ label: '详情', onClick: () => setOpen(row) }]}
      />
      {open && <RechargeDrawer row={open} onClose={close} />}
    </>
  )
}
