import { accountKind, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { chargeLimit, orderStatus, reviewReason, startMode } from '@wattdeck/contract/order/order-codes.ts'
import { messageDirection, messageKind } from '@wattdeck/contract/product/device-codes.ts'
import { masks } from '@wattdeck/domain/masks.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { readBill } from '@wattdeck/domain/tariff/bill-json.ts'
import { displayText } from '@wattdeck/domain/tariff/display.ts'
import { explain } from '@wattdeck/domain/tariff/explain.ts'
import { durationText, energyText, wattText } from '@wattdeck/domain/tariff/labels.ts'
import { peekOrder } from '../../../core/charging/order.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import { notFound } from '../../../kit/http/refusal.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { withWholeOrganiseScope } from '../../../kit/db/whole-organise.ts'
import { organiseOf } from '../_shared/order-access.ts'
import { shanghaiText } from '../_shared/shanghai-text.ts'
import { billParts } from './bill-parts.ts'
import * as store from './charging-order.store.ts'

/** One part of a pack. It is plain JSON, which the pack carries, so that a reader can verify every page. */
export type Section =
  | { kind: 'facts'; title: string; facts: [label: string, value: string][] }
  | { kind: 'lines'; title: string; lines: string[] }
  | { kind: 'table'; title: string; head: string[]; widths: number[]; rows: string[][] }
  | { kind: 'curve'; title: string; points: [at: string, powerDw: number, energyDwh: number][] }
  | { kind: 'frames'; title: string; frames: { head: string; content: string; frame: string | null }[] }

export type Evidence = { orderId: string; organiseId: string; madeAt: string; madeBy: string; sections: Section[] }
type Params = { clear: boolean; by: string }
type Order = NonNullable<Awaited<ReturnType<typeof store.readOrder>>>

/** Collects the current facts behind the bill of an order. */
export async function gatherEvidence(db: Db, scope: Scope, id: string, { clear, by }: Params): Promise<Evidence> {
  const organiseId = await organiseOf(db, id)
  const [order, curve, span] = await Promise.all([
    store.readOrder(db, id),
    store.readCurve(db, id),
    store.spanOf(db, id),
  ])
  if (order === undefined || span === undefined) throw notFound()
  const messages = await store.listEvidenceMessages(db, span)
  const { rules, postings } = await withWholeOrganiseScope(db, scope, organiseId, async () => ({
    rules: (await peekOrder(db, id))?.rules ?? null,
    postings: await store.readPostings(db, organiseId, id),
  }))
  return {
    orderId: id,
    organiseId,
    madeAt: shanghaiText(Date.now()),
    madeBy: by,
    sections: [
      { kind: 'facts', title: '订单信息', facts: orderFacts(order, clear) },
      {
        kind: 'lines',
        title: `消费标准：${order.tariffName ?? '无'}${order.tariffNo === null ? '' : `（第${order.tariffNo}版）`}`,
        lines:
          rules === null ? ['没有消费标准'] : [...textLines(displayText(rules)), `规则原文：${JSON.stringify(rules)}`],
      },
      ...billSections(order),
      { kind: 'curve', title: '功率曲线', points: curve.map((one) => [one.at, one.powerDw ?? 0, one.energyDwh]) },
      {
        kind: 'lines',
        title: '设备账单原文',
        lines: [order.settlement === null ? '没有收到设备账单' : JSON.stringify(order.settlement)],
      },
      { kind: 'frames', title: '设备记录与报文（原始报文保存7天）', frames: messages.map(frameOf) },
      postingSection(postings),
    ],
  }
}

const textLines = (text: string) => text.split('\n').filter((line) => line !== '')
const orDash = (value: string | null) => value ?? '–'

function orderFacts(order: Order, clear: boolean): [string, string][] {
  const { memberName, memberPhone, cardNo } = order
  const missingName = cardNo === null ? '没有付款人' : '–'
  const name = memberName === null ? missingName : clear ? memberName : masks.name(memberName)
  const phone = memberPhone === null ? '' : clear ? memberPhone : masks.phone(memberPhone)
  return [
    ['订单号', order.id],
    ['设备订单号', order.wireNo],
    ['状态', orderStatus.show(order.status).label],
    ['用户', `${name} ${phone}`.trim()],
    ['储值卡', cardNo === null ? '–' : clear ? cardNo : masks.cardNo(cardNo)],
    ['机构 / 代理商 / 站点', [order.organiseName, order.agentName, order.siteName].filter(Boolean).join(' / ')],
    ['设备', `${order.deviceNo} ${orDash(order.deviceName)}（${order.typeName}）${order.portNo}号端口`],
    ['启动方式', startMode.show(order.startMode).label],
    ['充电方式', limitText(order.limitBy, order.limitValue)],
    ['下单时间', order.createdAt],
    ['开始时间', orDash(order.startedAt)],
    ['结束时间', orDash(order.endedAt)],
    ['充电时长', order.durationS === null ? '–' : durationText(order.durationS)],
    ['电量', order.energyDwh === null ? '–' : `${energyText(order.energyDwh)} kWh`],
    ['峰值功率', order.peakPowerDw === null ? '–' : `${wattText(order.peakPowerDw)} W`],
    ['结束原因', orDash(order.stopReason)],
    ['预付金额', `${order.held} 元`],
    ['电费 / 服务费 / 占位费', `${order.electricity} / ${order.service} / ${order.occupancy} 元`],
    ...(order.discount === '0.00' ? [] : [['优惠', `${order.discount} 元`] satisfies [string, string]]),
    ['应收', `${order.total} 元`],
    ['充值支付 / 赠送抵扣 / 退款', `${order.paid} / ${order.gift} / ${order.refunded} 元`],
    ...(order.refunding === '0.00' ? [] : [['退款中', `${order.refunding} 元`] satisfies [string, string]]),
    ['复核原因', order.reviewReasons.map((reason) => reviewReason.show(reason as 'late').label).join('、') || '–'],
    ['处理人', orDash(order.decidedBy)],
    ['处理说明', orDash(order.decision)],
    ['结算时间', orDash(order.settledAt)],
  ]
}

function limitText(by: number, value: number): string {
  const { money, minutes, energy } = chargeLimit.code
  if (by === money) return `按金额 ${yuanText(BigInt(value))} 元`
  if (by === minutes) return `按时长 ${value} 分钟`
  return by === energy ? `按电量 ${energyText(value)} 度` : '充满为止'
}

function billSections({ bill: stored }: Order): Section[] {
  if (stored === null) return [{ kind: 'lines', title: '账单', lines: ['尚未出账'] }]
  const bill = readBill(stored)
  const rows = billParts(bill).map(({ label, quantity, unitPrice, amount }) => [label, quantity, unitPrice, amount])
  return [
    {
      kind: 'table',
      title: '账单明细',
      head: ['项目', '数量', '单价', '金额（元，未舍入）'],
      widths: [180, 100, 115, 120],
      rows,
    },
    { kind: 'lines', title: '计费说明与舍入', lines: explain(bill) },
  ]
}

type Message = Awaited<ReturnType<typeof store.listEvidenceMessages>>[number]
const kinds = new Map<string, string>(messageKind.options.map(({ value, label }) => [value, label]))
const frameOf = ({ at, direction, kind, content, frame }: Message) => ({
  head: `${at} ${messageDirection.show(direction).label} ${kinds.get(kind) ?? kind}`,
  content: JSON.stringify(content),
  frame,
})

const postingSection = (postings: Awaited<ReturnType<typeof store.readPostings>>): Section => ({
  kind: 'table',
  title: '资金流水（每笔合计为零，摘要为 SHA-256）',
  head: ['时间', '类型', '账户与金额（元）', '摘要'],
  widths: [105, 55, 185, 170],
  rows: postings.map(({ at, kind, lines, digest }) => [
    at,
    postingKind.show(kind).label,
    lines.map(({ account, amount }) => `${accountKind.show(account).label} ${amount}`).join('\n'),
    orDash(digest),
  ]),
})
