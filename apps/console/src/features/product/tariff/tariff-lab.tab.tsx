import { type StandardDetail, versionState } from '@wattdeck/contract/product/consumption-standard.ts'
import { type LabRun, labState, tariffLab } from '@wattdeck/contract/product/tariff-lab.ts'
import { Alert, Button, InputNumber, Progress, Select } from 'antd'
import { useEffect, useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { OwnerSelect } from '../../../kit/owner-region/OwnerSelect.tsx'
import { useDetail, useList } from '../../../kit/api/queries.ts'
import { EmptyPane, States } from '../../../kit/display/States.tsx'
import { StatusTag } from '../../../kit/display/StatusTag.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { LabFigures } from './tariff-lab.result.tsx'
import './tariff.css'

const everyMs = 1000

/** The cost of past charges under the draft, before it is published. */
export function TariffLab({ of }: { of: StandardDetail }) {
  const runs = useList(tariffLab.list, { params: { id: of.id }, query: { pageSize: 10 } })
  const [chosen, setChosen] = useState<string>()
  const shown = chosen ?? runs.data?.rows[0]?.id
  return (
    <>
      <StartForm of={of} onStarted={setChosen} />
      <States query={runs} rows={6}>
        {({ rows }) =>
          shown === undefined ? (
            <EmptyPane filtered={false} text="还没有试算过。试算用过去的订单按所选版本重新计价，不影响任何订单。" />
          ) : (
            <>
              {rows.length > 1 && (
                <p>
                  <Select
                    aria-label="试算记录"
                    value={shown}
                    onChange={setChosen}
                    options={rows.map((run) => ({ value: run.id, label: runLabel(run) }))}
                  />
                </p>
              )}
              <Run key={shown} id={shown} />
            </>
          )
        }
      </States>
    </>
  )
}

const runLabel = ({ createdAt, versionNo, days }: LabRun) => `${createdAt}，第 ${versionNo} 版，近 ${days} 天`

function StartForm({ of, onStarted }: { of: StandardDetail; onStarted: (id: string) => void }) {
  const versions = [of.draft, of.scheduled, of.inForce].filter((version) => version !== null)
  const [versionId, setVersionId] = useState(versions[0]?.versionId)
  const [days, setDays] = useState(30)
  const [siteId, setSiteId] = useState<string>()
  const start = useSubmit(tariffLab.start, {
    feedback: 'quiet',
    refresh: [tariffLab.list],
    onDone: ({ id }) => onStarted(id),
  })
  if (versionId === undefined) return null
  return (
    <Can route={tariffLab.start}>
      <FailureAlert texts={start.texts} />
      <div className="lab-form">
        <div className="tariff-field">
          <span className="tariff-label">版本</span>
          <Select
            aria-label="试算版本"
            style={{ width: 160 }}
            value={versionId}
            onChange={setVersionId}
            options={versions.map((one) => ({
              value: one.versionId,
              label: `第 ${one.no} 版（${versionState.show(one.state).label}）`,
            }))}
          />
        </div>
        <div className="tariff-field">
          <span className="tariff-label">订单范围</span>
          <InputNumber
            aria-label="近多少天"
            prefix="近"
            suffix="天"
            min={1}
            max={90}
            precision={0}
            value={days}
            onChange={(value) => setDays(value ?? 30)}
          />
        </div>
        <div className="tariff-field lab-site">
          <span className="tariff-label">另加站点（假设也使用）</span>
          <OwnerSelect
            level="site"
            within={{ organiseId: of.organiseId }}
            placeholder="仅已绑定的设备"
            value={siteId}
            onChange={setSiteId}
          />
        </div>
        <Button
          type="primary"
          loading={start.pending}
          onClick={() =>
            void start.run({
              body: { id: of.id, versionId, days, ...(siteId === undefined ? {} : { siteIds: [siteId] }) },
            })
          }
        >
          开始试算
        </Button>
      </div>
    </Can>
  )
}

function Run({ id }: { id: string }) {
  const run = useDetail(tariffLab.read, { params: { id } })
  const { data, refetch } = run
  const going = data === undefined || data.state < labState.code.done
  useEffect(() => {
    if (!going) return undefined
    const timer = setInterval(() => void refetch(), everyMs)
    return () => clearInterval(timer)
  }, [going, refetch])
  return (
    <States query={run} rows={6}>
      {(labRun) => {
        if (labRun.state === labState.code.failed)
          return <Alert type="error" showIcon title={`试算失败：${labRun.reason ?? ''}`} />
        if (labRun.result === null)
          return (
            <output aria-live="polite">
              <StatusTag of={labState} value={labRun.state} /> 已计价 {labRun.priced} 单
              <Progress percent={Math.floor(labRun.reached / 10)} />
            </output>
          )
        return <LabFigures run={labRun} result={labRun.result} />
      }}
    </States>
  )
}
