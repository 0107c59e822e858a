import type { MemberRow } from '@wattdeck/contract/member/wechat-user.ts'
import { rechargeRefund, refundableList } from '@wattdeck/contract/order/recharge-refund.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { Drawer } from 'antd'
import { useState } from 'react'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import '../../../kit/display/drawer-list.css'

const AskDialog = lazyPart(
  async () => (await import('../../../kit/form/AskRechargeRefundDialog.tsx')).AskRechargeRefundDialog,
)

type Props = { member: Pick<MemberRow, 'memberId' | 'nickname'>; refresh: readonly AnyRoute[]; onClose: () => void }

/** The refundable recharges of a member. The user requests a refund of one; other people audit and approve it. */
export function RefundDrawer({ member, refresh, onClose }: Props) {
  const narrow = useNarrow()
  const { title: _title, ...list } = useFieldList(refundableList, { listKey: 'refundable-recharge' })
  const state = useLocalListState(rechargeRefund.refundable)
  const [asking, setAsking] = useState<string>()
  useReturnFocus(asking !== undefined)
  return (
    <Drawer
      open
      className="drawer-list"
      title={`充值退款：${member.nickname}`}
      size={narrow ? '100%' : 1100}
      onClose={onClose}
    >
      <p className="meta">选择要退款的充值单。可退金额不超过会员当前的充值余额；提交后须由另外两人审核和审批</p>
      <ListPanel
        {...list}
        params={{ memberId: member.memberId }}
        state={state}
        nameOf={(row) => row.id}
        rowActions={(row) => [{ label: '申请退款', route: rechargeRefund.add, onClick: () => setAsking(row.id) }]}
      />
      {asking !== undefined && (
        <AskDialog
          rechargeNo={asking}
          refresh={[rechargeRefund.refundable, ...refresh]}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Drawer>
  )
}
