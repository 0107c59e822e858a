import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import {
  adjustmentDirection,
  adjustmentStatus,
  balanceAdjustment,
  type BalanceAdjustment,
} from '@wattdeck/contract/member/balance-adjustment.ts'
import { memberInfo } from '@wattdeck/contract/member/member-info.ts'
import { wallet } from '@wattdeck/contract/member/member-row.ts'
import { Button, Descriptions, Drawer, Empty } from 'antd'
import { useState } from 'react'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'
import { refetchRoutes, useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { signed } from './balance-adjustment.columns.tsx'
import { nextToReview } from './review-queue.ts'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import '../_shared/member.css'

type Props = { first?: BalanceAdjustment; onClose: () => void }
const refresh = [balanceAdjustment.list]
const waiting = { status: adjustmentStatus.code.waiting, pageSize: 100 } as const

/** The waiting requests one by one: after a decision the next one is shown. */
export function ReviewDrawer({ first, onClose }: Props) {
  const narrow = useNarrow()
  const [passed, setPassed] = useState<readonly string[]>([])
  const queue = useDetail(balanceAdjustment.list, { query: waiting })
  const { next, left: remaining } = nextToReview(queue.data?.rows ?? [], passed, first)
  const pass = (id: string) => setPassed((now) => [...now, id])
  return (
    <Drawer
      open
      title={remaining > 0 ? `余额调整审批（待处理 ${remaining} 条）` : '余额调整审批'}
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
  const [isDeclining, setDeclining] = useState(false)
  useReturnFocus(isDeclining)
  const member = useDetail(memberInfo.info, { query: { memberId: row.memberId } })
  const approve = useConfirmSheet(balanceAdjustment.approve, {
    refresh,
    onDone: onPassed,
    // Another person may have decided in the meantime.
    onFailed: () => void refetchRoutes(refresh),
  })
  const change = `${adjustmentDirection.show(row.direction).label}${wallet.show(row.wallet).label}`
  const affected = [
    ['调整金额', `${change} ¥${row.amount}`],
    ['会员', `${row.nickname}（${row.memberId}）`],
    ['调整单号', row.adjustmentNo],
    ['申请人', row.createdBy],
  ] as const
  const askApproval = () =>
    approve(
      {
        title: '通过这笔余额调整？',
        okText: '通过并入账',
        facts: affected,
        effect: `会员的${wallet.show(row.wallet).label}立即${adjustmentDirection.show(row.direction).label} ¥${row.amount}`,
        second: `由${row.createdBy}申请，您为审批人`,
      },
      { body: { id: row.id } },
    )
  const place = [row.organiseName, row.agentName, row.siteName].filter((name) => name !== null).join(' / ')
  return (
    <>
      <p className="review-amount">
        {change} {signed(row)} 元
      </p>
      <Descriptions
        bordered
        size="small"
        column={1}
        items={[
          { key: 'no', label: '调整单号', children: row.adjustmentNo },
          {
            key: 'member',
            label: '会员',
            children: <ObjectLink kind="member" id={row.memberId}>{`${row.nickname}（${row.memberId}）`}</ObjectLink>,
          },
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
      <div className="review-buttons review-reason">
        <Button onClick={onPassed}>跳过</Button>
        <Button danger onClick={() => setDeclining(true)}>
          驳回
        </Button>
        <Button type="primary" onClick={askApproval}>
          通过
        </Button>
      </div>
      {isDeclining && (
        <FormDialog
          title="驳回这笔余额调整"
          route={balanceAdjustment.turnDown}
          okText="驳回"
          toBody={({ reason }) => ({ id: row.id, reason }) as BodyOf<typeof balanceAdjustment.turnDown>}
          refresh={refresh}
          onDone={onPassed}
          onClose={() => setDeclining(false)}
        >
          <ConsequenceNote facts={affected} effect="余额不变，申请人会收到驳回原因" undo="驳回后须重新申请" />
          <TextField name="reason" label="驳回原因" />
        </FormDialog>
      )}
    </>
  )
}
