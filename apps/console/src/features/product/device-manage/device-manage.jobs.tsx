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

/** Dialogs that start a job for devices, and the progress of the job. */
export function useDeviceJobs() {
  const [request, setRequest] = useState<Params>()
  const [running, setRunning] = useState<Running>()
  const close = () => setRequest(undefined)
  const follow = (jobId: string, chosen: Chosen<Device>) => setRunning({ jobId, chosen })
  const common = request && {
    chosen: request.chosen,
    onClose: close,
    onDone: ({ jobId }: { jobId: string }) => follow(jobId, request.chosen),
  }
  function end() {
    running?.chosen.clear()
    setRunning(undefined)
  }
  return {
    open: (what: DeviceJob, chosen: Chosen<Device>) => setRequest({ what, chosen }),
    isOpen: request !== undefined || running !== undefined,
    dialogs: (
      <>
        {common && request.what === 'operate' && <OperateDialog {...common} />}
        {common && request.what === 'move' && <MoveDialog {...common} />}
        {common && request.what === 'serviceTime' && <ServiceTimeDialog {...common} />}
        {common && request.what === 'fee' && <FeeDialog chosen={common.chosen} onClose={close} />}
        {common && request.what === 'tariff' && (
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
