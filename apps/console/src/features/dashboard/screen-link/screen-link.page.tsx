import {
  screenLink,
  type ScreenLink,
  screenLinkList,
  screenLinkStatus,
} from '@wattdeck/contract/dashboard/screen-link.ts'
import { useState } from 'react'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
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

const columns: ColumnChanges<ScreenLink> = {
  firstClassName: { render: (row) => row.firstClassName ?? '全部' },
  regionName: { render: (row) => row.regionName ?? '全部' },
  lastUsedAt: { render: (row) => cells.ago(row.lastUsedAt) },
}

export default function ScreenLinkPage() {
  const several = maySelect(useUser(), 'organise')
  const list = useFieldList(screenLinkList, {
    listKey: 'screen-link',
    columns: several ? columns : { ...columns, organiseName: false },
  })
  const [adding, setAdding] = useState(false)
  const [newLink, setNewLink] = useState<MadeLink>()
  useReturnFocus(adding || newLink !== undefined)
  const revoke = useConfirmedSubmit(screenLink.revoke, { refresh })
  return (
    <>
      <ListPage
        {...list}
        title="大屏链接"
        note="持有链接的人无需登录即可在数据大屏查看机构的统计数据；撤销后立即失效"
        nameOf={(row) => row.name}
        actions={<MainButton route={screenLink.add} label="生成链接" onClick={() => setAdding(true)} />}
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
      {adding && <LinkDialog onMade={setNewLink} onClose={() => setAdding(false)} />}
      {newLink && <MadeLinkDialog made={newLink} onClose={() => setNewLink(undefined)} />}
    </>
  )
}
