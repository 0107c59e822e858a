import { type Download, download, downloadFlow, downloadList } from '@wattdeck/contract/system/download.ts'
import { fileSizeText } from '@wattdeck/domain/text.ts'
import { App } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { errorText } from '../../../kit/api/error-handling.ts'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { saveFile } from '../../../kit/api/save-file.ts'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'

const columns: ColumnChanges<Download> = {
  bytes: { render: ({ bytes }) => (bytes === null ? cells.dash : fileSizeText(bytes)) },
}
const refresh = [download.list]
const notOwn = '只有申请人可以操作'

export function DownloadFiles() {
  const { message } = App.useApp()
  const list = useFieldList(downloadList, { listKey: 'download', liveKey: 'download', columns })
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
  return <ListPanel {...list} state={state} nameOf={(row) => row.title} rowActions={rowActions} />
}
