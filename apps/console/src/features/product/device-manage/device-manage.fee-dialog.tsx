import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { type Device, deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { serviceCycle } from '@wattdeck/contract/system/base-service.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Descriptions, Modal } from 'antd'
import { call } from '../../../kit/api/api.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { type Chosen, chosenBody } from '../../../kit/list/chosen.ts'
import { States } from '../../../kit/display/States.tsx'
import '../_shared/product.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Fee = DataOf<typeof deviceManage.serviceFee>

/** The service fee of the selected devices by the terms of their organisation. */
export function FeeDialog({ chosen, onClose }: { chosen: Chosen<Device>; onClose: () => void }) {
  const body = chosenBody(chosen)
  const fee = useQuery({
    queryKey: [deviceManage.serviceFee.path, body],
    queryFn: async ({ signal }) => (await call(deviceManage.serviceFee, { body, signal })).data,
  })
  return (
    <Modal
      open
      width={dialogWidth.s}
      title="续费试算"
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          关闭
        </Button>
      }
    >
      <States query={fee}>{(data) => <FeeText fee={data} />}</States>
    </Modal>
  )
}

const problemOf = ({ count, organises, terms }: Fee): string | undefined => {
  if (count === 0) return '没有符合条件的设备'
  if (organises > 1) return `所选设备属于 ${organises} 个机构，各机构的服务约定不同，请分机构选择`
  return terms === null ? '该机构尚未设置基础服务，无需缴费' : undefined
}

function FeeText({ fee }: { fee: Fee }) {
  const { count, organiseName, terms, chargeable, due } = fee
  const problem = problemOf(fee)
  const cycle = terms && serviceCycle.options.find((option) => option.value === terms.cycle)?.label
  const facts = [
    { key: 'count', label: '已选设备', children: `${cells.count(count)} 台` },
    ...(organiseName === null ? [] : [{ key: 'organise', label: '所属机构', children: organiseName }]),
    ...(terms === null
      ? []
      : [
          { key: 'price', label: '单价', children: `¥${terms.unitPrice} / 台·年` },
          { key: 'cycle', label: '账期', children: cycle ?? `${terms.cycle} 个月` },
          { key: 'all', label: '机构设备总数', children: `${cells.count(terms.organiseDevices)} 台` },
          { key: 'free', label: '免费台数', children: `${cells.count(terms.freeDevices)} 台` },
          { key: 'chargeable', label: '计费台数', children: `${cells.count(chargeable ?? 0)} 台` },
          { key: 'due', label: '应缴（一个账期）', children: <strong className="fee-due">¥{due}</strong> },
        ]),
  ]
  return (
    <>
      {problem !== undefined && <Alert type="warning" showIcon title={problem} style={{ marginBottom: 12 }} />}
      <Descriptions bordered size="small" column={{ xs: 1, sm: 2 }} items={facts} />
    </>
  )
}
