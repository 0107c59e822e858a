import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { adjustmentDirection, balanceAdjustment } from '@wattdeck/contract/member/balance-adjustment.ts'
import { wallet } from '@wattdeck/contract/member/member-row.ts'
import type { MemberRow } from '@wattdeck/contract/member/wechat-user.ts'
import { creditLimits } from '@wattdeck/domain/manual-credit.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { Form, Radio } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { PictureField } from '../../../kit/media/PictureField.tsx'
import { TextField, LinesField } from '../../../kit/form/fields/TextField.tsx'

type Balances = Pick<MemberRow, 'memberId' | 'nickname' | 'paidBalance' | 'giftBalance'>
type Props = { member: Balances; refresh: readonly AnyRoute[]; onClose: () => void }

/** Requests a change of a member's balance. Nothing is booked until another person approves it. */
export const AdjustDialog = ({ member, refresh, onClose }: Props) => (
  <FormDialog
    title={`余额调整：${member.nickname}`}
    route={balanceAdjustment.add}
    okText="提交审批"
    initial={{ direction: adjustmentDirection.code.up, wallet: wallet.code.paid }}
    also={{ memberId: member.memberId }}
    refresh={[balanceAdjustment.list, ...refresh]}
    onClose={onClose}
  >
    <Form.Item label="当前余额">
      充值余额 ¥{cells.money(member.paidBalance)}，赠送余额 ¥{cells.money(member.giftBalance)}
    </Form.Item>
    <Field name="direction" label="方向" choose>
      <Radio.Group options={adjustmentDirection.options} />
    </Field>
    <Field name="wallet" label="账户" choose>
      <Radio.Group options={wallet.options} />
    </Field>
    <TextField
      name="amount"
      label="金额"
      help={`增加余额单笔不超过${yuanText(creditLimits.onceFen)}元，每人每日不超过${yuanText(creditLimits.personDayFen)}元`}
      prefix="¥"
      inputMode="decimal"
    />
    <LinesField
      name="reason"
      label="原因"
      help="提交后须由其他有审批权限的人员审批后才会生效"
      rows={2}
      maxLength={200}
      showCount
    />
    <Field name="pictureId" label="凭证图片">
      <PictureField />
    </Field>
  </FormDialog>
)
