import { PlusOutlined } from '@ant-design/icons'
import { screenLink, type ScreenLink, screenLinkStatus } from '@wattdeck/contract/dashboard/screen-link.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { maySelect } from '../../../kit/owner-region/owner.ts'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useUser } from '../../../kit/api/user.ts'
import type { MadeLink } from './screen-link.add-dialog.tsx'

const LinkDialog = lazyPart(async () => (await import('./screen-link.add-dialog.tsx')).LinkDialog)
const MadeLinkDialog = lazyPart(async () => (await import('./screen-link.add-dialog.tsx')).MadeLinkDialog)
const refresh = [screenLink.list]

const columns = (manyOrganises: boolean): Column<ScreenLink>[] => [
  { key: 'name', title: '名称', width: 200, fixed: 'start', render: (row) => row.name },
  {
    key: 'status',
    title: '状态',
    width: 90,
    card: 'tag',
    render: (row) => cells.status(screenLinkStatus, row.status),
  },
  ...(manyOrganises
    ? [
        {
          key: 'organiseName',
          title: '所属机构',
          width: 180,
          render: (row: ScreenLink) => cells.text(row.organiseName),
        },
      ]
    : []),
  { key: 'firstClassName', title: '设备大类', width: 120, render: (row) => row.firstClassName ?? '全部' },
  { key: 'regionName', title: '区域', render: (row) => row.regionName ?? '全部' },
  { key: 'expiresAt', title: '有效期至', width: 175, render: (row) => cells.time(row.expiresAt) },
  { key: 'lastUsedAt', title: '最近使用', width: 120, render: (row) => cells.ago(row.lastUsedAt) },
  { key: 'createdBy', title: '创建人', width: 100, render: (row) => cells.text(row.createdBy) },
  { key: 'createdAt', title: '创建时间', width: 175, render: (row) => cells.time(row.createdAt) },
  { key: 'revokedBy', title: '撤销人', width: 100, render: (row) => cells.text(row.revokedBy) },
]

export default function ScreenLinkPage() {
  const user = useUser()
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<MadeLink>()
  useReturnFocus(adding || made !== undefined)
  const revoke = useConfirmedSubmit(screenLink.revoke, { refresh })
  const manyOrganises = maySelect(user, 'organise')
  return (
    <>
      <ListPage
        title="大屏链接"
        note="持有链接的人无需登录即可在数据大屏查看机构的统计数据；撤销后立即失效"
        listKey="screen-link"
        route={screenLink.list}
        columns={columns(manyOrganises)}
        nameOf={(row) => row.name}
        filters={[
          { kind: 'text', name: 'keyword', label: '名称' },
          { kind: 'owner', levels: ['organise'] },
          { kind: 'select', name: 'status', label: '状态', options: screenLinkStatus.options },
        ]}
        actions={
          <Can route={screenLink.add}>
            <Button type="primary" icon={<PlusOutlined />} data-shortcut="n" onClick={() => setAdding(true)}>
              生成链接
            </Button>
          </Can>
        }
        rowActions={(row) => [
          {
            label: '撤销',
            route: screenLink.revoke,
            danger: true,
            disabled: row.status === screenLinkStatus.code.live ? undefined : '链接已失效',
            onClick: () =>
              revoke(
                {
                  title: `确定要撤销大屏链接「${row.name}」吗？`,
                  content: '正在使用该链接的大屏将立即停止显示，且不能恢复',
                  danger: true,
                  okText: '撤销',
                },
                { body: { id: row.id } },
              ),
          },
        ]}
      />
      {adding && <LinkDialog onMade={setMade} onClose={() => setAdding(false)} />}
      {made && <MadeLinkDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  )
}
