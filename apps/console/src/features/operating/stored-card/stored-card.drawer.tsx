import {
  cardAccount,
  cardHolding,
  cardStepKind,
  storedCardState,
} from '@wattdeck/contract/operating/stored-card-codes.ts'
import { type CardDetail, storedCard } from '@wattdeck/contract/operating/stored-card.ts'
import { cardRecharge } from '@wattdeck/contract/operating/card-recharge.ts'
import { cardSwipe } from '@wattdeck/contract/operating/card-swipe.ts'
import { Button, Descriptions, Drawer, Segmented, Tabs, Timeline } from 'antd'
import { useDetail } from '../../../kit/api/queries.ts'
import { mayCall } from '../../../kit/api/rights.ts'
import { useUser } from '../../../kit/api/user.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { States } from '../../../kit/display/States.tsx'
import { statementColumns } from '../../../kit/display/statement-columns.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { OwnerPath } from '../../../kit/objects/OwnerPath.tsx'
import { ChipNo } from './stored-card.columns.tsx'
import { CardRecharges, CardSwipes } from './stored-card.lists.tsx'
import './stored-card.css'

type Props = { id: string; onOpen: (id: string) => void; onClose: () => void }

/** One card: its money, what happened to it, its swipes and its recharges. */
export function CardDrawer({ id, onOpen, onClose }: Props) {
  const narrow = useNarrow()
  const user = useUser()
  const detail = useDetail(storedCard.detail, { params: { id } })
  const tabs = [
    { key: 'statement', label: '资金明细', children: <CardStatement id={id} /> },
    { key: 'swipes', label: '刷卡记录', route: cardSwipe.list, children: <CardSwipes cardId={id} /> },
    { key: 'recharges', label: '充值记录', route: cardRecharge.list, children: <CardRecharges cardId={id} /> },
  ].filter(({ route }) => route === undefined || mayCall(user, route.access))
  return (
    <Drawer
      open
      title={detail.data ? `储值卡：${detail.data.card.cardNo}` : '储值卡详情'}
      size={narrow ? '100%' : dialogWidth.xl}
      onClose={onClose}
    >
      <States query={detail} rows={10}>
        {(data) => (
          <div className="card-drawer">
            <Facts detail={data} onOpen={onOpen} />
            <Tabs
              destroyOnHidden
              items={[
                { key: 'steps', label: '办理记录', children: <Steps detail={data} /> },
                ...tabs.map(({ key, label, children }) => ({ key, label, children })),
              ]}
            />
          </div>
        )}
      </States>
    </Drawer>
  )
}

type FactsProps = { detail: CardDetail; onOpen: (id: string) => void }

function Facts({ detail: { card, replacedBy, replaces }, onOpen }: FactsProps) {
  const other = (link: { id: string; cardNo: string } | null) =>
    link === null ? (
      cells.dash
    ) : (
      <Button type="link" size="small" onClick={() => onOpen(link.id)}>
        {link.cardNo}
      </Button>
    )
  const facts: [string, string, React.ReactNode][] = [
    ['cardNo', '卡号', <CopyId key="no" value={card.cardNo} what="卡号" />],
    ['state', '状态', cells.status(storedCardState, card.state)],
    ['chipNo', '物理卡号', <ChipNo key="chip" card={card} />],
    ['holding', '持卡方式', cells.label(cardHolding, card.holding)],
    [
      'holder',
      '持卡人',
      <ObjectLink key="holder" kind="member" id={card.memberId}>
        {cells.text(card.holderName)}
      </ObjectLink>,
    ],
    ['phone', '手机号', cells.text(card.holderPhone)],
    ['balance', '余额', <>¥{cells.money(card.balance)}</>],
    ['gift', '赠送余额', <>¥{cells.money(card.gift)}</>],
    ['frozen', '冻结', <>¥{cells.money(card.frozen)}</>],
    ['owner', '归属', <OwnerPath key="owner" row={card} />],
    ['issuedAt', '发卡时间', cells.time(card.issuedAt)],
    ['usedAt', '最近使用', cells.time(card.usedAt)],
    ['replaces', '补自原卡', other(replaces)],
    ['replacedBy', '已换新卡', other(replacedBy)],
  ]
  return (
    <Descriptions
      bordered
      size="small"
      column={{ xs: 1, sm: 2 }}
      items={facts.map(([key, label, children]) => ({ key, label, children }))}
    />
  )
}

const Steps = ({ detail: { steps } }: { detail: CardDetail }) =>
  steps.length === 0 ? (
    <p className="meta">还没有办理记录</p>
  ) : (
    <Timeline
      className="card-steps"
      items={steps.map((step) => ({
        key: step.id,
        content: (
          <>
            <p>
              {cells.status(cardStepKind, step.kind)}
              {step.moved !== null && step.moved !== '0.00' && ` 转移余额 ¥${step.moved}`}
            </p>
            {step.reason !== null && <p>{step.reason}</p>}
            <p className="meta">
              <ObjectLink kind="staff" id={step.byId}>
                {step.by}
              </ObjectLink>{' '}
              {step.at}
            </p>
          </>
        ),
      }))}
    />
  )

/** Business events of one account of the card. */
function CardStatement({ id }: { id: string }) {
  const state = useLocalListState(storedCard.statement)
  return (
    <ListPanel
      listKey="card-statement"
      route={storedCard.statement}
      params={{ id }}
      state={state}
      columns={statementColumns}
      nameOf={(row) => `${row.at} ${row.ref}`}
      filters={[{ kind: 'dates', from: 'from', to: 'to', label: '时间' }]}
      toolbar={
        <Segmented
          aria-label="账户"
          value={state.query.kind}
          options={cardAccount.options}
          onChange={(kind) => state.set({ kind })}
        />
      }
    />
  )
}
