import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { balanceAdjustment } from '@wattdeck/contract/member/balance-adjustment.ts'
import { memberInfo } from '@wattdeck/contract/member/member-info.ts'
import type { MemberRow } from '@wattdeck/contract/member/wechat-user.ts'
import { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { useState } from 'react'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useShownId } from '../../../kit/routing/use-shown-id.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'

const MemberDrawer = lazyPart(async () => (await import('../member-info/member-info.drawer.tsx')).MemberDrawer)
const RefundDrawer = lazyPart(async () => (await import('./refund-drawer.tsx')).RefundDrawer)
const AdjustDialog = lazyPart(
  async () => (await import('../balance-adjustment/balance-adjustment.add-dialog.tsx')).AdjustDialog,
)

/** What both lists of members do with a row, and the parts that it opens. */
export function useMemberParts(refresh: readonly AnyRoute[]) {
  const [shown, setShown] = useShownId('member')
  const [adjusted, setAdjusted] = useState<MemberRow>()
  const [refunded, setRefunded] = useState<MemberRow>()
  useReturnFocus(shown !== undefined || adjusted !== undefined || refunded !== undefined)
  const actions = (row: MemberRow): RowAction[] => [
    { label: '详情', route: memberInfo.read, onClick: () => setShown(row.memberId) },
    { label: '余额调整', route: balanceAdjustment.add, onClick: () => setAdjusted(row) },
    { label: '退款', route: rechargeRefund.add, onClick: () => setRefunded(row) },
  ]
  const parts = (
    <>
      {shown !== undefined && <MemberDrawer key={shown} memberId={shown} onClose={() => setShown(undefined)} />}
      {refunded && <RefundDrawer member={refunded} refresh={refresh} onClose={() => setRefunded(undefined)} />}
      {adjusted && <AdjustDialog member={adjusted} refresh={refresh} onClose={() => setAdjusted(undefined)} />}
    </>
  )
  return { actions, parts }
}
