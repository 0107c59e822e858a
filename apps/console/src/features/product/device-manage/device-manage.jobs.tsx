import { type Device, deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { consumptionStandard } from '@wattdeck/contract/product/consumption-standard.ts'
import { useState } from 'react'
import type { Chosen } from '../../../kit/list/chosen.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'

const JobDialog = lazyPart(async () => (await import('../../../kit/bulk/JobDialog.tsx')).JobDialog)
const MoveDialog = lazyPart(async () => (await import('./device-manage.batch-dialogs.tsx')).MoveDialog)
const ServiceTimeDialog = lazyPart(async () => (await import('./device-manage.batch-dialogs.tsx')).ServiceTimeDialog)
const OperateDialog = lazyPart(
  async () => (await import('../device-command/device-command.batch-dialog.tsx')).OperateDialog,
)
const BindTariffDialog = lazyPart(async () => (await import('../../../kit/form/BindTariffDialog.tsx')).BindTariffDialog)
const FeeDialog = lazyPart(async () => (await import('./device-manage.fee-dialog.tsx')).FeeDialog)

export type DeviceJob = 'operate' | 'move' | 'serviceTime' | 'fee' | 'tariff'
type Params = { what: DeviceJob; chosen: Chosen<Device> }
type Running = { jobId: string; chosen: Chosen<Device> }

/** Dialogs that begin work on one device or many, and the progress of what was begun. */
export function useDeviceJobs() {
  const [asked, setAsked] = useState<Params>()
  const [running, setRunning] = useState<Running>()
  const close = () => setAsked(undefined)
  const follow = (jobId: string, chosen: Chosen<Device>) => setRunning({ jobId, chosen })
  const common = asked && {
    chosen: asked.chosen,
    onClose: close,
    onDone: ({ jobId }: { jobId: string }) => follow(jobId, asked.chosen),
  }
  function end() {
    running?.chosen.clear()
    setRunning(undefined)
  }
  return {
    open: (what: DeviceJob, chosen: Chosen<Device>) => setAsked({ what, chosen }),
    isOpen: asked !== undefined || running !== undefined,
    dialogs: (
      <>
        {common && asked.what === 'operate' && <OperateDialog {...common} />}
        {common && asked.what === 'move' && <MoveDialog {...common} />}
        {common && asked.what === 'serviceTime' && <ServiceTimeDialog {...common} />}
        {common && asked.what === 'fee' && <FeeDialog chosen={common.chosen} onClose={close} />}
        {common && asked.what === 'tariff' && (
          <BindTariffDialog
            {...common}
            what="台设备"
            route={consumptionStandard.bindDevices}
            help="留空则按所在站点的消费标准计费"
          />
        )}
        {running && (
          <JobDialog jobId={running.jobId} refresh={[deviceManage.list, deviceManage.totals]} onClose={end} />
        )}
      </>
    ),
  }
}
