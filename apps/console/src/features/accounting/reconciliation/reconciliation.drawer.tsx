import { accountKind, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { breakKind, breakStatus, reconPair } from '@wattdeck/contract/accounting/recon-codes.ts'
import { type BreakDetail, reconciliation } from '@wattdeck/contract/accounting/reconciliation.ts'
import type { ObjectKind } from '@wattdeck/contract/kit/object-kinds.ts'
import { Alert, Button, Descriptions, Drawer } from 'antd'
import type { ReactNode } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { States } from '../../../kit/display/States.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { AskForm, Requests } from './reconciliation.repair.tsx'
import './reconciliation.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

/** The label of the amount compared with the platform's. */
const theirsLabel: Readonly<Record<BreakDetail['pair'], string>> = {
  [reconPair.code.channel]: '渠道金额',
  [reconPair.code.ledger]: '账务金额',
  [reconPair.code.device]: '设备金额',
}

type Props = { id: string; onClose: () => void }

/** One difference: the four records of the money side by side, and the possible repairs. */
export function BreakDrawer({ id, onClose }: Props) {
  const narrow = useNarrow()
  const detail = useDetail(reconciliation.detail, { params: { id } })
  const query = useSubmit(reconciliation.query, { refresh: [reconciliation.list, reconciliation.detail] })
  const open = detail.data?.status === breakStatus.code.open
  return (
    <Drawer
      open
      title={`对账差异${detail.data ? `：${detail.data.breakNo}` : ''}`}
      size={narrow ? '100%' : dialogWidth.xl}
      onClose={onClose}
      extra={
        open &&
        detail.data?.canQuery === true && (
          <Can route={reconciliation.query}>
            <Button loading={query.pending} onClick={() => void query.run({ body: { id } })}>
              向渠道查单
            </Button>
          </Can>
        )
      }
    >
      <States query={detail} rows={10}>
        {(data) => (
          <div className="recon-sections">
            <Head data={data} />
            <section className="recon-records" aria-label="四方记录">
              <Record title="订单">{facts(data, 'order', '没有对应的订单或支付单')}</Record>
              <Record title="渠道账单">{facts(data, 'channel', '账单中没有此笔')}</Record>
              <Record title="设备">{facts(data, 'device', '不涉及设备，或设备未上报')}</Record>
              <Record title="账务">
                <Ledger data={data} />
              </Record>
            </section>
            <Requests detail={data} />
            {open && !data.repairWaits && (
              <Can route={reconciliation.ask}>
                <AskForm id={id} />
              </Can>
            )}
          </div>
        )}
      </States>
    </Drawer>
  )
}

function Head({ data }: { data: BreakDetail }) {
  const { label } = breakKind.show(data.kind)
  return (
    <>
      {data.status === breakStatus.code.open && (
        <Alert type="warning" showIcon title={`${label}：处理完成前，${data.organiseName}暂停结算`} />
      )}
      <Descriptions
        bordered
        size="small"
        column={{ xs: 1, sm: 2 }}
        items={[
          { key: 'kind', label: '差异类型', children: cells.status(breakKind, data.kind) },
          { key: 'status', label: '状态', children: cells.status(breakStatus, data.status) },
          { key: 'pair', label: '核对项', children: cells.label(reconPair, data.pair) },
          { key: 'day', label: '账期', children: data.day },
          { key: 'ours', label: '平台金额', children: cells.money(data.ours) },
          { key: 'theirs', label: theirsLabel[data.pair], children: cells.money(data.theirs) },
          {
            key: 'owner',
            label: '负责人',
            children: (
              <ObjectLink kind="staff" id={data.ownerId}>
                {cells.text(data.ownerName)}
              </ObjectLink>
            ),
          },
          { key: 'merchant', label: '商户', children: cells.text(data.merchantName) },
          { key: 'words', label: '说明', span: 'filled', children: cells.text(data.why ?? data.words) },
        ]}
      />
    </>
  )
}

const Record = ({ title, children }: { title: string; children: ReactNode }) => (
  <article className="recon-record">
    <h3>{title}</h3>
    {children}
  </article>
)

/** A label may occur twice when the bill has two lines, so the key includes its occurrence number. */
function withKeys(all: BreakDetail['order']) {
  const seen = new Map<string, number>()
  return all.map((one) => {
    const times = (seen.get(one.label) ?? 0) + 1
    seen.set(one.label, times)
    return { ...one, key: `${one.label} ${times}` }
  })
}

/** The object that a fact refers to, by the label of the fact. */
const objectOf = ({ orderId, payOrderId, deviceId }: BreakDetail, label: string) => {
  const objects: Record<string, { kind: ObjectKind; id: string | null }> = {
    订单号: { kind: 'order', id: orderId },
    支付单号: { kind: 'payment', id: payOrderId },
    设备编号: { kind: 'device', id: deviceId },
  }
  return objects[label]
}
const valueOf = (data: BreakDetail, label: string, value: string) => {
  const object = objectOf(data, label)
  return object === undefined ? value : <ObjectLink {...object}>{value}</ObjectLink>
}

const facts = (data: BreakDetail, side: 'order' | 'channel' | 'device', none: string) =>
  data[side].length === 0 ? (
    <p className="meta">{none}</p>
  ) : (
    <dl className="recon-facts">
      {withKeys(data[side]).map(({ key, label, value }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{valueOf(data, label, value)}</dd>
        </div>
      ))}
    </dl>
  )

function Ledger({ data }: { data: BreakDetail }) {
  if (data.ledger.length === 0) return <p className="meta">账务中没有此笔</p>
  const postings = Map.groupBy(data.ledger, ({ postingId }) => postingId)
  return [...postings].map(([postingId, lines]) => (
    <dl key={postingId} className="recon-facts">
      <div>
        <dt>{lines[0] && postingKind.show(lines[0].kind).label}</dt>
        <dd className="meta">{lines[0]?.at}</dd>
      </div>
      {lines.map((line) => (
        <div key={`${line.account} ${line.amount}`}>
          <dt>{accountKind.show(line.account).label}</dt>
          <dd>{cells.flow(line.amount)}</dd>
        </div>
      ))}
    </dl>
  ))
}
