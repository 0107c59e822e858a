import { userType } from '@wattdeck/contract/common.ts'
import { areaMost, type OperationArea, operationArea } from '@wattdeck/contract/system/operation-area.ts'
import { Modal } from 'antd'
import { useState } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { type RowOf, useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import type { Members } from './area-choice.ts'
import { MemberChooser } from '../_shared/MemberChooser.tsx'
import { MemberDialog } from '../_shared/MemberDialog.tsx'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Person = RowOf<typeof operationArea.users>
type Props = { of: OperationArea; onClose: () => void }
const titleOf = (of: OperationArea) => `分配人员：${of.name}`

const columns: Column<Person>[] = [
  { key: 'name', title: '姓名', width: 140, render: (row) => row.name },
  { key: 'loginName', title: '登录账号', width: 160, render: (row) => row.loginName },
  { key: 'userType', title: '用户类型', width: 100, card: 'tag', render: (row) => cells.label(userType, row.userType) },
  { key: 'agentName', title: '所属代理商', width: 160, render: (row) => cells.text(row.agentName) },
  { key: 'siteName', title: '所属站点', render: (row) => cells.text(row.siteName) },
]

export function AreaUsersDialog({ of, onClose }: Props) {
  const now = useDetail(operationArea.assigned, { params: { id: of.id } })
  if (now.data && now.isFetchedAfterMount)
    return <UsersChoice of={of} onClose={onClose} held={new Map(now.data.users.map(({ id, name }) => [id, name]))} />
  return (
    <Modal open title={titleOf(of)} width={dialogWidth.xl} footer={null} onCancel={onClose}>
      <States query={now}>{() => null}</States>
    </Modal>
  )
}

function UsersChoice({ of, held: assignment, onClose }: Props & { held: Members }) {
  const [chosen, setChosen] = useState<Members>()
  const members = chosen ?? assignment
  const submit = useSubmit(operationArea.assignUsers, {
    refresh: [operationArea.list],
    feedback: 'inline',
    onDone: onClose,
  })
  return (
    <MemberDialog
      title={titleOf(of)}
      dirty={chosen !== undefined}
      problem={members.size > areaMost.users ? `一个区域最多分配${areaMost.users}名人员` : undefined}
      {...submit}
      onSave={() => void submit.run({ body: { id: of.id, userIds: [...members.keys()] } })}
      onClose={onClose}
    >
      <MemberChooser
        listKey="operation-area-users"
        route={operationArea.users}
        params={{ id: of.id }}
        columns={columns}
        nameOf={(row) => row.name}
        filters={[
          { kind: 'text', name: 'keyword', label: '姓名/账号' },
          { kind: 'select', name: 'userType', label: '用户类型', options: userType.options },
        ]}
        word="人员"
        value={members}
        onChange={setChosen}
      />
    </MemberDialog>
  )
}
