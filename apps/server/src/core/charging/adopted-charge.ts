import { startMode } from '@wattdeck/contract/order/order-codes.ts'
import type { SettlementEvent } from '@wattdeck/device-protocol/message.ts'
import type { Db } from '../../kit/db/db.ts'
import * as cards from './card.store.ts'
import { raiseMisuse } from './card-misuse.ts'
import { isBlocked } from './member-block.store.ts'
import * as store from './order.store.ts'
import type { Funds } from './payer.ts'
import { meteredOf, settleOrder } from './settle-order.ts'
import { reservableFunds, reserveFunds } from './start-order.ts'
import { isPortOccupied, takePort } from './occupied-port.store.ts'

/** Stores a bill without a known order as a new order in review. The card in the bill, if any, is its payer. */
export async function storeUnknownBill(db: Db, deviceId: string, event: SettlementEvent, atMs: number): Promise<void> {
  const startedAtMs = atMs - event.durationS * 1000
  const begun = { port: event.port, orderNo: event.orderNo ?? `${event.port}@${atMs}`, card: event.card }
  const adoption = await adopt(db, deviceId, begun, startedAtMs)
  if (adoption === undefined) return
  await noticeMisuse(db, adoption)
  await store.addOrder(db, adoption.order)
  const order = await store.lockOrder(db, adoption.order.id)
  if (order !== undefined) await settleOrder(db, order, meteredOf(event, atMs, order), ['unknownOrder'])
}

type Begun = { port: number; orderNo: string; card?: string | undefined; startMode?: number | undefined }

/**
 * Creates an order for a charge that began without the platform, so that its bill finds one. The card that started it
 * pays, if it is valid and funded; otherwise an operator decides when the bill arrives.
 */
export async function adoptStartedCharge(db: Db, deviceId: string, event: Begun, atMs: number): Promise<void> {
  const adoption = await adopt(db, deviceId, event, atMs)
  // The search needs the card lock: a charge point may report a start and request authorisation at the same time.
  if (adoption === undefined || (await store.findOrder(db, deviceId, { wireNo: event.orderNo })) !== undefined) return
  const { order, card } = adoption
  await noticeMisuse(db, adoption)
  if (await isPortOccupied(db, deviceId, event.port)) return store.addOrder(db, order)
  const funds = card === undefined ? undefined : await fundsFor(db, order.port, card, atMs)
  const paid = { ...order, held: funds ?? order.held }
  // Occupying the port makes reports and the deadline apply as for any other charge.
  await takePort(db, paid)
  await store.addOrder(db, paid)
  if (card !== undefined && funds !== undefined)
    await reserveFunds(db, paid, paid.port.siteId, { kind: 'card', id: card.id })
}

type Adopted = { order: store.NewOrder & { port: store.Startable }; card: cards.Card | undefined }

async function adopt(db: Db, deviceId: string, event: Begun, startedAtMs: number): Promise<Adopted | undefined> {
  const port = await store.findStartable(db, deviceId, event.port)
  if (port === undefined) return undefined
  const card = event.card === undefined ? undefined : await cards.lockCard(db, port.organiseId, event.card)
  const order = {
    id: await store.newOrderId(db),
    port,
    portNo: event.port,
    wireNo: event.orderNo.slice(0, 40),
    memberId: card?.memberId ?? null,
    cardId: card?.id ?? null,
    cardNo: card?.cardNo ?? event.card,
    startMode: event.startMode ?? startMode.code.offline,
    limit: { by: 4, value: 0 },
    held: { paidFen: 0n, giftFen: 0n },
    commandId: null,
    startedAtMs,
  }
  return { order, card }
}

async function noticeMisuse(db: Db, { order, card }: Adopted): Promise<void> {
  if (card === undefined || cards.isNormal(card)) return
  const { id, port, portNo, startedAtMs = Date.now() } = order
  const word = '挂失、注销或库存卡充电'
  await raiseMisuse(db, { deviceId: port.deviceId, portNo, atMs: startedAtMs, key: id, word })
}

/** Undefined if the card is not valid or barred, already pays for another charge, or has too little balance. */
async function fundsFor(
  db: Db,
  { rules, ratedW, organiseId, siteId, hasBlocks }: store.Startable,
  card: cards.Card,
  startMs: number,
): Promise<Funds | undefined> {
  if (rules === null || siteId === null || !cards.isNormal(card)) return undefined
  if ((await cards.chargeOf(db, card.id)) !== undefined) return undefined
  const { id: cardId, memberId } = card
  if (hasBlocks && (await isBlocked(db, { organiseId, memberId, cardId }, 'charge'))) return undefined
  const payer = { kind: 'card' as const, id: cardId, organiseId }
  return reservableFunds(db, payer, { by: 'full' }, { rules, ratedW, startMs })
}
