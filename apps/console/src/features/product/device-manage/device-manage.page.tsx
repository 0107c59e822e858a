import { AuditOutlined, WarningOutlined } from '@ant-design/icons'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { deadLetter } from '@wattdeck/contract/product/dead-letter.ts'
import { attributeSetting } from '@wattdeck/contract/product/attribute-setting.ts'
import { consumptionStandard } from '@wattdeck/contract/product/consumption-standard.ts'
import { deviceCommand } from '@wattdeck/contract/product/device-command.ts'
import { lineStatus } from '@wattdeck/contract/product/device-codes.ts'
import { type Device, deviceColumns, deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { qrCodeManage } from '@wattdeck/contract/system/qr-code-manage.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { ImportButton } from '../../../kit/bulk/ImportButton.tsx'
import { Can } from '../../../kit/api/Can.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import type { Printed } from '../../../kit/media/CodeSheet.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { devicePath } from '../../../kit/objects/object-types.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useUser } from '../../../kit/api/user.ts'
import { useDeviceClasses } from '../_shared/device-class.ts'
import { watchDeviceRows } from '../../../kit/devices/device-live.ts'
import { useOperations } from '../device-command/device-command.operations.ts'
import { DeviceBatch } from './device-manage.batch.tsx'
import { deviceTableColumns } from './device-manage.columns.tsx'
import { deviceFilters, devicePresets } from './device-manage.filters.ts'
import { useDeviceJobs } from './device-manage.jobs.tsx'
import { isPlatform } from '../_shared/platform.ts'

const DeviceDialog = lazyPart(async () => (await import('./device-manage.edit-dialog.tsx')).DeviceDialog)
const ImportWizard = lazyPart(async () => (await import('../../../kit/bulk/ImportWizard.tsx')).ImportWizard)
const PendingBatchesDrawer = lazyPart(
  async () => (await import('../device-command/device-command.held-drawer.tsx')).PendingBatchesDrawer,
)
const CodeSheet = lazyPart(async () => (await import('../../../kit/media/CodeSheet.tsx')).CodeSheet)
const DeadLetterDrawer = lazyPart(async () => (await import('../_shared/dead-letter.drawer.tsx')).DeadLetterDrawer)

type Open = { what: 'edit'; row?: Device } | { what: 'import' } | { what: 'letters' } | { what: 'held' }
const refresh = [deviceManage.list, deviceManage.totals]

export default function DeviceManagePage() {
  const user = useUser()
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>()
  const [printed, setPrinted] = useState<Printed>()
  const jobs = useDeviceJobs()
  useReturnFocus(open !== undefined || jobs.isOpen)
  const close = () => setOpen(undefined)
  const operations = useOperations()
  const remove = useConfirmedSubmit(deviceManage.remove, { refresh })
  const confirmLine = useConfirmedSubmit(deviceManage.confirmLine, { refresh })
  const classes = useDeviceClasses()
  if (printed) return <CodeSheet of={printed} onClose={() => setPrinted(undefined)} />

  function rowActions(row: Device): RowAction[] {
    const what = `设备「${row.deviceNo}」`
    const ids = [row.id]
    const one = { ids, rows: [row], count: 1, bounded: false, clear: () => undefined }
    return [
      { label: '详情', onClick: () => void navigate(devicePath(row.id)) },
      { label: '编辑', route: deviceManage.edit, onClick: () => setOpen({ what: 'edit', row }) },
      { label: '更换站点', route: deviceManage.changePlot, onClick: () => jobs.open('move', one) },
      ...(isPlatform(user)
        ? [{ label: '修改服务时间', route: deviceManage.serviceTime, onClick: () => jobs.open('serviceTime', one) }]
        : []),
      { label: '设置消费标准', route: consumptionStandard.bindDevices, onClick: () => jobs.open('tariff', one) },
      ...(row.lineStatus === lineStatus.code.waiting
        ? [
            {
              label: '确认接入',
              route: deviceManage.confirmLine,
              disabled: row.online ? undefined : '设备离线，上线后才能确认',
              onClick: () =>
                confirmLine(
                  {
                    title: `确认${what}首次接入？`,
                    content:
                      '该协议的设备只报编号，不能证明身份。请确认现场设备已通电并与平台显示一致；确认后可启动充电',
                    okText: '确认接入',
                  },
                  { body: { id: row.id } },
                ),
            },
          ]
        : []),
      ...operations(row),
      {
        label: '属性设置',
        route: attributeSetting.write,
        onClick: () => void navigate(`/product/attributeSetting?id=${row.id}`),
      },
      {
        label: '二维码',
        route: qrCodeManage.list,
        onClick: () => setPrinted({ title: `设备 ${row.deviceNo}`, deviceIds: ids }),
      },
      {
        label: '删除',
        route: deviceManage.remove,
        danger: true,
        disabled: row.status === enabledStatus.code.enabled ? '请先停用设备' : undefined,
        onClick: () =>
          remove(
            { title: `确定要删除${what}吗？`, content: '删除后不可恢复', danger: true, okText: '删除' },
            { body: { ids } },
          ),
      },
    ]
  }
  return (
    <>
      <ListPage
        title="设备管理"
        listKey="device"
        liveKey="device"
        watchRows={watchDeviceRows}
        route={deviceManage.list}
        columns={deviceTableColumns(user)}
        nameOf={(row) => row.deviceNo}
        filters={deviceFilters(classes)}
        presets={devicePresets}
        actions={
          <>
            {isPlatform(user) && (
              <Can route={deadLetter.list}>
                <Button icon={<WarningOutlined />} onClick={() => setOpen({ what: 'letters' })}>
                  异常报文
                </Button>
              </Can>
            )}
            <Can route={deviceCommand.held}>
              <Button icon={<AuditOutlined />} onClick={() => setOpen({ what: 'held' })}>
                指令审批
              </Button>
            </Can>
            <ImportButton route={deviceManage.importSheet} onClick={() => setOpen({ what: 'import' })} />
            <MainButton route={deviceManage.add} label="新增设备" onClick={() => setOpen({ what: 'edit' })} />
          </>
        }
        totals={{
          route: deviceManage.totals,
          items: [
            { key: 'count', label: '设备' },
            { key: 'online', label: '在线' },
            { key: 'ports', label: '端口' },
            { key: 'free', label: '空闲' },
            { key: 'working', label: '工作中' },
            { key: 'fault', label: '故障' },
          ],
        }}
        exporting={{ route: deviceManage.exportList, keys: Object.keys(deviceColumns) }}
        rowActions={rowActions}
        selectAll
        renderBatch={(chosen) => <DeviceBatch chosen={chosen} onOpen={jobs.open} onPrint={setPrinted} />}
      />
      {jobs.dialogs}
      {open?.what === 'edit' && <DeviceDialog row={open.row} onClose={close} />}
      {open?.what === 'held' && <PendingBatchesDrawer onClose={close} />}
      {open?.what === 'letters' && <DeadLetterDrawer onClose={close} />}
      {open?.what === 'import' && (
        <ImportWizard
          title="导入设备"
          upload={deviceManage.importSheet}
          template={deviceManage.importTemplate}
          refresh={refresh}
          onClose={close}
        />
      )}
    </>
  )
}
