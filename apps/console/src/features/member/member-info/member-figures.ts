import type { MemberDetail } from '@wattdeck/contract/member/member-info.ts'
import { walletAccount } from '@wattdeck/contract/member/member-info.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { StripFigure } from '../../../kit/display/FigureStrip.tsx'

type Menus = { has: (key: string) => boolean }

/** Wallet, charges and totals of a member; a figure links to its list if the user may open that. */
export function memberFigures(member: MemberDetail, menus: Menus): StripFigure[] {
  const { memberId, wallets } = member
  const { paid, gift } = walletAccount.code
  const walletOf = (code: number) => wallets.find(({ kind }) => kind === code)?.balance ?? '0.00'
  const listOf = (menu: string, path: string) => (menus.has(menu) ? { path: `${path}?memberId=${memberId}` } : {})
  return [
    {
      key: 'balance',
      title: '账户余额',
      value: `¥${member.balance}`,
      notes: [{ text: `充值 ¥${walletOf(paid)}` }, { text: `赠送 ¥${walletOf(gift)}` }],
    },
    { key: 'frozen', title: '冻结', value: `¥${member.frozen}`, notes: [{ text: '充电预付，未计入余额' }] },
    {
      key: 'charging',
      title: '充电中',
      value: String(member.charging),
      notes: [],
      ...listOf(menuKey.unfinishedOrder, '/order/unfinishedOrder'),
    },
    {
      key: 'consumed',
      title: '累计消费',
      value: `¥${member.consumed}`,
      notes: [{ text: member.lastConsumedAt === null ? '没有消费' : `最近 ${member.lastConsumedAt.slice(0, 16)}` }],
      ...listOf(menuKey.consumeOrder, '/order/consumeOrder'),
    },
    {
      key: 'recharged',
      title: '累计充值',
      value: `¥${member.recharged}`,
      notes: [],
      ...listOf(menuKey.rechargeRecord, '/order/rechargeRecord'),
    },
  ]
}
