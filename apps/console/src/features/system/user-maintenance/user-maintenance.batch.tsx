import { enabledStatus } from '@wattdeck/contract/common.ts'
import { type Account, userMaintenance } from '@wattdeck/contract/system/user-maintenance.ts'
import { selectionProblem } from '@wattdeck/domain/limits.ts'
import { App, Button } from 'antd'
import { Can } from '../../../kit/api/Can.tsx'
import { type Chosen, noneChosen } from '../../../kit/list/chosen.ts'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import '../_shared/system.css'

/** Always in sight; without a choice they say what is missing. */
export function AccountBatch({ chosen: { ids, clear } = noneChosen }: { chosen?: Chosen<Account> }) {
  const { message } = App.useApp()
  const toggle = useConfirmedSubmit(userMaintenance.toggle, { refresh: [userMaintenance.list], onDone: clear })
  const what = `所选的 ${ids.length} 个用户`
  const { enabled, disabled } = enabledStatus.code

  const ifChosen = (act: () => void) => () => {
    const problem = selectionProblem(ids)
    if (problem === undefined) act()
    else void message.warning(problem)
  }
  const enable = () => toggle({ title: `确定要启用${what}吗？`, okText: '启用' }, { body: { ids, status: enabled } })
  const disable = () =>
    toggle(
      { title: `确定要停用${what}吗？`, content: '停用后将立即退出登录', danger: true, okText: '停用' },
      { body: { ids, status: disabled } },
    )
  return (
    <Can route={userMaintenance.toggle}>
      <Button className="batch-button" size="small" onClick={ifChosen(enable)}>
        批量启用
      </Button>
      <Button className="batch-button" size="small" onClick={ifChosen(disable)}>
        批量停用
      </Button>
    </Can>
  )
}
