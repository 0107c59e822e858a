import { startMode } from '@wattdeck/contract/order/order-codes.ts'
import type { SettlementEvent } from '@wattdeck/device-protocol/message.ts'
import type { Db } from '../../kit/db/db.ts'
import * as cards from './card.store.ts'
import { raiseMisuse } from './card-misuse.ts'
import * as store from './order.store.ts'
import type { Funds } from './payer.ts'
import { meteredOf, settleOrder } from './settle-order.ts'
import { holdable, holdFor } from './start-order.ts'
import { isTaken, takePort } from './taken-port.store.ts'

/** A bill of an order that nobody knows: kept as an order of nobody, or of the card that it names, for a person to look at. */
export async function keepUnknown(db: Db, deviceId: string, event: SettlementEvent, atMs: number): Promise<void> {
  const startedAtMs = atMs - event.durationS * 1000
  const begun = { port: event.port, orderNo: event.orderNo ?? `${event.port}@${atMs}`, card: event.card }
  const found = await adopt(db, deviceId, begun, startedAtMs)
  if (found === undefined) return
  await noticeMisuse(db, found)
  await store.addOrder(db, found.order)
  const made = await store.lockOrder(db, found.order.id)
  if (made !== undefined) await settleOrder(db, made, meteredOf(event, atMs, made), ['unknownOrder'])
}

type Begun = { port: number; orderNo: string; card?: string | undefined; startMode?: number | undefined }

/**
 * A charge that began without us: an order is made of it, so that its bill finds one. The card that began it pays, if it
 * may and can; otherwise a person decides when the bill is there.
 */
export async function beginUnasked(db: Db, deviceId: string, event: Begun, atMs: number): Promise<void> {
  const found = await adopt(db, deviceId, event, atMs)
  // Looked for with the card locked: a charge point's beginning is told here and asked about at the same time.
  if (found === undefined || (await store.findOrder(db, deviceId, { wireNo: event.orderNo })) !== undefined) return
  const { order, card } = found
  await noticeMisuse(db, found)
  if (await isTaken(db, deviceId, event.port)) return store.addOrder(db, order)
  const held = card === undefined ? undefined : await fundsFor(db, order.port, card, atMs)
  const paid = { ...order, held: held ?? order.held }
  // What it reports is followed like that of every other charge, and it ends like every other when no bill comes.
  await takePort(db, paid)
  await store.addOrder(db, paid)
  if (card !== undefined && held !== undefined) await holdFor(db, paid, paid.port.siteId, { kind: 'card', id: card.id })
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
  const word = '挂失卡或注销卡充电'
  await raiseMisuse(db, { deviceId: port.deviceId, portNo, atMs: startedAtMs, key: id, word })
}

/** Nothing where the card is lost, or charges elsewhere, or has too little. */
async function fundsFor(
  db: Db,
  { rules, ratedW, organiseId, siteId }: store.Startable,
  card: cards.Card,
  startMs: number,
): Promise<Funds | undefined> {
  if (rules === null || siteId === null || !cards.isNormal(card)) return undefined
  if ((await cards.chargeOf(db, card.id)) !== undefined) return undefined
  const payer = { kind: 'card' as const, id: card.id, organiseId }
  return holdable(db, payer, { by: 'full' }, { rules, ratedW, startMs })
}
