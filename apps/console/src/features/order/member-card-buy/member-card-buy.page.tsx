import { cardBuyList, memberCardBuy } from '@wattdeck/contract/order/member-card-buy.ts'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useDayPresets } from '../../../kit/list/views/presets.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useShownId } from '../../../kit/routing/use-shown-id.ts'
import { OrderListPage } from '../_shared/OrderListPage.tsx'

const CardBuyDrawer = lazyPart(async () => (await import('./member-card-buy.drawer.tsx')).CardBuyDrawer)

const totals = [
  { key: 'count', label: '购卡订单' },
  { key: 'paid', label: '已支付', unit: '¥' },
]

export default function MemberCardBuyPage() {
  const list = useFieldList(cardBuyList, { listKey: 'member-card-buy', liveKey: 'memberCardBuy' })
  const [open, setOpen] = useShownId('buy')
  useReturnFocus(open !== undefined)
  return (
    <>
      <OrderListPage
        {...list}
        presets={useDayPresets()}
        totalsRoute={memberCardBuy.totals}
        totalsItems={totals}
        rowActions={(row) => [{ label: '详情', route: memberCardBuy.detail, onClick: () => setOpen(row.id) }]}
      />
      {open !== undefined && <CardBuyDrawer id={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
