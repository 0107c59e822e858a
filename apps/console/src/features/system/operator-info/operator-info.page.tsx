import { operatorInfo, operatorList } from '@wattdeck/contract/system/operator-info.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { Can } from '../../../kit/api/Can.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { TreePanel } from '../../../kit/tree/TreePanel.tsx'
import { type OperatorOpen, useOperatorActions } from './operator-info.row-actions.ts'
import { useOperatorTree } from './operator-info.tree.ts'
import { TreeRetry } from '../../../kit/tree/tree-retry.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { AgentFilter } from '../../../kit/owner-region/AgentFilter.tsx'
import { maySelect } from '../../../kit/owner-region/owner.ts'
import { useOwner } from '../../../kit/owner-region/use-owner.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'

const OperatorDialog = lazyPart(async () => (await import('./operator-info.edit-dialog.tsx')).OperatorDialog)
const OperatorShareDialog = lazyPart(async () => (await import('./operator-info.share-dialog.tsx')).OperatorShareDialog)
const FirstPasswordDialog = lazyPart(
  async () => (await import('../_shared/first-password-dialog.tsx')).FirstPasswordDialog,
)

export default function OperatorInfoPage() {
  const list = useFieldList(operatorList, {
    listKey: 'operator-info',
    liveKey: 'operatorInfo',
    personal: 'agent',
    columns: { share: { align: 'end' } },
  })
  const state = useListState(operatorInfo.list)
  const { organiseId, agentId, parentAgentId } = state.query
  const parent = useOwner('agent', parentAgentId)
  const mayChoose = maySelect(useUser(), 'agent')
  const filters = list.filters.flatMap((filter): typeof list.filters => {
    if (filter.kind !== 'text' || filter.name !== 'parentAgentId') return [filter]
    const options = parent ? [{ value: parent.id, label: parent.fullName ?? parent.name }] : []
    return mayChoose ? [{ ...filter, kind: 'part', part: AgentFilter, options }] : []
  })
  const tree = useOperatorTree({ organiseId, agentId })
  const [open, setOpen] = useState<OperatorOpen>()
  useReturnFocus(open !== undefined)
  const close = () => setOpen(undefined)
  const rowActions = useOperatorActions(setOpen)
  const startNew = () => setOpen({ what: 'edit', draft: { organiseId } })

  return (
    <PageFrame
      title={list.title}
      actions={<MainButton route={operatorInfo.add} label="新增运营商" onClick={startNew} />}
    >
      <TreePanel
        label="运营商"
        items={tree.items}
        selected={tree.selected}
        onSelect={(key) => state.set(tree.pick(key))}
        onOpen={tree.open}
        actions={
          <>
            <TreeRetry query={tree.query} what="运营商" />
            {tree.more && <p className="meta tree-note">数量较多，仅显示一部分，其余请在右侧筛选</p>}
          </>
        }
      >
        <ListPanel
          {...list}
          filters={filters}
          state={state}
          nameOf={(row) => row.name}
          rowActions={rowActions}
          emptyAction={
            <Can route={operatorInfo.add}>
              <Button onClick={startNew}>新增运营商</Button>
            </Can>
          }
        />
      </TreePanel>
      {open?.what === 'edit' && (
        <OperatorDialog
          draft={open.draft}
          onClose={close}
          onAdded={(of, initialPassword) =>
            setOpen({ what: 'password', secret: { ...of, what: '运营商', initialPassword, isNew: true } })
          }
        />
      )}
      {open?.what === 'share' && <OperatorShareDialog of={open.of} onClose={close} />}
      {open?.what === 'password' && <FirstPasswordDialog secret={open.secret} onClose={close} />}
    </PageFrame>
  )
}
