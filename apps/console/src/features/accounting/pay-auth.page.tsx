import { authState, type MerchantAuth, payAuth } from '@wattdeck/contract/accounting/pay-auth.ts'
import { merchantMode, payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { useState } from 'react'
import * as cells from '../../kit/display/cells.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { DayPicker } from '../../kit/form/DayPicker.tsx'
import { Field } from '../../kit/form/Field.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { RowAction } from '../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../kit/form/use-confirm.ts'
import { useReturnFocus } from '../../kit/form/use-return-focus.ts'

const columns: Column<MerchantAuth>[] = [
  { key: 'name', title: '商户名称', width: 180, fixed: 'start', render: (row) => row.name },
  { key: 'state', title: '授权状态', width: 90, card: 'tag', render: (row) => cells.status(authState, row.state) },
  { key: 'organiseName', title: '机构', width: 180, render: (row) => row.organiseName },
  { key: 'provider', title: '支付渠道', width: 100, render: (row) => cells.label(payProvider, row.provider) },
  { key: 'mode', title: '商户模式', width: 100, render: (row) => cells.label(merchantMode, row.mode) },
  { key: 'merchantNo', title: '商户号', width: 160, render: (row) => row.merchantNo },
  { key: 'status', title: '收款', width: 80, render: (row) => cells.status(enabledStatus, row.status) },
  { key: 'authorisedBy', title: '授权人', width: 100, render: (row) => cells.text(row.authorisedBy) },
  { key: 'authorisedAt', title: '授权时间', width: 170, render: (row) => cells.time(row.authorisedAt) },
  {
    key: 'authorisedUntil',
    title: '到期',
    width: 120,
    render: (row) => (row.state === authState.code.none ? cells.dash : (row.authorisedUntil ?? '长期')),
  },
]
const refresh = [payAuth.list]

export default function PayAuthPage() {
  const [granting, setGranting] = useState<MerchantAuth>()
  useReturnFocus(granting !== undefined)
  const cancel = useConfirmedSubmit(payAuth.cancel, { refresh })
  const rowActions = (row: MerchantAuth): RowAction[] => [
    {
      label: row.state === authState.code.none ? '授权' : '续期',
      route: payAuth.authorise,
      onClick: () => setGranting(row),
    },
    {
      label: '取消授权',
      route: payAuth.cancel,
      danger: true,
      disabled: row.state === authState.code.none ? '该商户未授权' : undefined,
      onClick: () =>
        cancel(
          {
            title: `确定要取消商户「${row.name}」的授权吗？`,
            content: '取消后立即停止收款；已发起的支付和退款仍会处理完毕',
            danger: true,
            okText: '取消授权',
          },
          { body: { id: row.id } },
        ),
    },
  ]
  return (
    <>
      <ListPage
        title="支付授权"
        note="机构的商户须由平台授权，并通过一分钱测试后方可启用收款"
        listKey="pay-auth"
        liveKey="paySetting"
        route={payAuth.list}
        columns={columns}
        nameOf={(row) => row.name}
        filters={[
          { kind: 'owner', levels: ['organise'] },
          { kind: 'select', name: 'provider', label: '支付渠道', options: payProvider.options },
          { kind: 'select', name: 'state', label: '授权状态', options: authState.options },
        ]}
        rowActions={rowActions}
      />
      {granting && (
        <FormDialog
          title={`授权商户：${granting.name}`}
          route={payAuth.authorise}
          okText="授权"
          initial={granting.authorisedUntil === null ? {} : { until: granting.authorisedUntil }}
          toBody={(values) => ({ ...values, id: granting.id }) as BodyOf<typeof payAuth.authorise>}
          refresh={refresh}
          onClose={() => setGranting(undefined)}
        >
          <Field
            name="until"
            label="到期日"
            choose
            help={`${granting.organiseName}，商户号 ${granting.merchantNo}。留空则长期有效`}
          >
            <DayPicker />
          </Field>
        </FormDialog>
      )}
    </>
  )
}
