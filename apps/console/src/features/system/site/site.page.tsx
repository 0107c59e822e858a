import { enabledStatus } from '@wattdeck/contract/common.ts'
import { type Site, site, siteList } from '@wattdeck/contract/system/site.ts'
import { useState } from 'react'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { ImportButton } from '../../../kit/bulk/ImportButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { siteRoutes, useSiteToggle } from './site.actions.ts'
import { SiteBatch } from './site.batch.tsx'
import { siteColumns } from './site.columns.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'

const SiteDialog = lazyPart(async () => (await import('./site.edit-dialog.tsx')).SiteDialog)
const ImportWizard = lazyPart(async () => (await import('../../../kit/bulk/ImportWizard.tsx')).ImportWizard)

type Open = { what: 'edit'; row?: Site } | { what: 'import' }

export default function SitePage() {
  const list = useFieldList(siteList, { listKey: 'site', liveKey: 'site', personal: 'site', columns: siteColumns })
  const [open, setOpen] = useState<Open>()
  useReturnFocus(open !== undefined)
  const close = () => setOpen(undefined)
  const toggle = useSiteToggle()
  const remove = useConfirmedSubmit(site.remove, { refresh: siteRoutes })

  function rowActions(row: Site): RowAction[] {
    const what = `站点「${row.name}」`
    return [
      { label: '编辑', route: site.edit, onClick: () => setOpen({ what: 'edit', row }) },
      toggle(row),
      {
        label: '删除',
        route: site.remove,
        danger: true,
        disabled: row.status === enabledStatus.code.enabled ? '请先停用站点' : undefined,
        onClick: () =>
          remove(
            { title: `确定要删除${what}吗？`, content: '删除后不可恢复', danger: true, okText: '删除' },
            { body: { ids: [row.id] } },
          ),
      },
    ]
  }
  return (
    <>
      <ListPage
        {...list}
        nameOf={(row) => row.name}
        actions={
          <>
            <ImportButton route={site.importSheet} onClick={() => setOpen({ what: 'import' })} />
            <MainButton route={site.add} label="新增站点" onClick={() => setOpen({ what: 'edit' })} />
          </>
        }
        totals={{
          route: site.totals,
          items: [
            { key: 'count', label: '站点' },
            { key: 'parkingSpaces', label: '车位' },
            { key: 'capacityKva', label: '容量', unit: 'kVA' },
          ],
        }}
        rowActions={rowActions}
        selectAll
        renderBatch={(chosen) => <SiteBatch chosen={chosen} />}
      />
      {open?.what === 'edit' && <SiteDialog row={open.row} onClose={close} />}
      {open?.what === 'import' && (
        <ImportWizard
          title="导入站点"
          upload={site.importSheet}
          template={site.importTemplate}
          refresh={siteRoutes}
          onClose={close}
        />
      )}
    </>
  )
}
