import { userType } from '@wattdeck/contract/common.ts'
import { repairTicket, type RepairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { useState } from 'react'
import { errorText } from '../../../kit/api/error-handling.ts'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useList } from '../../../kit/api/queries.ts'
import { useDebouncedText } from '../../../kit/display/use-settled.ts'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'

/** 派单, or 转派 when the ticket already has an assignee. */
export function AssignDialog({ ticket, onClose }: { ticket: RepairTicket; onClose: () => void }) {
  const [text, setText] = useState('')
  const keyword = useDebouncedText(text)
  const people = useList(repairTicket.people, { query: { id: ticket.id, ...(keyword === '' ? {} : { keyword }) } })
  return (
    <FormDialog
      title={`${ticket.assigneeId === null ? '派单' : '转派'}：${ticket.ticketNo}`}
      route={repairTicket.assign}
      also={{ id: ticket.id }}
      refresh={[repairTicket.list, repairTicket.read]}
      okText="确定"
      onClose={onClose}
    >
      <SelectField
        name="assigneeId"
        label="维修人"
        help="仅显示能看到该设备、且有维修工单权限的人员"
        loading={people.isFetching}
        showSearch={{ filterOption: false, onSearch: setText }}
        placeholder="请选择维修人"
        notFoundContent={people.error ? errorText(people.error) : '没有匹配的人员'}
        options={(people.data ?? []).map(({ id, name, userType: type }) => ({
          value: id,
          label: `${name}（${userType.show(type).label}）`,
          disabled: id === ticket.assigneeId,
        }))}
      />
    </FormDialog>
  )
}
