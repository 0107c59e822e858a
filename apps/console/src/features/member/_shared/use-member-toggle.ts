import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { miniUser } from '@wattdeck/contract/member/mini-user.ts'
import type { MemberRow } from '@wattdeck/contract/member/wechat-user.ts'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'

type Toggled = Pick<MemberRow, 'memberId' | 'nickname' | 'status'>

/** Enables or disables a member after a confirmation. */
export function useMemberToggle(refresh: readonly AnyRoute[]) {
  const submit = useConfirmedSubmit(miniUser.toggle, { refresh })
  return ({ memberId, nickname, status: now }: Toggled) => {
    const { label, question, status } = toggleOf(
      now,
      `会员「${nickname}」`,
      '停用后不能启动充电，正在进行的充电照常结算',
    )
    return {
      label,
      route: miniUser.toggle,
      danger: question.danger ?? false,
      onClick: () => submit(question, { body: { memberId, status } }),
    }
  }
}
