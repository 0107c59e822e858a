import { storedCard, type StoredCard } from '@wattdeck/contract/operating/stored-card.ts'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { LinesField, TextField } from '../../../kit/form/fields/TextField.tsx'
import { type CardQuestion, cardRoutes } from './stored-card.actions.ts'
import { cardFacts } from './stored-card.columns.tsx'

type Props = { question: CardQuestion; row: StoredCard; onClose: () => void }

const questions = {
  reportLoss: {
    title: '挂失储值卡',
    route: storedCard.reportLoss,
    okText: '挂失',
    effect: '下一次刷卡起不能充电，也不能充值；正在进行的充电不受影响',
    undo: '找到后可以解挂',
  },
  cancelReportLoss: {
    title: '解挂储值卡',
    route: storedCard.cancelReportLoss,
    okText: '解挂',
    effect: '立即可以刷卡充电。请先核对持卡人的身份和卡片',
    undo: '可以再次挂失',
  },
  cancel: {
    title: '注销储值卡',
    route: storedCard.cancel,
    okText: '注销',
    effect: '卡片作废，卡号和物理卡号不能再发卡',
    undo: '注销后不能恢复',
  },
  turnDown: {
    title: '驳回补卡',
    route: storedCard.turnDown,
    okText: '驳回',
    effect: '原卡和余额不变，申请人会收到驳回原因',
    undo: '驳回后须重新申请',
  },
} as const

/** A change of a card with its reason. */
export function CardDialog({ question: { what }, row, onClose }: Props) {
  if (what === 'replace') return <ReplaceDialog row={row} onClose={onClose} />
  const { title, route, okText, effect, undo } = questions[what]
  const also = what === 'turnDown' ? { replacementId: row.waiting?.id ?? '' } : { id: row.id }
  return (
    <FormDialog
      title={`${title}：${row.cardNo}`}
      route={route}
      okText={okText}
      danger={what === 'cancel'}
      also={also}
      refresh={cardRoutes}
      onClose={onClose}
    >
      <ConsequenceNote facts={cardFacts(row)} effect={effect} undo={undo} />
      <LinesField name="reason" label="原因" rows={2} maxLength={200} showCount />
    </FormDialog>
  )
}

const ReplaceDialog = ({ row, onClose }: { row: StoredCard; onClose: () => void }) => {
  const isEmpty = row.balance === '0.00' && row.gift === '0.00'
  return (
    <FormDialog
      title={`补卡：${row.cardNo}`}
      route={storedCard.replace}
      okText={isEmpty ? '补卡' : '提交审核'}
      also={{ id: row.id }}
      refresh={cardRoutes}
      onClose={onClose}
    >
      <ConsequenceNote
        facts={cardFacts(row)}
        effect={
          isEmpty ? '卡内没有余额，立即补卡，原卡作废' : '审核通过后全部余额转到新卡，原卡作废；审核前原卡仍可使用'
        }
        {...(isEmpty ? {} : { second: '须由他人审核' })}
        undo={isEmpty ? '补卡后原卡不能恢复' : '审核前可以撤销'}
      />
      <TextField name="cardNo" label="新卡号" inputMode="numeric" maxLength={20} help="卡面上的号码" />
      <TextField name="chipNo" label="新物理卡号" maxLength={64} help="读卡器读到的号码；库存卡可不填" />
      <LinesField name="reason" label="原因" rows={2} maxLength={200} showCount />
    </FormDialog>
  )
}
