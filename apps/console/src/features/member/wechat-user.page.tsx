import { wechatUser, wechatUserList } from '@wattdeck/contract/member/wechat-user.ts'
import { useDetail } from '../../kit/api/queries.ts'
import { useFieldList } from '../../kit/crud/use-field-list.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { appFilter, memberColumns } from './_shared/member-columns.tsx'
import { useMemberActions } from './_shared/use-member-dialogs.tsx'

export default function WechatUserPage() {
  const list = useFieldList(wechatUserList, { listKey: 'wechat-user', liveKey: 'member', columns: memberColumns })
  const apps = useDetail(wechatUser.apps)
  const { actions, dialogs } = useMemberActions([wechatUser.list])
  return (
    <>
      <ListPage
        {...list}
        nameOf={(row) => row.nickname}
        filters={list.filters.toSpliced(1, 0, appFilter('公众号', apps.data))}
        rowActions={actions}
      />
      {dialogs}
    </>
  )
}
