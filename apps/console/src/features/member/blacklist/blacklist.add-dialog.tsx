import { blacklist, blockScope } from '@wattdeck/contract/member/blacklist.ts'
import type { AnyRoute, BodyOf } from '@wattdeck/contract/kit/route.ts'
import { Form, Radio } from 'antd'
import { DayPicker } from '../../../kit/form/DayPicker.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { LinesField, TextField } from '../../../kit/form/fields/TextField.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { OrganiseField } from '../../../kit/owner-region/OwnerFields.tsx'
import { useUser } from '../../../kit/api/user.ts'

type Props = {
  /** The member of a member page; without one, the user names the person. */
  member?: { memberId: string; nickname: string }
  refresh: readonly AnyRoute[]
  onClose: () => void
}
type Body = BodyOf<typeof blacklist.add>

const keys = ['memberId', 'phone', 'cardNo'] as const
type Key = (typeof keys)[number]
const keyOptions = [
  { value: 'phone', label: '手机号' },
  { value: 'memberId', label: '会员ID' },
  { value: 'cardNo', label: '卡号' },
]

/** Adds a person to the blacklist, by one of three keys. */
export function BlockDialog({ member, refresh, onClose }: Props) {
  const user = useUser()
  const common = { route: blacklist.add, okText: '加入', danger: true, refresh: [blacklist.list, ...refresh], onClose }
  const scope = blockScope.code.both
  if (member)
    return (
      <FormDialog
        {...common}
        title={`加入黑名单：${member.nickname}`}
        initial={{ scope }}
        also={{ memberId: member.memberId }}
      >
        <BlockFields />
      </FormDialog>
    )
  return (
    <FormDialog
      {...common}
      title="加入黑名单"
      initial={{ by: 'phone', scope, organiseId: user?.organiseId }}
      toBody={bodyOf}
    >
      <PersonFields />
      <BlockFields />
    </FormDialog>
  )
}

/** Only the chosen key is sent. A member id names its organisation itself. */
function bodyOf({ by, organiseId, ...values }: Record<string, unknown>): Body {
  const others = new Set<string>(keys.filter((key) => key !== by))
  const rest = Object.fromEntries(Object.entries(values).filter(([name]) => !others.has(name)))
  return (by === 'memberId' ? rest : { ...rest, organiseId }) as Body
}

function PersonFields() {
  const by = Form.useWatch<Key | undefined>('by')
  return (
    <>
      <Form.Item name="by" label="限制对象">
        <Radio.Group options={keyOptions} />
      </Form.Item>
      {by !== 'memberId' && <OrganiseField />}
      {by === 'phone' && (
        <TextField
          name="phone"
          label="手机号"
          required
          inputMode="numeric"
          help="尚未注册的手机号也可以加入，注册后即受限制"
        />
      )}
      {by === 'memberId' && <TextField name="memberId" label="会员ID" required inputMode="numeric" />}
      {by === 'cardNo' && (
        <TextField name="cardNo" label="卡号" required inputMode="numeric" help="卡面上的号码；绑定的会员同时受限制" />
      )}
    </>
  )
}

const BlockFields = () => (
  <>
    <Field name="scope" label="限制范围" choose>
      <Radio.Group options={blockScope.options} />
    </Field>
    <LinesField name="reason" label="原因" rows={2} maxLength={200} showCount />
    <Field
      name="endsOn"
      label="截止日期"
      choose
      help="当天24点到期，留空则一直有效。正在进行的充电照常结算，已支付的充值和退款不受影响"
    >
      <DayPicker />
    </Field>
  </>
)
