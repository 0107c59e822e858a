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
  /** Keys that a file may hold; the others are for the screen only. */
  keys: readonly string[]
  /** The filter as a query string, and in words. */
  text: string
  conditions: string
}

/** Asks for the list as it is filtered, with the columns that are shown. */
export function ExportButton({ route, listKey, columns, keys, text, conditions }: Props) {
  const { notification } = App.useApp()
  const navigate = useNavigate()
  const [choice] = useColumnChoice(listKey)
  const submit = useSubmit(route, {
    tell: 'silent',
    // Shown outside of the router, so the whole of it is the link.
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
