import { miniUser, miniUserList } from '@wattdeck/contract/member/mini-user.ts'
import { useFieldList } from '../../kit/crud/use-field-list.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useDetail } from '../../kit/api/queries.ts'
import { appFilter, memberColumns } from './_shared/member-columns.tsx'
import { useMemberActions } from './_shared/use-member-dialogs.tsx'
import { useMemberToggle } from './_shared/use-member-toggle.ts'

const refresh = [miniUser.list]

export default function MiniUserPage() {
  const list = useFieldList(miniUserList, { listKey: 'mini-user', liveKey: 'member', columns: memberColumns })
  const apps = useDetail(miniUser.apps)
  const toggle = useMemberToggle(refresh)
  const { actions, dialogs } = useMemberActions(refresh)
  return (
    <>
      <ListPage
        {...list}
        nameOf={(row) => row.nickname}
        filters={list.filters.toSpliced(1, 0, appFilter('小程序', apps.data))}
        rowActions={(row) => [...actions(row), toggle(row)]}
      />
      {dialogs}
    </>
  )
}
