import { type Download, download, downloadFlow, downloadStatus } from '@wattdeck/contract/system/download.ts'
import { fileSizeText } from '@wattdeck/domain/text.ts'
import { App } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { errorText } from '../../../kit/api/error-handling.ts'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { saveFile } from '../../../kit/api/save-file.ts'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'

const columns: Column<Download>[] = [
  { key: 'title', title: '任务名称', width: 160, fixed: 'start', render: (row) => row.title },
  { key: 'status', title: '状态', width: 90, card: 'tag', render: (row) => cells.status(downloadStatus, row.status) },
  { key: 'module', title: '模块', width: 110, render: (row) => row.module },
  { key: 'conditions', title: '查询条件', render: (row) => row.conditions },
  {
    key: 'rows',
    title: '行数',
    width: 100,
    align: 'end',
    render: (row) => (row.rows === null ? cells.dash : cells.count(row.rows)),
  },
  {
    key: 'bytes',
    title: '文件大小',
    width: 110,
    align: 'end',
    render: (row) => (row.bytes === null ? cells.dash : fileSizeText(row.bytes)),
  },
  { key: 'reason', title: '失败原因', width: 160, hidden: true, render: (row) => cells.text(row.reason) },
  { key: 'createdBy', title: '申请人', width: 100, render: (row) => row.createdBy },
  { key: 'createdAt', title: '申请时间', width: 180, render: (row) => cells.time(row.createdAt) },
  { key: 'finishedAt', title: '完成时间', width: 180, hidden: true, render: (row) => cells.time(row.finishedAt) },
  { key: 'expiresAt', title: '过期时间', width: 180, render: (row) => cells.time(row.expiresAt) },
]
const refresh = [download.list]
const notOwn = '只有申请人可以操作'

export function DownloadFiles() {
  const { message } = App.useApp()
  const state = useListState(download.list)
  const retry = useSubmit(download.retry, { refresh })
  const remove = useConfirmedSubmit(download.remove, { refresh })

  function rowActions(row: Download): RowAction[] {
    const other = row.own ? undefined : notOwn
    const fetchIt = () =>
      void saveFile(download.file, { body: { id: row.id } }).catch(
        (error: unknown) => void message.error(errorText(error)),
      )
    return [
      {
        label: '下载',
        route: download.file,
        disabled: other ?? (downloadFlow.can('fetch', row.status) ? undefined : (row.reason ?? '文件尚未生成或已过期')),
        onClick: fetchIt,
      },
      {
        label: '重试',
        route: download.retry,
        disabled: other ?? (downloadFlow.can('retry', row.status) ? undefined : '只有失败或已过期的任务可以重试'),
        onClick: () => void retry.run({ body: { id: row.id } }),
      },
      {
        label: '删除',
        route: download.remove,
        danger: true,
        disabled: other,
        onClick: () =>
          remove(
            { title: `确定要删除「${row.title}」吗？`, danger: true, okText: '删除' },
            { body: { ids: [row.id] } },
          ),
      },
    ]
  }
  return (
    <ListPanel
      listKey="download"
      liveKey="download"
      route={download.list}
      state={state}
      columns={columns}
      nameOf={(row) => row.title}
      filters={[
        { kind: 'text', name: 'module', label: '模块' },
        { kind: 'select', name: 'status', label: '状态', options: downloadStatus.options },
        { kind: 'dates', from: 'from', to: 'to', label: '申请时间' },
      ]}
      rowActions={rowActions}
    />
  )
}
