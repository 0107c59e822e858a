import {
  adjustmentDirection,
  adjustmentStatus,
  balanceAdjustment,
  type BalanceAdjustment,
} from '@wattdeck/contract/member/balance-adjustment.ts'
import { memberInfo } from '@wattdeck/contract/member/member-info.ts'
import { wallet } from '@wattdeck/contract/member/member-row.ts'
import { Button, Descriptions, Drawer, Empty, Form, Input } from 'antd'
import { useState } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import { Field, FormRoute } from '../../../kit/form/Field.tsx'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'
import { refetchRoutes, useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { signed } from './balance-adjustment.columns.tsx'
import { nextToReview } from './review-queue.ts'
import '../_shared/member.css'

type Props = { first?: BalanceAdjustment; onClose: () => void }
const waiting = { status: adjustmentStatus.code.waiting, pageSize: 100 } as const

/** What waits, one after the other: when one is decided the next stands there. */
export function ReviewDrawer({ first, onClose }: Props) {
  const narrow = useNarrow()
  const [passed, setPassed] = useState<readonly string[]>([])
  const queue = useDetail(balanceAdjustment.list, { query: waiting })
  const { next, left } = nextToReview(queue.data?.rows ?? [], passed, first)
  const pass = (id: string) => setPassed((now) => [...now, id])
  return (
    <Drawer
      open
      title={left > 0 ? `余额调整审批（待处理 ${left} 条）` : '余额调整审批'}
      size={narrow ? '100%' : 680}
      onClose={onClose}
    >
      <States query={queue} rows={8}>
        {() =>
          next ? (
            <Review key={next.id} row={next} onPassed={() => pass(next.id)} />
          ) : (
            <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有需要您审批的申请">
              <Button onClick={onClose}>关闭</Button>
            </Empty>
          )
        }
      </States>
    </Drawer>
  )
}

function Review({ row, onPassed }: { row: BalanceAdjustment; onPassed: () => void }) {
  const [refusing, setRefusing] = useState(false)
  const member = useDetail(memberInfo.info, { query: { memberId: row.memberId } })
  const after = {
    refresh: [balanceAdjustment.list],
    onDone: onPassed,
    // Somebody else may have decided meanwhile.
    onFailed: () => void refetchRoutes([balanceAdjustment.list]),
  }
  const approve = useSubmit(balanceAdjustment.approve, after)
  const turnDown = useSubmit(balanceAdjustment.turnDown, after)
  const busy = approve.pending || turnDown.pending
  const place = [row.organiseName, row.agentName, row.siteName].filter((name) => name !== null).join(' / ')
  return (
    <>
      <p className="review-amount">
        {adjustmentDirection.show(row.direction).label}
        {wallet.show(row.wallet).label} {signed(row)} 元
      </p>
      <Descriptions
        bordered
        size="small"
        column={1}
        items={[
          { key: 'no', label: '调整单号', children: row.adjustmentNo },
          { key: 'member', label: '会员', children: `${row.nickname}（${row.memberId}）` },
          {
            key: 'balance',
            label: '当前余额',
            children: member.data ? (
              <>
                ¥{cells.money(member.data.balance)}，其中充值余额 ¥{cells.money(member.data.rechargeBalance)}
              </>
            ) : (
              cells.dash
            ),
          },
          { key: 'place', label: '归属', children: place },
          { key: 'reason', label: '原因', children: row.reason },
          {
            key: 'picture',
            label: '凭证',
            children: row.pictureId === null ? '未上传' : <FilePicture id={row.pictureId} alt="凭证图片" size={96} />,
          },
          { key: 'by', label: '申请人', children: `${row.createdBy}，${row.createdAt}` },
        ]}
      />
      {refusing ? (
        <TurnDownForm
          busy={busy}
          onCancel={() => setRefusing(false)}
          onSend={(reason) => void turnDown.run({ body: { id: row.id, reason } })}
        />
      ) : (
        <div className="review-buttons review-reason">
          <Button disabled={busy} onClick={onPassed}>
            跳过
          </Button>
          <Button danger disabled={busy} onClick={() => setRefusing(true)}>
            驳回
          </Button>
          <Button type="primary" loading={approve.pending} onClick={() => void approve.run({ body: { id: row.id } })}>
            批准
          </Button>
        </div>
      )}
    </>
  )
}

type FormProps = { busy: boolean; onCancel: () => void; onSend: (reason: string) => void }
const TurnDownForm = ({ busy, onCancel, onSend }: FormProps) => (
  <Form layout="vertical" className="review-reason" onFinish={(values: { reason: string }) => onSend(values.reason)}>
    <FormRoute value={balanceAdjustment.turnDown}>
      <Field name="reason" label="驳回原因">
        <Input autoComplete="off" />
      </Field>
    </FormRoute>
    <div className="review-buttons">
      <Button disabled={busy} onClick={onCancel}>
        返回
      </Button>
      <Button danger type="primary" htmlType="submit" loading={busy}>
        确认驳回
      </Button>
    </div>
  </Form>
)
