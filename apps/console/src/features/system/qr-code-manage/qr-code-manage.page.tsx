import { QrcodeOutlined, UnorderedListOutlined, WarningOutlined } from '@ant-design/icons'
import {
  type QrCode,
  qrCodeFlow,
  qrCodeList,
  qrCodeManage,
  suspicionState,
} from '@wattdeck/contract/system/qr-code-manage.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { CodeBatch } from './qr-code-manage.batch.tsx'
import type { Printed } from '../../../kit/media/CodeSheet.tsx'

const GenerateDialog = lazyPart(async () => (await import('./qr-code-manage.dialogs.tsx')).GenerateDialog)
const BindDialog = lazyPart(async () => (await import('./qr-code-manage.dialogs.tsx')).BindDialog)
const UnbindDialog = lazyPart(async () => (await import('./qr-code-manage.dialogs.tsx')).UnbindDialog)
const CodeDialog = lazyPart(async () => (await import('./qr-code-manage.code-dialog.tsx')).CodeDialog)
const BatchesDrawer = lazyPart(async () => (await import('./qr-code-manage.batches-drawer.tsx')).BatchesDrawer)
const SuspicionsDrawer = lazyPart(async () => (await import('./qr-code-manage.suspicions-drawer.tsx')).SuspicionsDrawer)
const CodeSheet = lazyPart(async () => (await import('../../../kit/media/CodeSheet.tsx')).CodeSheet)

type Open =
  | { what: 'generate' | 'batches' | 'suspicions' }
  | { what: 'show' | 'bind'; row: QrCode }
  | { what: 'unbind'; ids: string[]; onDone?: () => void }
const refresh = [qrCodeManage.list]
const stillOpen = { state: suspicionState.code.open, pageSize: 1 } as const

const columns: ColumnChanges<QrCode> = {
  content: { card: 'none' },
}

export default function QrCodeManagePage() {
  const list = useFieldList(qrCodeList, { listKey: 'qrCode', liveKey: 'qrCode', columns })
  const [open, setOpen] = useState<Open>()
  const [printed, setPrinted] = useState<Printed>()
  useReturnFocus(open !== undefined)
  const close = () => setOpen(undefined)
  const suspicions = useDetail(qrCodeManage.suspicions, { query: stillOpen }).data?.total ?? 0
  const use = useConfirmedSubmit(qrCodeManage.use, { refresh })
  if (printed) return <CodeSheet of={printed} onClose={() => setPrinted(undefined)} />

  const rowActions = (row: QrCode): RowAction[] => [
    { label: '查看', onClick: () => setOpen({ what: 'show', row }) },
    { label: '绑定', route: qrCodeManage.bind, onClick: () => setOpen({ what: 'bind', row }) },
    {
      label: '解绑',
      route: qrCodeManage.unbind,
      danger: true,
      disabled: row.deviceId === null ? '该二维码未绑定设备' : undefined,
      onClick: () => setOpen({ what: 'unbind', ids: [row.id] }),
    },
    {
      label: '标记已用',
      route: qrCodeManage.use,
      disabled: qrCodeFlow.can('use', row.status) ? undefined : '该二维码已使用',
      onClick: () =>
        use({ title: `确定要将二维码「${row.codeNo}」标记为已用吗？`, okText: '标记' }, { body: { ids: [row.id] } }),
    },
  ]
  return (
    <>
      <ListPage
        {...list}
        nameOf={(row) => row.codeNo}
        actions={
          <>
            <Button icon={<WarningOutlined />} danger={suspicions > 0} onClick={() => setOpen({ what: 'suspicions' })}>
              疑似错贴{suspicions > 0 && ` ${suspicions}`}
            </Button>
            <Button icon={<UnorderedListOutlined />} onClick={() => setOpen({ what: 'batches' })}>
              生成批次
            </Button>
            <MainButton
              route={qrCodeManage.generate}
              label="批量生成"
              icon={<QrcodeOutlined />}
              onClick={() => setOpen({ what: 'generate' })}
            />
          </>
        }
        rowActions={rowActions}
        selectAll
        renderBatch={(chosen) => (
          <CodeBatch
            chosen={chosen}
            onPrint={setPrinted}
            onUnbind={() => setOpen({ what: 'unbind', ids: chosen.ids, onDone: chosen.clear })}
          />
        )}
      />
      {open?.what === 'generate' && <GenerateDialog onClose={close} onDone={() => setOpen({ what: 'batches' })} />}
      {open?.what === 'batches' && <BatchesDrawer onPrint={setPrinted} onClose={close} />}
      {open?.what === 'suspicions' && <SuspicionsDrawer onClose={close} />}
      {open?.what === 'show' && <CodeDialog row={open.row} onClose={close} />}
      {open?.what === 'bind' && <BindDialog row={open.row} onClose={close} />}
      {open?.what === 'unbind' && <UnbindDialog ids={open.ids} onClose={close} onDone={() => open.onDone?.()} />}
    </>
  )
}
