import { chargingMini, chargingMiniList, type MemberApp } from '@wattdeck/contract/member/charging-mini.ts'
import { memberChannel } from '@wattdeck/contract/member/member-row.ts'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { ReactNode } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import './charging-mini.css'

const refresh = [chargingMini.list]

const columns: ColumnChanges<MemberApp> = {
  themeColor: {
    render: ({ themeColor }) =>
      themeColor === null ? (
        cells.dash
      ) : (
        <span className="app-color">
          <span className="app-color-swatch" style={{ background: themeColor }} aria-hidden="true" />
          {themeColor}
        </span>
      ),
  },
}

type Props = { emptyAction: ReactNode; onEdit: (row: MemberApp) => void }

export function AppList({ emptyAction, onEdit }: Props) {
  const { title: _, ...list } = useFieldList(chargingMiniList, {
    listKey: 'charging-mini',
    liveKey: 'chargingMini',
    columns,
  })
  const state = useListState(chargingMini.list)
  const toggle = useConfirmSheet(chargingMini.toggle, { refresh })
  const remove = useConfirmSheet(chargingMini.remove, { refresh })

  function rowActions(row: MemberApp): RowAction[] {
    const what = `小程序「${row.name}」`
    const { label, question, status } = toggleOf(row.status, what)
    const enables = status === enabledStatus.code.enabled
    const facts = [
      ['类型', memberChannel.show(row.channel).label],
      ['AppID', row.appId],
      ['机构', row.organiseName],
    ] as const
    return [
      { label: '修改', route: chargingMini.edit, onClick: () => onEdit(row) },
      {
        label,
        route: chargingMini.toggle,
        onClick: () =>
          toggle(
            {
              title: question.title,
              danger: !enables,
              okText: label,
              facts,
              effect: enables
                ? '会员立即可以通过它登录、充值和启动充电'
                : '会员立即不能通过它登录、充值和启动充电；正在进行的充电照常停止和结算，余额不受影响',
              undo: enables ? '可随时停用' : '可重新启用',
            },
            { body: { id: row.id, status } },
          ),
      },
      {
        label: '删除',
        route: chargingMini.remove,
        danger: true,
        disabled: row.hasMembers ? '已有会员通过该小程序注册，不能删除，可以停用' : undefined,
        onClick: () =>
          remove(
            {
              title: `确定要删除${what}吗？`,
              danger: true,
              okText: '删除',
              facts,
              effect: '该AppID不再登记，会员不能通过它注册',
              undo: '删除后不可恢复，可以重新登记',
            },
            { body: { id: row.id } },
          ),
      },
    ]
  }
  return (
    <ListPanel {...list} state={state} nameOf={(row) => row.name} rowActions={rowActions} emptyAction={emptyAction} />
  )
}
