import { miniUser, miniUserList } from '@wattdeck/contract/member/mini-user.ts'
import type { MemberRow } from '@wattdeck/contract/member/wechat-user.ts'
import { useFieldList } from '../../kit/crud/use-field-list.ts'
import { toggleOf } from '../../kit/list/enabled-toggle.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useDetail } from '../../kit/api/queries.ts'
import type { RowAction } from '../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../kit/form/use-confirm.ts'
import { appFilter, memberColumns } from './_shared/member-columns.tsx'
import { useMemberParts } from './_shared/use-member-parts.tsx'

const refresh = [miniUser.list]

export default function MiniUserPage() {
  const list = useFieldList(miniUserList, { listKey: 'mini-user', liveKey: 'member', columns: memberColumns })
  const apps = useDetail(miniUser.apps)
  const toggle = useConfirmedSubmit(miniUser.toggle, { refresh })
  const { actions, parts } = useMemberParts(refresh)

  function toggleAction({ memberId, nickname, status: now }: MemberRow): RowAction {
    const { label, question, status } = toggleOf(
      now,
      `会员「${nickname}」`,
      '停用后不能启动充电，正在进行的充电照常结算',
    )
    return {
      label,
      route: miniUser.toggle,
      danger: question.danger ?? false,
      onClick: () => toggle(question, { body: { memberId, status } }),
    }
  }
  return (
    <>
      <ListPage
        {...list}
        nameOf={(row) => row.nickname}
        filters={list.filters.toSpliced(1, 0, appFilter('小程序', apps.data))}
        rowActions={(row) => [...actions(row), toggleAction(row)]}
      />
      {parts}
    </>
  )
}
