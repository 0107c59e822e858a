import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type { ImportSheet } from '@wattdeck/contract/system/batch.ts'
import { Modal, Steps } from 'antd'
import { useState } from 'react'
import { ImportCheck } from './ImportCheck.tsx'
import { ImportMapping } from './ImportMapping.tsx'
import { ImportUpload } from './ImportUpload.tsx'
import { JobDialog } from './JobDialog.tsx'
import { dialogWidth } from '../form/dialog-width.ts'

type Props = {
  title: string
  /** Uploads the sheet; returns its columns and a sample. */
  upload: AnyRoute
  template: AnyRoute
  refresh: readonly AnyRoute[]
  onClose: () => void
}

/** Import of a sheet: upload, map columns, correct rows, commit. Nothing is written before the last step. */
export function ImportWizard({ title, upload, template, refresh, onClose }: Props) {
  const [sheet, setSheet] = useState<ImportSheet>()
  const [step, setStep] = useState<'upload' | 'mapping' | 'check' | 'run'>('upload')
  if (step === 'run' && sheet) return <JobDialog jobId={sheet.jobId} refresh={refresh} onClose={onClose} />
  const place = { upload: 0, mapping: 1, check: 2, run: 3 }[step]
  return (
    <Modal open title={title} width={dialogWidth.xl} onCancel={onClose} mask={{ closable: false }} footer={null}>
      <Steps
        className="import-steps"
        size="small"
        current={place}
        items={['上传文件', '匹配列', '检查数据', '导入'].map((text) => ({ title: text }))}
      />
      {step === 'upload' && (
        <ImportUpload
          upload={upload}
          template={template}
          onDone={(next) => {
            setSheet(next)
            setStep('mapping')
          }}
        />
      )}
      {step === 'mapping' && sheet && (
        <ImportMapping sheet={sheet} onBack={() => setStep('upload')} onDone={() => setStep('check')} />
      )}
      {step === 'check' && sheet && (
        <ImportCheck sheet={sheet} onBack={() => setStep('mapping')} onDone={() => setStep('run')} />
      )}
    </Modal>
  )
}
