import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { priceType, type Site, site } from '@wattdeck/contract/system/site.ts'
import { Input, Select } from 'antd'
import { type Chosen, chosenBody } from '../../../kit/list/chosen.ts'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { AgentField, OrganiseField } from '../../../kit/owner-region/OwnerFields.tsx'

type Props = { chosen: Chosen<Site>; onClose: () => void; onDone: (job: { jobId: string }) => void }

export function TransferDialog({ chosen, onClose, onDone }: Props) {
  const organiseId = chosen.rows[0]?.organiseId
  return (
    <FormDialog
      title={`转移 ${chosen.count} 个站点`}
      route={site.batchTransfer}
      okText="转移"
      {...(organiseId === undefined ? {} : { initial: { organiseId } })}
      toBody={({ agentId }) => ({ ...chosenBody(chosen), agentId }) as BodyOf<typeof site.batchTransfer>}
      onClose={onClose}
      onDone={onDone}
    >
      <OrganiseField />
      <AgentField required help="站点及其数据归属将变更为该代理商" />
    </FormDialog>
  )
}

export function BatchEditDialog({ chosen, onClose, onDone }: Props) {
  return (
    <FormDialog
      title={`修改 ${chosen.count} 个站点`}
      route={site.batchEdit}
      okText="修改"
      toBody={(values) => ({ ...chosenBody(chosen), ...values }) as BodyOf<typeof site.batchEdit>}
      onClose={onClose}
      onDone={onDone}
    >
      <p className="meta">留空的项目保持不变。</p>
      <Field name="openHours" label="营业时间">
        <Input placeholder="06:00-23:00" />
      </Field>
      <Field name="priceType" label="电价类型" choose>
        <Select allowClear options={priceType.options} />
      </Field>
      <Field name="parkingNote" label="停车费说明">
        <Input />
      </Field>
    </FormDialog>
  )
}
