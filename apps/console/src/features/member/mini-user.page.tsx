import { enabledStatus } from '@wattdeck/contract/common.ts'
import { type MemberRow, miniColumns } from '@wattdeck/contract/member/member-row.ts'
import { miniUser } from '@wattdeck/contract/member/mini-user.ts'
import { toggleOf } from '../../kit/list/enabled-toggle.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useDetail } from '../../kit/api/queries.ts'
import type { RowAction } from '../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../kit/form/use-confirm.ts'
import { useUser } from '../../kit/api/user.ts'
import { appOptions, miniTableColumns } from './_shared/member-columns.tsx'
import { useMemberParts } from './_shared/use-member-parts.tsx'

const refresh = [miniUser.list]

export default function MiniUserPage() {
  const user = useUser()
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
        title="小程序用户管理"
        listKey="mini-user"
        liveKey="member"
        route={miniUser.list}
        columns={miniTableColumns(user)}
        nameOf={(row) => row.nickname}
        filters={[
          { kind: 'text', name: 'keyword', label: '手机号/用户ID/昵称开头' },
          { kind: 'select', name: 'appId', label: '小程序', options: appOptions(apps.data) },
          { kind: 'owner' },
          { kind: 'select', name: 'status', label: '状态', options: enabledStatus.options },
          { kind: 'dates', from: 'from', to: 'to', label: '注册时间' },
        ]}
        exporting={{ route: miniUser.exportList, keys: Object.keys(miniColumns) }}
        rowActions={(row) => [...actions(row), toggleAction(row)]}
      />
      {parts}
    </>
  )
}
