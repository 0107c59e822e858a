import { enabledStatus } from '@wattdeck/contract/common.ts'
import { openKey, openKeyList, type OpenKey } from '@wattdeck/contract/member/open-key.ts'
import type { ReactNode } from 'react'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import './charging-mini.css'

export type KeyAction = { what: 'key'; row?: OpenKey } | { what: 'rotate'; row: OpenKey }
type Props = { emptyAction: ReactNode; onOpen: (action: KeyAction) => void }

const refresh = [openKey.list]

const columns: ColumnChanges<OpenKey> = {
  appKey: {
    render: (row) => (
      <span className="key-text">
        <CopyId value={row.appKey} what="App Key" />
      </span>
    ),
  },
}

export function KeyList({ emptyAction, onOpen }: Props) {
  const { title: _, ...list } = useFieldList(openKeyList, { listKey: 'open-key', liveKey: 'openKey', columns })
  const state = useLocalListState(openKey.list)
  const enable = useConfirmSheet(openKey.enable, { refresh })
  const disable = useConfirmSheet(openKey.disable, { refresh })
  const endOld = useConfirmSheet(openKey.endOld, { refresh })

  function rowActions(row: OpenKey): RowAction[] {
    const what = `密钥「${row.name}」`
    const { label, question, status } = toggleOf(row.status, what)
    const enables = status === enabledStatus.code.enabled
    const facts = [
      ['App Key', row.appKey],
      ['机构', row.organiseName],
    ] as const
    const body = { id: row.id }
    return [
      { label: '轮换密钥', route: openKey.rotate, onClick: () => onOpen({ what: 'rotate', row }) },
      {
        label,
        route: enables ? openKey.enable : openKey.disable,
        onClick: () =>
          (enables ? enable : disable)(
            {
              title: question.title,
              danger: !enables,
              okText: label,
              facts,
              effect: enables
                ? '使用该密钥的服务器立即可以调用开放接口'
                : '使用该密钥的服务器立即不能调用开放接口，会员不能通过它充值和充电；正在进行的充电照常结算',
              undo: enables ? '可随时停用' : '可重新启用',
            },
            { body },
          ),
      },
      { label: '修改', route: openKey.edit, onClick: () => onOpen({ what: 'key', row }) },
      {
        label: '立即作废旧密钥',
        route: openKey.endOld,
        danger: true,
        disabled: row.oldUntil === null ? '没有仍有效的旧密钥' : undefined,
        onClick: () =>
          endOld(
            {
              title: `确定要作废${what}的旧密钥吗？`,
              danger: true,
              okText: '立即作废',
              facts: [...facts, ['旧密钥有效至', row.oldUntil ?? '']],
              effect: '仍用旧密钥签名的请求立即被拒绝，请先确认服务器已换用新密钥',
            },
            { body },
          ),
      },
    ]
  }
  return (
    <ListPanel {...list} state={state} nameOf={(row) => row.name} rowActions={rowActions} emptyAction={emptyAction} />
  )
}
