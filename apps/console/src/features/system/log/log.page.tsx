import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { log, logColumns, type LogEntry, logKind, logResult } from '@wattdeck/contract/system/log.ts'
import { Link, useSearchParams } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'

const LogDrawer = lazyPart(async () => (await import('./log.detail-drawer.tsx')).LogDrawer)

const openKey = 'open'

/** The address of this list with one entry open, so that a colleague can be sent to it. */
function withOpen(search: URLSearchParams, id: string | undefined): URLSearchParams {
  const next = new URLSearchParams(search)
  if (id === undefined) next.delete(openKey)
  else next.set(openKey, id)
  return next
}

const oneLine = (text: string) => (
  <span className="one-line" title={text}>
    {text}
  </span>
)

const columnsFor = (linkTo: (row: LogEntry) => string, user: UserInfo | undefined): Column<LogEntry>[] => [
  {
    key: 'at',
    title: '操作时间',
    width: 170,
    fixed: 'start',
    render: (row) => <Link to={linkTo(row)}>{cells.time(row.at)}</Link>,
  },
  { key: 'userName', title: '操作人', width: 90, render: (row) => cells.text(row.userName) },
  { key: 'loginName', title: '账号', width: 90, render: (row) => cells.text(row.loginName) },
  { key: 'module', title: '模块', width: 90, render: (row) => row.module },
  { key: 'kind', title: '操作类型', width: 90, render: (row) => cells.label(logKind, row.kind) },
  { key: 'content', title: '操作内容', width: 150, render: (row) => oneLine(row.content) },
  { key: 'result', title: '结果', width: 70, card: 'tag', render: (row) => cells.status(logResult, row.result) },
  ...ownerColumns(user, ['organise']),
  { key: 'ip', title: 'IP', width: 120, render: (row) => cells.text(row.ip) },
  { key: 'place', title: '归属地', width: 80, render: (row) => row.place },
  {
    key: 'durationMs',
    title: '耗时',
    width: 90,
    align: 'end',
    render: (row) => `${cells.count(row.durationMs)} ms`,
  },
  { key: 'path', title: '请求地址', width: 260, card: 'none', render: (row) => oneLine(row.path) },
  {
    key: 'traceId',
    title: '追踪号',
    width: 330,
    card: 'none',
    render: (row) => <CopyId value={row.traceId} what="追踪号" />,
  },
]

export default function LogPage() {
  const [search, setSearch] = useSearchParams()
  const user = useUser()
  const open = search.get(openKey)
  useReturnFocus(open !== null)
  const show = (id: string | undefined) => setSearch((now) => withOpen(now, id))
  return (
    <>
      <ListPage
        title="日志管理"
        note="未选择起始日期时，显示截止日期前 31 天的记录"
        listKey="log"
        route={log.list}
        columns={columnsFor((row) => `?${withOpen(search, row.id).toString()}`, user)}
        nameOf={(row) => `${row.at} ${row.content}`}
        filters={[
          { kind: 'text', name: 'operator', label: '操作人/账号' },
          { kind: 'text', name: 'module', label: '模块' },
          { kind: 'select', name: 'kind', label: '操作类型', options: logKind.options },
          { kind: 'dates', from: 'from', to: 'to', label: '操作时间' },
          { kind: 'select', name: 'result', label: '结果', options: logResult.options },
          { kind: 'owner', levels: ['organise'] },
        ]}
        exporting={{ route: log.exportList, keys: Object.keys(logColumns) }}
        rowActions={(row) => [{ label: '详情', route: log.detail, onClick: () => show(row.id) }]}
      />
      {open !== null && /^[1-9]\d{0,17}$/.test(open) && <LogDrawer id={open} onClose={() => show(undefined)} />}
    </>
  )
}
