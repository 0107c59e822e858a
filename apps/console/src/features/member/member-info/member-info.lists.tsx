import type { List } from '@wattdeck/contract/kit/list.ts'
import { consumeOrderList } from '@wattdeck/contract/order/consume-order.ts'
import { rechargeList } from '@wattdeck/contract/order/recharge-record.ts'
import { refundList } from '@wattdeck/contract/order/refund-order.ts'
import { EmbeddedList, type EmbeddedListParams } from '../../../kit/crud/EmbeddedList.tsx'

/** The page of a member omits the columns and filters of the member. */
const omit = ['phone']
const end = { align: 'end' } as const
const orderColumns = { duration: end, energy: end, member: false } as const
const moneyColumns = { memberName: false, memberPhone: false } as const

const memberTab = <L extends List>(list: EmbeddedListParams<L>, title: string, path: string) =>
  function MemberTab({ memberId }: { memberId: string }) {
    const whole = { title, path: `${path}?memberId=${memberId}` }
    return <EmbeddedList {...list} of={{ memberId }} omit={omit} whole={whole} />
  }

export const MemberOrders = memberTab(
  { list: consumeOrderList, listKey: 'member-order', liveKey: 'order', columns: orderColumns },
  '消费订单',
  '/order/consumeOrder',
)
export const MemberRecharges = memberTab(
  { list: rechargeList, listKey: 'member-recharge', liveKey: 'rechargeRecord', columns: moneyColumns },
  '充值记录',
  '/order/rechargeRecord',
)
export const MemberRefunds = memberTab(
  { list: refundList, listKey: 'member-refund', liveKey: 'refundOrder', columns: moneyColumns },
  '退款订单',
  '/order/refundOrder',
)
