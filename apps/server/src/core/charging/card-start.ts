import { messageEpochMs, type SwipeReply, type SwipeRequest } from '@wattdeck/contract/events/device-bus.ts'
import { storedCardStatus } from '@wattdeck/contract/operating/stored-card-codes.ts'
import { startMode } from '@wattdeck/contract/order/order-codes.ts'
import { type AccountStatusName, accountStatus } from '@wattdeck/device-protocol/account-status.ts'
import type { SwipeEvent } from '@wattdeck/device-protocol/message.ts'
import { couldTravel } from '@wattdeck/domain/stored-card.ts'
import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'
import * as cards from './card.store.ts'
import { raiseMisuse } from './card-misuse.ts'
import { isBlocked } from './member-block.store.ts'
import * as store from './order.store.ts'
import { fundsOf } from './payer.ts'
import { startOrder, StartRefused } from './start-order.ts'
import { isPortOccupied } from './occupied-port.store.ts'
import { adoptStartedCharge } from './adopted-charge.ts'

/** `misuse`: the text of a misuse alarm, if the swipe is suspicious. */
type Verdict = {
  account: AccountStatusName
  balanceFen?: bigint
  order?: { id: string; wireNo: string }
  misuse?: string
}
type Case = { db: Db; scope: Scope; ask: SwipeRequest; swipe: SwipeEvent; reader: cards.Reader; atMs: number }

/** A device without an answer retries within this time; a later copy counts as card misuse. */
const retryMs = 60_000

/**
 * Authorises a card swipe once: a repeated message gets the stored answer. The card row is locked meanwhile, so that only
 * one of two simultaneous devices starts.
 */
export async function decideSwipe(db: Db, scope: Scope, ask: SwipeRequest): Promise<SwipeReply> {
  const swipe = ask.swipe as SwipeEvent
  const reader = await cards.findReader(db, ask.deviceId)
  if (reader === undefined) return refused('deviceNotRegistered')
  const atMs = Number(BigInt(ask.id) >> 22n) + messageEpochMs
  const about: Case = { db, scope, ask, swipe, reader, atMs }
  const read = cardIn(swipe, reader.adapter)
  const card = read === undefined ? undefined : await cards.lockCard(db, reader.organiseId, read)
  const earlier = await cards.findSwipe(db, ask.deviceId, ask.key)
  if (earlier !== undefined) return answerAgain(about, earlier)
  const verdict = card === undefined ? { account: 'notRegistered' as const } : await judge(about, card)
  await cards.addSwipe(db, reader, {
    id: ask.id,
    key: ask.key,
    portNo: swipe.port ?? null,
    read: read ?? swipe.card,
    cardId: card?.id ?? null,
    account: accountStatus.codeOf(verdict.account),
    balanceFen: verdict.balanceFen ?? 0n,
    orderId: verdict.order?.id ?? null,
  })
  if (card !== undefined) await cards.recordCounter(db, card.id, ask.id)
  if (verdict.misuse !== undefined) await reportMisuse(about, verdict.misuse)
  return {
    account: verdict.account,
    balanceFen: Number(verdict.balanceFen ?? 0n),
    orderNo: verdict.order?.wireNo ?? null,
  }
}

const refused = (account: AccountStatusName): SwipeReply => ({ account, balanceFen: 0, orderNo: null })

/** YKC uses the same message for accounts and vehicles, which are not cards. Some DNY readers report a longer number. */
const isCard = 1
const cardIn = ({ card, cardKind, longCard }: SwipeEvent, adapter: string): string | undefined =>
  adapter === 'ykc' && cardKind !== isCard ? undefined : (longCard ?? card)

const reportMisuse = ({ db, ask, swipe, atMs }: Case, word: string) =>
  raiseMisuse(db, { deviceId: ask.deviceId, portNo: swipe.port, atMs, key: ask.id, word })

async function answerAgain(about: Case, earlier: NonNullable<Awaited<ReturnType<typeof cards.findSwipe>>>) {
  // A charge point repeats the start of a charge until it is acknowledged, possibly days later.
  if (about.ask.begun !== undefined || about.atMs - earlier.atMs <= retryMs)
    return {
      account: accountStatus.nameOf(earlier.account),
      balanceFen: Number(earlier.balanceFen),
      orderNo: earlier.wireNo,
    }
  await reportMisuse(about, '重复的刷卡报文')
  return refused('alreadyCharging')
}

