import { basicServiceStatus } from '@wattdeck/contract/common.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { baseService, expiryPolicy, serviceCycle } from '@wattdeck/contract/system/base-service.ts'
import { organise as organiseRoutes } from '@wattdeck/contract/system/organise.ts'
import { serviceStanding, serviceStopsOn, shanghaiDay } from '@wattdeck/domain/base-service.ts'
import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'
import { Descriptions, Form, Input, Modal, Radio } from 'antd'
import { type ReactNode, useState } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import { DayPicker } from '../../../kit/form/DayPicker.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { NumberField } from '../../../kit/form/fields/NumberField.tsx'
import './system.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Props = { organise: { id: string; name: string }; onClose: () => void }
type ServiceReply = DataOf<typeof baseService.read>
type Terms = NonNullable<ServiceReply['terms']>

/** The terms of the basic service of an organisation: platform staff edit them, staff of the organisation read them. */
export function BaseServiceDialog({ organise, onClose }: Props) {
  const service = useDetail(baseService.read, { query: { organiseId: organise.id } })
  const isPlatform = useUser()?.organiseId === defaultOrganiseId
  if (service.data && isPlatform) return <TermsForm known={service.data} onClose={onClose} />
  return (
    <Modal open title={`基础服务：${organise.name}`} width={dialogWidth.s} footer={null} onCancel={onClose}>
      <States query={service} rows={7}>
        {(data) => <TermsRead known={data} />}
      </States>
    </Modal>
  )
}

const usual = { freeDevices: 0, cycle: 12, graceDays: 7, warnDays: 30, expiryPolicy: expiryPolicy.code.stop }

function TermsForm({
  known: { organiseId, organiseName, terms },
  onClose,
}: {
  known: ServiceReply
  onClose: () => void
}) {
  return (
    <FormDialog
      title="基础服务设置"
      size={780}
      columns={2}
      route={baseService.set}
      refresh={[baseService.read, baseService.status, organiseRoutes.list]}
      initial={terms ? { ...terms } : usual}
      also={{ organiseId }}
      onClose={onClose}
    >
      <Form.Item label="机构" className="wide-field">
        <Input value={organiseName} disabled />
      </Form.Item>
      <TextField name="unitPrice" label="单价（台·年）" prefix="¥" inputMode="decimal" />
      <NumberField name="freeDevices" label="免费台数" min={0} max={1_000_000} suffix="台" />
      <Field name="cycle" label="账期" choose>
        <Radio.Group options={serviceCycle.options} />
      </Field>
      <Field name="expiresOn" label="到期日期" choose help="服务持续到该日结束">
        <DayPicker />
      </Field>
      <NumberField name="warnDays" label="预警天数" help="到期前开始提醒的天数，1-90" min={1} max={90} suffix="天" />
      <NumberField name="graceDays" label="宽限天数" help="到期后继续服务的天数，0-90" min={0} max={90} suffix="天" />
      <Field name="expiryPolicy" label="到期策略" choose wide>
        <Radio.Group options={expiryPolicy.options} />
      </Field>
      <Outlook />
    </FormDialog>
  )
}

/** The effect of the entered terms as of today. */
function Outlook() {
  const [today] = useState(() => shanghaiDay(Date.now()))
  const terms = Form.useWatch([]) as Partial<Terms> | undefined
  const { expiresOn, graceDays, warnDays } = terms ?? {}
  if (!expiresOn || typeof graceDays !== 'number' || typeof warnDays !== 'number') return null
  const stopsAtExpiry = terms?.expiryPolicy === expiryPolicy.code.stop
  const all = { expiresOn, graceDays, warnDays, stopsAtExpiry }
  const status = basicServiceStatus.code[serviceStanding(today, all)]
  const stopsOn = serviceStopsOn(all)
  return (
    <p className="wide-field terms-outlook">
      保存后状态 {cells.status(basicServiceStatus, status)} {stopsOn ? `停服日期 ${stopsOn}` : '到期后不停服'}
    </p>
  )
}

function TermsRead({ known: { status, terms } }: { known: ServiceReply }) {
  const facts: [string, ReactNode][] = [['基础服务状态', cells.status(basicServiceStatus, status)]]
  if (terms)
    facts.push(
      ['单价（台·年）', `¥${terms.unitPrice}`],
      ['免费台数', `${cells.count(terms.freeDevices)} 台`],
      ['账期', cells.label(serviceCycle, terms.cycle)],
      ['到期日期', terms.expiresOn],
      ['预警天数', `${terms.warnDays} 天`],
      ['宽限天数', `${terms.graceDays} 天`],
      ['到期策略', cells.label(expiryPolicy, terms.expiryPolicy)],
    )
  else facts.push(['说明', '平台尚未设置基础服务'])
  return (
    <Descriptions
      className="dialog-facts"
      column={1}
      bordered
      size="small"
      items={facts.map(([label, children]) => ({ key: label, label, children }))}
    />
  )
}
