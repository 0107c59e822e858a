import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { blacklist } from '@wattdeck/contract/member/blacklist.ts'
import { balanceAdjustment } from '@wattdeck/contract/member/balance-adjustment.ts'
import { memberInfo } from '@wattdeck/contract/member/member-info.ts'
import type { MemberRow } from '@wattdeck/contract/member/wechat-user.ts'
import { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { memberPath } from '../../../kit/objects/object-types.ts'

const RefundDrawer = lazyPart(async () => (await import('./refund-drawer.tsx')).RefundDrawer)
const AdjustDialog = lazyPart(
  async () => (await import('../balance-adjustment/balance-adjustment.add-dialog.tsx')).AdjustDialog,
)

const BlockDialog = lazyPart(async () => (await import('../blacklist/blacklist.add-dialog.tsx')).BlockDialog)

type NamedMember = Pick<MemberRow, 'memberId' | 'nickname'>
type MemberBalances = NamedMember & Pick<MemberRow, 'paidBalance' | 'giftBalance'>

/** The dialogs that change a member; `refresh` are the routes that show it. */
export function useMemberDialogs(refresh: readonly AnyRoute[]) {
  const [adjusted, adjust] = useState<MemberBalances>()
  const [refunded, refund] = useState<NamedMember>()
  const [blocked, block] = useState<NamedMember>()
  useReturnFocus(adjusted !== undefined || refunded !== undefined || blocked !== undefined)
  const dialogs = (
    <>
      {refunded && <RefundDrawer member={refunded} refresh={refresh} onClose={() => refund(undefined)} />}
      {adjusted && <AdjustDialog member={adjusted} refresh={refresh} onClose={() => adjust(undefined)} />}
      {blocked && <BlockDialog member={blocked} refresh={refresh} onClose={() => block(undefined)} />}
    </>
  )
  return { adjust, refund, block, dialogs }
}

/** Why a member cannot be added to the blacklist. */
export const blockProblem = ({ blocked }: Pick<MemberRow, 'blocked'>) =>
  blocked === null ? undefined : '该会员已在黑名单中'

/** The row actions of both member lists, with their dialogs. */
export function useMemberActions(refresh: readonly AnyRoute[]) {
  const navigate = useNavigate()
  const { adjust, refund, block, dialogs } = useMemberDialogs(refresh)
  const actions = (row: MemberRow): RowAction[] => [
    { label: '详情', route: memberInfo.read, onClick: () => void navigate(memberPath(row.memberId)) },
    { label: '余额调整', route: balanceAdjustment.add, onClick: () => adjust(row) },
    { label: '退款', route: rechargeRefund.add, onClick: () => refund(row) },
    {
      label: '加黑',
      route: blacklist.add,
      danger: true,
      disabled: blockProblem(row),
      onClick: () => block(row),
    },
  ]
  return { actions, dialogs }
}
