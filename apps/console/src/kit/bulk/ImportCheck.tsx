import { batch, type BatchItem, type ImportSheet } from '@wattdeck/contract/system/batch.ts'
import { Alert, App, Button } from 'antd'
import { useState } from 'react'
import { errorText } from '../api/error-handling.ts'
import { FailureAlert } from '../form/FailureAlert.tsx'
import { useDetail } from '../api/queries.ts'
import { States } from '../display/States.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { FailedRows } from './FailedRows.tsx'
import { saveFailures } from './failures.ts'
import { FixRowDialog } from './FixRowDialog.tsx'
import './bulk.css'

type Props = { sheet: ImportSheet; onBack: () => void; onDone: () => void }

/** All rows are validated: the user corrects invalid ones here, downloads them, or leaves them out. */
export function ImportCheck({ sheet, onBack, onDone }: Props) {
  const { message } = App.useApp()
  const [fixing, setFixing] = useState<BatchItem>()
  const query = useDetail(batch.detail, { query: { id: sheet.jobId } })
  const commit = useSubmit(batch.commit, { feedback: 'quiet', onDone, refresh: [batch.list, batch.detail] })
  const download = () =>
    void saveFailures(sheet.jobId, '导入', sheet.columns).catch(
      (error: unknown) => void message.error(errorText(error)),
    )
  return (
    <States query={query} rows={4}>
      {({ total, failed }) => (
        <div>
          <FailureAlert texts={commit.texts} />
          <Alert
            showIcon
            type={failed === 0 ? 'success' : 'warning'}
            title={
              failed === 0 ? `${total} 行全部检查通过` : `${total} 行中有 ${failed} 行需要修正；未修正的行不会导入`
            }
            action={
              failed > 0 && (
                <Button size="small" onClick={download}>
                  下载错误明细
                </Button>
              )
            }
          />
          {failed > 0 && (
            <FailedRows jobId={sheet.jobId} rowActions={(row) => [{ label: '修正', onClick: () => setFixing(row) }]} />
          )}
          <div className="import-footer">
            <Button onClick={onBack}>上一步</Button>
            <Button
              type="primary"
              loading={commit.pending}
              disabled={failed === total}
              onClick={() => void commit.run({ body: { id: sheet.jobId } })}
            >
              导入 {total - failed} 行
            </Button>
          </div>
          {fixing && (
            <FixRowDialog
              jobId={sheet.jobId}
              item={fixing}
              columns={sheet.columns}
              onClose={() => setFixing(undefined)}
            />
          )}
        </div>
      )}
    </States>
  )
}
