import { enabledStatus } from '@wattdeck/contract/common.ts'
import { consumptionStandard } from '@wattdeck/contract/product/consumption-standard.ts'
import { type Site, site } from '@wattdeck/contract/system/site.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import { type Chosen, chosenBody } from '../../../kit/list/chosen.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'

const JobDialog = lazyPart(async () => (await import('../../../kit/bulk/JobDialog.tsx')).JobDialog)
const BindTariffDialog = lazyPart(async () => (await import('../../../kit/form/BindTariffDialog.tsx')).BindTariffDialog)
const TransferDialog = lazyPart(async () => (await import('./site.batch-dialogs.tsx')).TransferDialog)
const BatchEditDialog = lazyPart(async () => (await import('./site.batch-dialogs.tsx')).BatchEditDialog)

/** Batch actions on sites; each runs as a job with progress. */
export function SiteBatch({ chosen }: { chosen: Chosen<Site> }) {
  const [open, setOpen] = useState<'transfer' | 'edit' | 'tariff'>()
  const [jobId, setJobId] = useState<string>()
  const onDone = (job: { jobId: string }) => setJobId(job.jobId)
  const toggle = useConfirmedSubmit(site.batchToggle, { feedback: 'silent', onDone })
  const what = `所选的 ${chosen.count} 个站点`
  const ask = (status: 0 | 1, label: string) =>
    toggle(
      { title: `确定要${label}${what}吗？`, danger: status === 0, okText: label },
      { body: { ...chosenBody(chosen), status } },
    )
  const end = () => {
    setJobId(undefined)
    chosen.clear()
  }
  return (
    <>
      <Can route={site.batchToggle}>
        <Button className="batch-button" size="small" onClick={() => ask(enabledStatus.code.enabled, '启用')}>
          批量启用
        </Button>
        <Button className="batch-button" size="small" onClick={() => ask(enabledStatus.code.disabled, '停用')}>
          批量停用
        </Button>
        <Button className="batch-button" size="small" onClick={() => setOpen('transfer')}>
          批量转移
        </Button>
        <Button className="batch-button" size="small" onClick={() => setOpen('edit')}>
          批量修改
        </Button>
      </Can>
      <Can route={consumptionStandard.bindSites}>
        <Button className="batch-button" size="small" onClick={() => setOpen('tariff')}>
          批量改消费标准
        </Button>
      </Can>
      {open === 'tariff' && (
        <BindTariffDialog
          what="个站点"
          route={consumptionStandard.bindSites}
          help="留空则清除站点的消费标准；设备单独设置的标准不受影响"
          chosen={chosen}
          onClose={() => setOpen(undefined)}
          onDone={onDone}
        />
      )}
      {open === 'transfer' && <TransferDialog chosen={chosen} onClose={() => setOpen(undefined)} onDone={onDone} />}
      {open === 'edit' && <BatchEditDialog chosen={chosen} onClose={() => setOpen(undefined)} onDone={onDone} />}
      {jobId !== undefined && <JobDialog jobId={jobId} refresh={[site.list, site.totals]} onClose={end} />}
    </>
  )
}
