import { type Merchant, paySetting, testStage } from '@wattdeck/contract/accounting/pay-setting.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Result, Spin } from 'antd'
import { useEffect, useState } from 'react'
import { call } from '../../../kit/api/api.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { refetchRoutes, routeKey } from '../../../kit/api/queries.ts'
import { QrPicture } from '../../../kit/media/QrPicture.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import '../_shared/accounting.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

const { passed, failed, waiting } = testStage.code
const over = (stage: number | undefined) => stage === passed || stage === failed

/** A real payment of one fen: shows the QR code, then the receipt and the refund. */
export function TestDialog({ of, onClose }: { of: Merchant; onClose: () => void }) {
  const [testId, setTestId] = useState<string>()
  const start = useSubmit(paySetting.test, { feedback: 'quiet', onDone: (data) => setTestId(data.testId) })
  const { data, isError } = useQuery({
    queryKey: routeKey(paySetting.testState, {}, { testId }),
    queryFn: async ({ signal }) => (await call(paySetting.testState, { query: { testId: testId ?? '' }, signal })).data,
    enabled: testId !== undefined,
    refetchInterval: (query) => (over(query.state.data?.stage) ? false : 1000),
  })
  const stage = data?.stage
  useEffect(() => {
    if (over(stage)) void refetchRoutes([paySetting.list])
  }, [stage])
  return (
    <Modal
      open
      title={`一分钱测试：${of.name}`}
      width={dialogWidth.s}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={<Button onClick={onClose}>{over(stage) ? '完成' : '关闭'}</Button>}
    >
      <FailureAlert texts={start.texts} />
      {isError && <FailureAlert texts={['无法读取测试进度，正在重试']} />}
      {testId === undefined ? (
        <div className="pay-test">
          <p>将生成一笔 0.01 元的真实支付。付款后系统自动原路退回，收到退款即为通过。</p>
          <Button type="primary" loading={start.pending} onClick={() => void start.run({ body: { id: of.id } })}>
            开始测试
          </Button>
        </div>
      ) : (
        <Progress stage={stage} codeUrl={data?.codeUrl ?? null} words={data?.words ?? null} />
      )}
    </Modal>
  )
}

function Progress({
  stage,
  codeUrl,
  words,
}: {
  stage: number | undefined
  codeUrl: string | null
  words: string | null
}) {
  const text = stage === undefined ? '正在获取支付码' : testStage.show(stage as typeof passed).label
  if (stage === passed) return <Result status="success" title={text} subTitle="0.01 元已收到并原路退回" />
  if (stage === failed) return <Result status="error" title={text} subTitle={words} />
  return (
    <div className="pay-test" aria-live="polite">
      {stage === waiting && codeUrl !== null ? <QrPicture value={codeUrl} label="支付码" size={208} /> : <Spin />}
      <p>{text}</p>
      {words !== null && <p className="meta">{words}</p>}
    </div>
  )
}
