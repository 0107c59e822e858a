import { enabledStatus } from '@wattdeck/contract/common.ts'
import { consumptionStandard } from '@wattdeck/contract/product/consumption-standard.ts'
import { deviceCommand } from '@wattdeck/contract/product/device-command.ts'
import { type Device, deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { qrCodeManage } from '@wattdeck/contract/system/qr-code-manage.ts'
import { Button } from 'antd'
import { Can } from '../../../kit/api/Can.tsx'
import type { Chosen } from '../../../kit/list/chosen.ts'
import { ReasonButton } from '../../../kit/form/ReasonButton.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import type { Printed } from '../../../kit/media/CodeSheet.tsx'
import { mostCodesById } from '../../../kit/media/use-code-pack.ts'
import { useUser } from '../../../kit/api/user.ts'
import type { DeviceJob } from './device-manage.jobs.tsx'
import { isPlatform } from '../_shared/platform.ts'

/** Removal is immediate and requires stopped devices. */
function removeProblem({ filter, rows }: Chosen<Device>): string | undefined {
  if (filter !== undefined) return '请逐条勾选要删除的设备'
  return rows.some((row) => row.status === enabledStatus.code.enabled) ? '请先停用所选设备' : undefined
}

/** The code sheet is created by device ids. */
function codesProblem({ filter, count }: Chosen<Device>): string | undefined {
  if (filter !== undefined) return '请逐条勾选设备'
  return count > mostCodesById ? `一次最多勾选${mostCodesById}台设备` : undefined
}

type Props = {
  chosen: Chosen<Device>
  onOpen: (what: DeviceJob, chosen: Chosen<Device>) => void
  onPrint: (what: Printed) => void
}

/** Batch actions on devices; all except removal run as jobs with progress. */
export function DeviceBatch({ chosen, onOpen, onPrint }: Props) {
  const user = useUser()
  const remove = useConfirmedSubmit(deviceManage.remove, {
    refresh: [deviceManage.list, deviceManage.totals],
    onDone: () => chosen.clear(),
  })
  const what = `所选的 ${chosen.count} 台设备`
  const button = (label: string, onClick: () => void) => (
    <Button className="batch-button" size="small" onClick={onClick}>
      {label}
    </Button>
  )
  return (
    <>
      <Can route={deviceCommand.batchOperate}>{button('远程控制', () => onOpen('operate', chosen))}</Can>
      <Can route={deviceManage.changePlot}>
        {button('更换站点', () => onOpen('move', chosen))}
        {isPlatform(user) && button('修改服务时间', () => onOpen('serviceTime', chosen))}
      </Can>
      <Can route={consumptionStandard.bindDevices}>{button('设置消费标准', () => onOpen('tariff', chosen))}</Can>
      {button('续费试算', () => onOpen('fee', chosen))}
      <Can route={qrCodeManage.list}>
        <ReasonButton
          className="batch-button"
          size="small"
          reason={codesProblem(chosen)}
          onClick={() => onPrint({ title: what, deviceIds: chosen.ids })}
        >
          二维码
        </ReasonButton>
      </Can>
      <Can route={deviceManage.remove}>
        <ReasonButton
          className="batch-button"
          size="small"
          reason={removeProblem(chosen)}
          onClick={() =>
            remove(
              { title: `确定要删除${what}吗？`, content: '删除后不可恢复', danger: true, okText: '删除' },
              { body: { ids: chosen.ids } },
            )
          }
        >
          批量删除
        </ReasonButton>
      </Can>
    </>
  )
}
