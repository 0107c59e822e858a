import { log, type LogDetail, logKind, logResult } from '@wattdeck/contract/system/log.ts'
import { Descriptions, Drawer } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { DiffTable } from '../../../kit/display/DiffTable.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { objectOfRow } from '../../../kit/objects/object-types.ts'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { OwnerPath } from '../../../kit/objects/OwnerPath.tsx'
import { States } from '../../../kit/display/States.tsx'
import { fieldWord, tableWord } from './log.labels.ts'
import '../_shared/system.css'

export function LogDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const detail = useDetail(log.detail, { params: { id } })
  return (
    <Drawer open title="日志详情" size={780} onClose={onClose}>
      <States query={detail} rows={10}>
        {(entry) => <Entry entry={entry} />}
      </States>
    </Drawer>
  )
}

const factsOf = (entry: LogDetail) => [
  { key: 'at', label: '操作时间', children: cells.time(entry.at) },
  { key: 'result', label: '结果', children: cells.status(logResult, entry.result) },
  {
    key: 'user',
    label: '操作人',
    children: (
      <ObjectLink kind="staff" id={entry.userId}>
        {cells.text(entry.userName)}
      </ObjectLink>
    ),
  },
  { key: 'login', label: '账号', children: cells.text(entry.loginName) },
  {
    key: 'owner',
    // The owner of the operator at the time of the action.
    label: '归属',
    children: entry.organiseName === null ? cells.dash : <OwnerPath row={entry} />,
  },
  { key: 'module', label: '模块', children: entry.module },
  { key: 'kind', label: '操作类型', children: cells.label(logKind, entry.kind) },
  { key: 'content', label: '操作内容', children: entry.content },
  { key: 'ip', label: 'IP', children: `${entry.ip ?? '–'}（${entry.place}）` },
  { key: 'duration', label: '耗时', children: `${cells.count(entry.durationMs)} ms` },
  { key: 'path', label: '请求地址', span: 'filled' as const, children: entry.path },
  { key: 'trace', label: '追踪号', span: 'filled' as const, children: <Copied value={entry.traceId} what="追踪号" /> },
  ...(entry.reason ? [{ key: 'reason', label: '失败原因', span: 'filled' as const, children: entry.reason }] : []),
]

const chainOf = (entry: LogDetail) => [
  { key: 'sequence', label: '链上序号', children: cells.text(entry.sequence) },
  { key: 'hash', label: '本条哈希', children: <Copied value={entry.hash} what="哈希" /> },
]

const Copied = (props: { value: string; what: string }) => (
  <span className="long-link">
    <CopyId {...props} />
  </span>
)

function Entry({ entry }: { entry: LogDetail }) {
  return (
    <div className="log-entry">
      <Descriptions bordered size="small" column={{ xs: 1, sm: 2 }} items={factsOf(entry)} />
      <section>
        <h2>变更内容</h2>
        {entry.changes.length === 0 ? (
          <p className="meta">本次操作没有改动数据</p>
        ) : (
          <Changes changes={entry.changes} />
        )}
      </section>
      <section>
        <h2>防篡改校验</h2>
        <p className="meta">每条日志的哈希包含上一条的哈希，删改任何一条都会使其后的校验失败。</p>
        <Descriptions bordered size="small" column={1} items={chainOf(entry)} />
      </section>
    </div>
  )
}

type Change = LogDetail['changes'][number]
const inPlace = new Set(['organise_id', 'agent_id', 'site_id'])

/** Rows of join tables have no id of their own; one line each is enough. */
function Changes({ changes }: { changes: readonly Change[] }) {
  const ties = changes.filter((change) => change.rowId === '')
  const tables = [...new Set(ties.map((change) => change.table))]
  return (
    <>
      {changes
        .filter((change) => change.rowId !== '')
        .map((change) => (
          <DiffTable
            key={JSON.stringify(change)}
            caption={<RowName change={change} />}
            // A new row lists all its fields, including empty ones.
            fields={change.fields
              .filter((field) => field.before !== field.after)
              .map(({ name, before, after }) => ({ name: fieldWord(name), before, after }))}
          />
        ))}
      {tables.map((table) => (
        <DiffTable
          key={table}
          caption={tableWord(table)}
          fields={ties
            .filter((change) => change.table === table)
            .map((change, place) => ({
              name: `第 ${place + 1} 条`,
              before: tieText(change, 'before'),
              after: tieText(change, 'after'),
            }))}
        />
      ))}
    </>
  )
}

function RowName({ change: { table, rowId } }: { change: Change }) {
  const name = `${tableWord(table)}（编号 ${rowId}）`
  const object = objectOfRow(table, rowId)
  return object === undefined ? name : <ObjectLink {...object}>{name}</ObjectLink>
}

const tieText = ({ fields }: Change, side: 'before' | 'after') =>
  fields
    .filter((field) => field[side] !== null && !inPlace.has(field.name))
    .map((field) => `${fieldWord(field.name)} ${field[side]}`)
    .join('，') || null