async function judge(about: Case, card: cards.Card): Promise<Verdict> {
  const { db, ask, swipe, reader } = about
  if (card.status === storedCardStatus.code.lost) return { account: 'frozen', misuse: '挂失卡刷卡' }
  if (card.inStock) return { account: 'notRegistered', misuse: '库存卡刷卡' }
  if (!cards.isNormal(card)) return { account: 'notRegistered', misuse: '注销卡刷卡' }
  const payer = { kind: 'card' as const, id: card.id }
  const { paidFen, giftFen } = await fundsOf(db, reader.organiseId, payer)
  const balanceFen = paidFen + giftFen
  const running = await cards.chargeOf(db, card.id)
  // A block never touches a running charge: its card is answered as before.
  const isBarred = running === undefined && reader.hasBlocks && (await isBarredCard(about, card))
  if (ask.begun !== undefined) return { ...(await joinBegun(about, card, ask.begun, isBarred)), balanceFen }
  if (isBarred) return { account: 'frozen', balanceFen }
  // A device other than a charge point checks a card without a port; no charge begins yet.
  const onlyLooks = swipe.port === undefined && reader.adapter !== 'ocpp16'
  if (onlyLooks) return { account: 'good', balanceFen: balanceFen + BigInt(running?.heldFen ?? 0) }
  if (running !== undefined) return { ...whileCharging(about, running), balanceFen }
  if (BigInt(ask.id) <= BigInt(card.counter))
    return { account: 'alreadyCharging', balanceFen, misuse: '过期的刷卡报文' }
  if (!couldBeHere(about, card)) return { account: 'notHere', balanceFen, misuse: '短时间内异地刷卡' }
  if (swipe.port === undefined) return { account: balanceFen > 0n ? 'good' : 'tooLittleMoney', balanceFen }
  return begin(about, card, swipe.port, balanceFen)
}

const isBarredCard = ({ db, reader: { organiseId } }: Case, { id, memberId }: cards.Card) =>
  isBlocked(db, { organiseId, memberId, cardId: id }, 'charge')

/** A second swipe while the first start is pending gets the same answer; elsewhere the card is already in use. */
function whileCharging({ swipe, reader }: Case, running: cards.CardCharge): Verdict {
  const { orderId: id, wireNo, deviceId, portNo, heldFen, starting } = running
  if (deviceId !== reader.deviceId) return { account: 'alreadyCharging', misuse: '充电中的卡在另一设备刷卡' }
  return starting && portNo === swipe.port
    ? { account: 'good', balanceFen: BigInt(heldFen), order: { id, wireNo } }
    : { account: 'alreadyCharging' }
}

function couldBeHere({ reader: { lng, lat }, atMs }: Case, { usedMs, usedLng, usedLat }: cards.Card): boolean {
  if (lng === null || lat === null || usedMs === null || usedLng === null || usedLat === null) return true
  return couldTravel({ lng: usedLng, lat: usedLat, atMs: usedMs }, { lng, lat, atMs })
}

/** Starts by the rules of a member start; reserves the card's balance up to the highest cost of the charge. */
async function begin({ db, reader }: Case, card: cards.Card, portNo: number, hasFen: bigint): Promise<Verdict> {
  const { deviceId, organiseId, adapter, siteId } = reader
  if ((await store.findStartable(db, deviceId, portNo)) === undefined) return { account: 'notHere', balanceFen: hasFen }
  if (await isPortOccupied(db, deviceId, portNo)) return { account: 'alreadyCharging', balanceFen: hasFen }
  try {
    const { id, cardNo, memberId } = card
    const { orderId, wireNo, coveredFen } = await startOrder(db, {
      deviceId,
      portNo,
      payer: { kind: 'card', id, organiseId, enabled: true, cardNo, memberId },
      startMode: startMode.code.card,
      limit: { by: 'full' },
      by: { userId: null, name: '刷卡' },
    })
    await cards.recordUse(db, id, siteId)
    // A YKC pile counts this amount down to zero; other devices only display it.
    return {
      account: 'good',
      balanceFen: adapter === 'ykc' ? coveredFen : hasFen,
      order: { id: orderId, wireNo },
    }
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error
    return { account: error.account, balanceFen: hasFen }
  }
}

/**
 * A charge point has already started: the card is accepted if it pays for the charge. No money of a barred card is
 * reserved, so an operator decides on the bill of such a charge.
 */
async function joinBegun(
  { db, swipe, reader, atMs }: Case,
  card: cards.Card,
  orderNo: string,
  isBarred: boolean,
): Promise<Verdict> {
  const { deviceId, siteId } = reader
  const { port = 0, card: read } = swipe
  await adoptStartedCharge(db, deviceId, { port, orderNo, card: read, startMode: startMode.code.card }, atMs)
  const running = await cards.chargeOf(db, card.id)
  if (running === undefined) return { account: isBarred ? 'frozen' : 'tooLittleMoney' }
  if (running.deviceId !== deviceId || running.wireNo !== orderNo)
    return { account: 'alreadyCharging', misuse: '充电中的卡在另一设备刷卡' }
  await cards.recordUse(db, card.id, siteId)
  return { account: 'good', order: { id: running.orderId, wireNo: orderNo } }
}
