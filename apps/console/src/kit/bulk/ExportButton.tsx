import { ExportOutlined } from '@ant-design/icons'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { App, Button } from 'antd'
import { useNavigate } from 'react-router'
import { Can } from '../api/Can.tsx'
import { chosenColumns } from '../list/columns.ts'
import { useColumnChoice } from '../list/table-preferences.ts'
import { useSubmit } from '../form/use-submit.ts'

type Props = {
  route: AnyRoute
  listKey: string
  columns: readonly { key: string; hidden?: boolean; below?: string }[]
  /** Columns that the file may contain; the others are for the screen only. */
  keys: readonly string[]
  /** The filter as a query string, and as readable text. */
  text: string
  conditions: string
}

/** Exports the filtered list with the visible columns. */
export function ExportButton({ route, listKey, columns, keys, text, conditions }: Props) {
  const { notification } = App.useApp()
  const navigate = useNavigate()
  const [choice] = useColumnChoice(listKey)
  const submit = useSubmit(route, {
    feedback: 'silent',
    // The notification renders outside the router, where a link does not work, so a click navigates.
    onDone: () =>
      notification.success({
        title: '导出任务已提交',
        description: '生成后可在「下载管理」下载，点击前往',
        onClick: () => void navigate('/system/download'),
      }),
  })
  const shown = new Set(
    chosenColumns(columns, choice).flatMap(({ key, below }) => (below === undefined ? key : [key, below])),
  )
  const body = {
    ...(text === '' ? {} : { query: text }),
    ...(conditions === '' ? {} : { conditions: conditions.slice(0, 500) }),
    columns: [...shown].filter((key) => keys.includes(key)).join(','),
  }
  return (
    <Can route={route}>
      <Button
        size="small"
        icon={<ExportOutlined />}
        loading={submit.pending}
        onClick={() => void submit.run({ body: body as never })}
      >
        导出
      </Button>
    </Can>
  )
}
