import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { balanceAdjustment } from '@wattdeck/contract/member/balance-adjustment.ts'
import { memberInfo } from '@wattdeck/contract/member/member-info.ts'
import type { MemberRow } from '@wattdeck/contract/member/wechat-user.ts'
import { useState } from 'react'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'

const MemberDrawer = lazyPart(async () => (await import('../member-info/member-info.drawer.tsx')).MemberDrawer)
const AdjustDialog = lazyPart(
  async () => (await import('../balance-adjustment/balance-adjustment.add-dialog.tsx')).AdjustDialog,
)

/** What both lists of members do with a row, and the parts that it opens. */
export function useMemberParts(refresh: readonly AnyRoute[]) {
  const [shown, setShown] = useState<MemberRow>()
  const [adjusted, setAdjusted] = useState<MemberRow>()
  useReturnFocus(shown !== undefined || adjusted !== undefined)
  const actions = (row: MemberRow): RowAction[] => [
    { label: '详情', route: memberInfo.read, onClick: () => setShown(row) },
    { label: '余额调整', route: balanceAdjustment.add, onClick: () => setAdjusted(row) },
  ]
  const parts = (
    <>
      {shown && <MemberDrawer memberId={shown.memberId} onClose={() => setShown(undefined)} />}
      {adjusted && <AdjustDialog member={adjusted} refresh={refresh} onClose={() => setAdjusted(undefined)} />}
    </>
  )
  return { actions, parts }
}
