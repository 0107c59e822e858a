import { log, type LogEntry, logList } from '@wattdeck/contract/system/log.ts'
import { Link } from 'react-router'
import { useSearch } from '../../../kit/routing/use-search.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'

const LogDrawer = lazyPart(async () => (await import('./log.detail-drawer.tsx')).LogDrawer)

const openKey = 'open'

/** The URL of this list with one entry open, for a shared link. */
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

const columnsFor = (linkTo: (row: LogEntry) => string): ColumnChanges<LogEntry> => ({
  at: { render: (row) => <Link to={linkTo(row)}>{cells.time(row.at)}</Link> },
  content: { render: (row) => oneLine(row.content) },
  durationMs: { title: '耗时', render: (row) => `${cells.count(row.durationMs)} ms` },
  path: { card: 'none', render: (row) => oneLine(row.path) },
  traceId: { card: 'none' },
})

export default function LogPage() {
  const [search, setSearch] = useSearch()
  const open = search.get(openKey)
  useReturnFocus(open !== null)
  const show = (id: string | undefined) => setSearch((now) => withOpen(now, id))
  const columns = columnsFor((row) => `?${withOpen(search, row.id).toString()}`)
  const list = useFieldList(logList, { listKey: 'log', columns })
  return (
    <>
      <ListPage
        {...list}
        note="未选择起始日期时，显示截止日期前 31 天的记录"
        nameOf={(row) => `${row.at} ${row.content}`}
        rowActions={(row) => [{ label: '详情', route: log.detail, onClick: () => show(row.id) }]}
      />
      {open !== null && /^[1-9]\d{0,17}$/.test(open) && <LogDrawer id={open} onClose={() => show(undefined)} />}
    </>
  )
}
