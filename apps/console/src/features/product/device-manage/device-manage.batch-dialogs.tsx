import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { consumptionStandard } from '@wattdeck/contract/product/consumption-standard.ts'
import { type Device, deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { Input, Switch } from 'antd'
import { Can } from '../../../kit/api/Can.tsx'
import { type Chosen, chosenBody } from '../../../kit/list/chosen.ts'
import { DayPicker } from '../../../kit/form/DayPicker.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { AgentField, OrganiseField, SiteField } from '../../../kit/owner-region/OwnerFields.tsx'

type Props = { chosen: Chosen<Device>; onClose: () => void; onDone: (job: { jobId: string }) => void }

const namesOf = ({ rows, count }: Chosen<Device>) => (count === 1 && rows[0] ? rows[0].deviceNo : `${count} 台设备`)

export function MoveDialog({ chosen, onClose, onDone }: Props) {
  const organiseId = chosen.rows[0]?.organiseId
  return (
    <FormDialog
      title={`更换站点：${namesOf(chosen)}`}
      route={deviceManage.changePlot}
      okText="更换"
      {...(organiseId === undefined ? {} : { initial: { organiseId } })}
      toBody={({ organiseId: organise, agentId, siteId, syncTariff }) =>
        ({
          ...chosenBody(chosen),
          organiseId: organise,
          agentId,
          siteId,
          ...(syncTariff === true ? { syncTariff } : {}),
        }) as BodyOf<typeof deviceManage.changePlot>
      }
      onClose={onClose}
      onDone={onDone}
    >
      <OrganiseField help="更换机构后，原机构不再看到设备此后的数据" />
      <AgentField />
      <SiteField help="留空则设备暂不属于任何站点" />
      <Can route={consumptionStandard.bindDevices}>
        <Field
          name="syncTariff"
          label="同步消费标准"
          valuePropName="checked"
          help="设备清除自己的消费标准，改按目标站点的消费标准计费；不能使用该标准的设备不更换站点"
        >
          <Switch />
        </Field>
      </Can>
      <p className="meta">已产生的订单仍归属充电时的站点。</p>
    </FormDialog>
  )
}

export function ServiceTimeDialog({ chosen, onClose, onDone }: Props) {
  const until = chosen.rows[0]?.serviceUntil
  return (
    <FormDialog
      title={`修改服务时间：${namesOf(chosen)}`}
      route={deviceManage.serviceTime}
      okText="修改"
      {...(chosen.count === 1 && until !== undefined ? { initial: { serviceUntil: until } } : {})}
      toBody={({ serviceUntil, reason }) =>
        ({ ...chosenBody(chosen), serviceUntil, reason }) as BodyOf<typeof deviceManage.serviceTime>
      }
      onClose={onClose}
      onDone={onDone}
    >
      <Field name="serviceUntil" label="到期时间" choose>
        <DayPicker />
      </Field>
      <Field name="reason" label="原因">
        <Input autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
