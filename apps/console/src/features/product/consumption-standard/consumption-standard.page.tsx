import { enabledStatus } from '@wattdeck/contract/common.ts'
import {
  billingType,
  type ConsumptionStandard,
  consumptionStandard,
  standardColumns,
} from '@wattdeck/contract/product/consumption-standard.ts'
import { useState } from 'react'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit, removal } from '../../../kit/form/use-confirm.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useUser } from '../../../kit/api/user.ts'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { standardTableColumns } from './consumption-standard.columns.tsx'

const TariffEditor = lazyPart(async () => (await import('./consumption-standard.editor.tsx')).TariffEditor)
const TariffDrawer = lazyPart(async () => (await import('./consumption-standard.drawer.tsx')).TariffDrawer)
const CopyDialog = lazyPart(async () => (await import('./consumption-standard.dialogs.tsx')).CopyDialog)

type Open = { what: 'add' } | { what: 'edit'; id: string } | { what: 'copy'; row: ConsumptionStandard }
const refresh = [consumptionStandard.list]

export default function ConsumptionStandardPage() {
  const user = useUser()
  const [search, setSearch] = useSearch()
  const [open, setOpen] = useState<Open>()
  const shown = /^[1-9]\d{0,17}$/.exec(search.get('tariff') ?? '')?.[0]
  useReturnFocus(open !== undefined || shown !== undefined)
  const close = () => setOpen(undefined)
  const toggle = useConfirmedSubmit(consumptionStandard.toggle, { refresh })
  const remove = useConfirmedSubmit(consumptionStandard.remove, { refresh })
  /** The open tariff is stored in the URL, so a shared link shows the same. */
  const show = (id: string | undefined) =>
    setSearch((now) => {
      const next = new URLSearchParams(now)
      next.delete('tab')
      if (id === undefined) next.delete('tariff')
      else next.set('tariff', id)
      return next
    })

  function rowActions(row: ConsumptionStandard): RowAction[] {
    const what = `消费标准「${row.name}」`
    const bound = row.deviceCount + row.siteCount > 0 ? '仍有设备或站点使用' : undefined
    const { label, question, status } = toggleOf(row.status, what)
    return [
      { label: '详情', onClick: () => show(row.id) },
      { label: '编辑', route: consumptionStandard.edit, onClick: () => setOpen({ what: 'edit', id: row.id }) },
      { label: '复制', route: consumptionStandard.copy, onClick: () => setOpen({ what: 'copy', row }) },
      {
        label,
        route: consumptionStandard.toggle,
        disabled: status === enabledStatus.code.disabled ? bound : undefined,
        onClick: () => toggle(question, { body: { ids: [row.id], status } }),
      },
      {
        label: '删除',
        route: consumptionStandard.remove,
        danger: true,
        disabled: bound,
        onClick: () => remove(removal(what, '已产生的订单不受影响'), { body: { ids: [row.id] } }),
      },
    ]
  }
  const add = (
    <MainButton route={consumptionStandard.add} label="新增消费标准" onClick={() => setOpen({ what: 'add' })} />
  )
  return (
    <>
      <ListPage
        title="消费标准"
        listKey="consumption-standard"
        liveKey="consumptionStandard"
        route={consumptionStandard.list}
        columns={standardTableColumns(user)}
        nameOf={(row) => row.name}
        filters={[
          { kind: 'text', name: 'keyword', label: '名称' },
          { kind: 'select', name: 'billingType', label: '计费类型', options: billingType.options },
          { kind: 'owner' },
          { kind: 'select', name: 'status', label: '状态', options: enabledStatus.options },
        ]}
        actions={add}
        exporting={{ route: consumptionStandard.exportList, keys: Object.keys(standardColumns) }}
        rowActions={rowActions}
      />
      {(open?.what === 'add' || open?.what === 'edit') && (
        <TariffEditor
          id={open.what === 'edit' ? open.id : undefined}
          onClose={close}
          onSaved={(id) => {
            close()
            show(id)
          }}
        />
      )}
      {open?.what === 'copy' && <CopyDialog row={open.row} onClose={close} onDone={({ id }) => show(id)} />}
      {shown !== undefined && open === undefined && (
        <TariffDrawer id={shown} onClose={() => show(undefined)} onEdit={() => setOpen({ what: 'edit', id: shown })} />
      )}
    </>
  )
}
