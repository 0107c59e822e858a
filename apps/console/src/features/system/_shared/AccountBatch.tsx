import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type { staff } from '@wattdeck/contract/system/staff.ts'
import { selectionProblem } from '@wattdeck/domain/limits.ts'
import { App, Button } from 'antd'
import { Can } from '../../../kit/api/Can.tsx'
import { type Chosen, noneChosen } from '../../../kit/list/chosen.ts'
import { useConfirmedSubmit, removal } from '../../../kit/form/use-confirm.ts'
import './system.css'

type Props<T> = {
  routes: Pick<typeof staff, 'toggle' | 'remove'> & { list: AnyRoute }
  /** The counter and noun after a number: 个用户. */
  unit: string
  /** Accounts can also be removed in a batch. */
  removes?: boolean
  chosen?: Chosen<T>
}

/** Always visible; without a selection the buttons ask for one. The routes accept only ids. */
export function AccountBatch<T>({ routes, unit, removes = false, chosen: { ids, clear } = noneChosen }: Props<T>) {
  const { message } = App.useApp()
  const options = { refresh: [routes.list], onDone: clear }
  const toggle = useConfirmedSubmit(routes.toggle, options)
  const remove = useConfirmedSubmit(routes.remove, options)
  const what = `所选的 ${ids.length} ${unit}`

  const ifChosen = (act: () => void) => () => {
    const problem = selectionProblem(ids)
    if (problem === undefined) act()
    else void message.warning(problem)
  }
  const { enabled, disabled } = enabledStatus.code
  return (
    <>
      <Can route={routes.toggle}>
        <Button
          className="batch-button"
          size="small"
          onClick={ifChosen(() =>
            toggle({ title: `确定要启用${what}吗？`, okText: '启用' }, { body: { ids, status: enabled } }),
          )}
        >
          批量启用
        </Button>
        <Button
          className="batch-button"
          size="small"
          onClick={ifChosen(() =>
            toggle(
              { title: `确定要停用${what}吗？`, content: '停用后将立即退出登录', danger: true, okText: '停用' },
              { body: { ids, status: disabled } },
            ),
          )}
        >
          批量停用
        </Button>
      </Can>
      {removes && (
        <Can route={routes.remove}>
          <Button
            className="batch-button"
            size="small"
            danger
            onClick={ifChosen(() => remove(removal(what), { body: { ids } }))}
          >
            批量删除
          </Button>
        </Can>
      )}
    </>
  )
}
