import { enabledStatus } from '@wattdeck/contract/common.ts'
import { staff, type Staff } from '@wattdeck/contract/system/staff.ts'
import { selectionProblem } from '@wattdeck/domain/limits.ts'
import { App, Button } from 'antd'
import { Can } from '../../../kit/api/Can.tsx'
import { type Chosen, noneChosen } from '../../../kit/list/chosen.ts'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import '../_shared/system.css'

/** Always in sight; without a choice they say what is missing. Their routes take ids only. */
export function StaffBatch({ chosen: { ids, clear } = noneChosen }: { chosen?: Chosen<Staff> }) {
  const { message } = App.useApp()
  const options = { refresh: [staff.list], onDone: clear }
  const toggle = useConfirmedSubmit(staff.toggle, options)
  const remove = useConfirmedSubmit(staff.remove, options)
  const what = `所选的 ${ids.length} 条记录`

  const ifChosen = (act: () => void) => () => {
    const problem = selectionProblem(ids)
    if (problem === undefined) act()
    else void message.warning(problem)
  }
  const { enabled, disabled } = enabledStatus.code
  return (
    <>
      <Can route={staff.toggle}>
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
      <Can route={staff.remove}>
        <Button
          className="batch-button"
          size="small"
          danger
          onClick={ifChosen(() =>
            remove(
              { title: `确定要删除${what}吗？`, content: '删除后不可恢复', danger: true, okText: '删除' },
              { body: { ids } },
            ),
          )}
        >
          批量删除
        </Button>
      </Can>
    </>
  )
}
