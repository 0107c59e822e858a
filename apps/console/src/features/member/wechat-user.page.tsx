import { followStatus, wechatColumns } from '@wattdeck/contract/member/member-row.ts'
import { wechatUser } from '@wattdeck/contract/member/wechat-user.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useDetail } from '../../kit/api/queries.ts'
import { useUser } from '../../kit/api/user.ts'
import { appOptions, wechatTableColumns } from './_shared/member-columns.tsx'
import { useMemberParts } from './_shared/use-member-parts.tsx'

export default function WechatUserPage() {
  const user = useUser()
  const apps = useDetail(wechatUser.apps)
  const { actions, parts } = useMemberParts([wechatUser.list])
  return (
    <>
      <ListPage
        title="微信用户"
        listKey="wechat-user"
        liveKey="member"
        route={wechatUser.list}
        columns={wechatTableColumns(user)}
        nameOf={(row) => row.nickname}
        filters={[
          { kind: 'text', name: 'keyword', label: '手机号/用户ID/昵称开头' },
          { kind: 'select', name: 'appId', label: '公众号', options: appOptions(apps.data) },
          { kind: 'owner' },
          { kind: 'select', name: 'following', label: '关注状态', options: followStatus.options },
          { kind: 'dates', from: 'from', to: 'to', label: '注册时间' },
        ]}
        exporting={{ route: wechatUser.exportList, keys: Object.keys(wechatColumns) }}
        rowActions={actions}
      />
      {parts}
    </>
  )
}
