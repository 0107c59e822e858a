import { reconciliation } from '@wattdeck/contract/accounting/reconciliation.ts'
import { DayPicker } from '../../../kit/form/DayPicker.tsx'
import { errorText } from '../../../kit/api/error-handling.ts'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { maySelect } from '../../../kit/owner-region/owner.ts'
import { OwnerSelect } from '../../../kit/owner-region/OwnerSelect.tsx'
import { useList } from '../../../kit/api/queries.ts'
import { useUser } from '../../../kit/api/user.ts'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'

/** Starts the reconciliation of a day, or repeats it. */
export function RunDialog({ day, onClose }: { day?: string; onClose: () => void }) {
  const user = useUser()
  return (
    <FormDialog
      title="发起对账"
      route={reconciliation.run}
      initial={day === undefined ? {} : { day }}
      refresh={[reconciliation.runs, reconciliation.list]}
      okText="开始核对"
      onClose={onClose}
    >
      <Field name="day" label="账期" choose help="重复核对同一天不会产生重复的差异，已一致的差异会自行消除">
        <DayPicker />
      </Field>
      {maySelect(user, 'organise') && (
        <Field name="organiseId" label="机构" choose required>
          <OwnerSelect level="organise" />
        </Field>
      )}
    </FormDialog>
  )
}

export function AssignDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const people = useList(reconciliation.people, { params: { id } })
  return (
    <FormDialog
      title={`指派差异：${name}`}
      route={reconciliation.assign}
      also={{ id }}
      refresh={[reconciliation.list, reconciliation.detail]}
      okText="确定"
      onClose={onClose}
    >
      <SelectField
        name="userId"
        label="负责人"
        help="仅显示本机构有对账权限的人员"
        loading={people.isFetching}
        showSearch={{ optionFilterProp: 'label' }}
        placeholder="请选择负责人"
        notFoundContent={people.error ? errorText(people.error) : '没有可选的人员'}
        options={(people.data ?? []).map((person) => ({ value: person.id, label: person.name }))}
      />
    </FormDialog>
  )
}
