import { payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import { keyState, type Merchant, paySetting } from '@wattdeck/contract/accounting/pay-setting.ts'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useCan } from '../../../kit/api/Can.tsx'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'
import { merchantColumns } from './pay-setting.columns.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'

const EditDialog = lazyPart(async () => (await import('./pay-setting.edit-dialog.tsx')).EditDialog)
const KeysDrawer = lazyPart(async () => (await import('./pay-setting.keys-drawer.tsx')).KeysDrawer)
const TestDialog = lazyPart(async () => (await import('./pay-setting.test-dialog.tsx')).TestDialog)

type Open = { what: 'edit'; row?: Merchant } | { what: 'keys' | 'test'; row: Merchant }
const refresh = [paySetting.list]

/** Why nothing can be signed yet; undefined when a key is live. */
function keyless({ keys }: Merchant): string | undefined {
  if (keys.length === 0) return '请先上传密钥'
  return keys.some(({ state }) => state === keyState.code.live) ? undefined : '密钥尚未生效，须先经平台审批和渠道验证'
}

/** Why the merchant cannot take money yet; undefined when it can. */
function missing(row: Merchant): string | undefined {
  const reason = keyless(row)
  if (reason !== undefined) return reason
  if (row.testedAt === null) return '请先通过一分钱测试'
  return row.authorised ? undefined : '平台尚未授权该商户'
}

export default function PaySettingPage() {
  const [open, setOpen, close] = useOpen<Open>()
  const decides = useCan(paySetting.approveKey)
  const toggle = useConfirmSheet(paySetting.toggle, { refresh })
  const remove = useConfirmSheet(paySetting.remove, { refresh })

  function rowActions(row: Merchant): RowAction[] {
    const what = `商户「${row.name}」`
    const { label, question, status } = toggleOf(row.status, what)
    const facts = [
      ['商户', `${payProvider.show(row.provider).label} ${row.merchantNo}`],
      ['机构', row.organiseName],
    ] as const
    const enables = status === enabledStatus.code.enabled
    return [
      {
        label: '密钥',
        route: decides ? paySetting.approveKey : paySetting.addKey,
        onClick: () => setOpen({ what: 'keys', row }),
      },
      {
        label: '一分钱测试',
        route: paySetting.test,
        disabled: keyless(row),
        onClick: () => setOpen({ what: 'test', row }),
      },
      {
        label,
        route: paySetting.toggle,
        disabled: enables ? missing(row) : undefined,
        onClick: () =>
          toggle(
            {
              title: question.title,
              danger: !enables,
              okText: label,
              facts,
              effect: enables ? '该商户立即开始收款' : '立即停止收款；已发起的支付和退款仍会处理完毕',
              undo: enables ? '可随时停用' : '可重新启用',
            },
            { body: { id: row.id, status } },
          ),
      },
      { label: '编辑', route: paySetting.edit, onClick: () => setOpen({ what: 'edit', row }) },
      {
        label: '删除',
        route: paySetting.remove,
        danger: true,
        onClick: () =>
          remove(
            {
              title: `确定要删除${what}吗？`,
              danger: true,
              okText: '删除',
              facts,
              effect: '该商户不再收款，密钥一并删除',
              undo: '删除后不可恢复',
            },
            { body: { id: row.id } },
          ),
      },
    ]
  }
  return (
    <>
      <ListPage
        title="支付设置"
        note="密钥经平台审批和渠道验证、通过一分钱测试并经平台授权后，商户方可启用"
        listKey="pay-setting"
        liveKey="paySetting"
        route={paySetting.list}
        columns={merchantColumns}
        nameOf={(row) => row.name}
        filters={[
          { kind: 'owner', levels: ['organise'] },
          { kind: 'select', name: 'provider', label: '渠道', options: payProvider.options },
          { kind: 'select', name: 'status', label: '状态', options: enabledStatus.options },
        ]}
        actions={<MainButton route={paySetting.add} label="新增商户" onClick={() => setOpen({ what: 'edit' })} />}
        rowActions={rowActions}
      />
      {open?.what === 'edit' && <EditDialog row={open.row} onClose={close} />}
      {open?.what === 'keys' && <KeysDrawer merchantId={open.row.id} of={open.row} onClose={close} />}
      {open?.what === 'test' && <TestDialog of={open.row} onClose={close} />}
    </>
  )
}
