import { authState, type MerchantAuth, payAuth, payAuthList } from '@wattdeck/contract/accounting/pay-auth.ts'
import type { ColumnChanges } from '../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../kit/crud/use-field-list.ts'
import * as cells from '../../kit/display/cells.tsx'
import { DayPicker } from '../../kit/form/DayPicker.tsx'
import { Field } from '../../kit/form/Field.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { RowAction } from '../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../kit/form/use-confirm.ts'
import { useOpen } from '../../kit/form/use-return-focus.ts'

const columns: ColumnChanges<MerchantAuth> = {
  authorisedUntil: {
    render: (row) => (row.state === authState.code.none ? cells.dash : (row.authorisedUntil ?? '长期')),
  },
}
const refresh = [payAuth.list]

export default function PayAuthPage() {
  const list = useFieldList(payAuthList, { listKey: 'pay-auth', liveKey: 'paySetting', columns })
  const [granting, setGranting, close] = useOpen<MerchantAuth>()
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
        {...list}
        note="机构的商户须由平台授权，并通过一分钱测试后方可启用收款"
        nameOf={(row) => row.name}
        rowActions={rowActions}
      />
      {granting && (
        <FormDialog
          title={`授权商户：${granting.name}`}
          route={payAuth.authorise}
          okText="授权"
          initial={granting.authorisedUntil === null ? {} : { until: granting.authorisedUntil }}
          also={{ id: granting.id }}
          refresh={refresh}
          onClose={close}
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
