import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { type Coupon, coupon } from '@wattdeck/contract/operating/coupon.ts'
import { couponGrant, mostPhones } from '@wattdeck/contract/operating/coupon-grant.ts'
import { Modal, Table } from 'antd'
import { LinesField } from '../../../kit/form/fields/TextField.tsx'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'

export type Given = DataOf<typeof couponGrant.give>
type Props = { row: Coupon; onRefused: (given: Given) => void; onClose: () => void }

/** Gives a coupon to members by phone. */
export const GiveDialog = ({ row, onRefused, onClose }: Props) => (
  <FormDialog
    title={`发放「${row.name}」`}
    route={couponGrant.give}
    okText="发放"
    also={{ couponId: row.id }}
    refresh={[coupon.list, couponGrant.list]}
    onDone={(given) => {
      if (given.refused.length > 0) onRefused(given)
    }}
    onClose={onClose}
  >
    <LinesField
      name="phones"
      label="手机号"
      required
      rows={8}
      help={`每行一个，一次最多 ${mostPhones} 个，每人一张；剩余 ${row.total - row.granted} 张`}
    />
  </FormDialog>
)

/** Names those who did not get the coupon. */
export const RefusedDialog = ({ given, onClose }: { given: Given; onClose: () => void }) => (
  <Modal
    open
    width={dialogWidth.s}
    title={`已发放 ${given.given} 张，${given.refused.length} 个未发放`}
    footer={null}
    onCancel={onClose}
  >
    <Table
      size="small"
      rowKey="phone"
      pagination={false}
      dataSource={given.refused}
      columns={[
        { title: '手机号', dataIndex: 'phone' },
        { title: '原因', dataIndex: 'why' },
      ]}
    />
  </Modal>
)
