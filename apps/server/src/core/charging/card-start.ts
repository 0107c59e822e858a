import { messageEpochMs, type SwipeAnswer, type SwipeAsk } from '@wattdeck/contract/events/device-bus.ts'
import { storedCardStatus } from '@wattdeck/contract/operating/stored-card-codes.ts'
import { startMode } from '@wattdeck/contract/order/order-codes.ts'
import { type AccountStatusName, accountStatus } from '@wattdeck/device-protocol/account-status.ts'
import type { SwipeEvent } from '@wattdeck/device-protocol/message.ts'
import { couldTravel } from '@wattdeck/domain/stored-card.ts'
import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'
import * as cards from './card.store.ts'
import { raiseMisuse } from './card-misuse.ts'
import * as store from './order.store.ts'
import { fundsOf } from './payer.ts'
import { startOrder, StartRefused } from './start-order.ts'
import { isTaken } from './taken-port.store.ts'
import { beginUnasked } from './unasked-charge.ts'

/** `misuse`: what an honest card does not do, in words for the alarm. */
type Verdict = {
  account: AccountStatusName
  balanceFen?: bigint
  order?: { id: string; wireNo: string }
  misuse?: string
}
type Case = { db: Db; scope: Scope; ask: SwipeAsk; swipe: SwipeEvent; reader: cards.Reader; atMs: number }

/** A device that got no answer sends the same message again within this time; later it is somebody else who does. */
const retryMs = 60_000

/**
 * What becomes of a card that was held to a device, decided once: a message that comes again is answered as before. The
 * card is locked meanwhile, so that of two devices at once one begins.
 */
export async function decideSwipe(db: Db, scope: Scope, ask: SwipeAsk): Promise<SwipeAnswer> {
  const swipe = ask.swipe as SwipeEvent
  const reader = await cards.findReader(db, ask.deviceId)
  if (reader === undefined) return refused('deviceNotRegistered')
  const atMs = Number(BigInt(ask.id) >> 22n) + messageEpochMs
  const about: Case = { db, scope, ask, swipe, reader, atMs }
  const read = cardIn(swipe, reader.adapter)
  const card = read === undefined ? undefined : await cards.lockCard(db, reader.organiseId, read)
  const known = await cards.findSwipe(db, ask.deviceId, ask.key)
  if (known !== undefined) return answerAgain(about, known)
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
  if (card !== undefined) await cards.noteCounter(db, card.id, ask.id)
  if (verdict.misuse !== undefined) await tell(about, verdict.misuse)
  return {
    account: verdict.account,
    balanceFen: Number(verdict.balanceFen ?? 0n),
    orderNo: verdict.order?.wireNo ?? null,
  }
}

const refused = (account: AccountStatusName): SwipeAnswer => ({ account, balanceFen: 0, orderNo: null })

/** YKC asks about accounts and cars by the same message; those are no cards. Some DNY readers read a longer number. */
const isCard = 1
const cardIn = ({ card, cardKind, longCard }: SwipeEvent, adapter: string): string | undefined =>
  adapter === 'ykc' && cardKind !== isCard ? undefined : (longCard ?? card)

const tell = ({ db, ask, swipe, atMs }: Case, word: string) =>
  raiseMisuse(db, { deviceId: ask.deviceId, portNo: swipe.port, atMs, key: ask.id, word })

async function answerAgain(about: Case, known: NonNullable<Awaited<ReturnType<typeof cards.findSwipe>>>) {
  // The beginning of a charge is told until it is acknowledged, maybe days later.
  if (about.ask.begun !== undefined || about.atMs - known.atMs <= retryMs)
    return {
      account: accountStatus.nameOf(known.account),
      balanceFen: Number(known.balanceFen),
      orderNo: known.wireNo,
    }
  await tell(about, '重复的刷卡报文')
  return refused('alreadyCharging')
}

async function judge(about: Case, card: cards.Card): Promise<Verdict> {
  const { db, ask, swipe, reader } = about
  if (card.status === storedCardStatus.code.lost) return { account: 'frozen', misuse: '挂失卡刷卡' }
  if (!cards.isNormal(card)) return { account: 'notRegistered', misuse: '注销卡刷卡' }
  const payer = { kind: 'card' as const, id: card.id }
  const { paidFen, giftFen } = await fundsOf(db, reader.organiseId, payer)
  const balanceFen = paidFen + giftFen
  const running = await cards.chargeOf(db, card.id)
  if (ask.begun !== undefined) return { ...(await joinBegun(about, card, ask.begun)), balanceFen }
  // Of a charge point that asks whether a card is good, before it begins by itself.
  const onlyLooks = swipe.port === undefined && reader.adapter !== 'ocpp16'
  if (onlyLooks) return { account: 'good', balanceFen: balanceFen + BigInt(running?.heldFen ?? 0) }
  if (running !== undefined) return { ...whileCharging(about, running), balanceFen }
  if (BigInt(ask.id) <= BigInt(card.counter))
    return { account: 'alreadyCharging', balanceFen, misuse: '过期的刷卡报文' }
  if (!couldBeHere(about, card)) return { account: 'notHere', balanceFen, misuse: '短时间内异地刷卡' }
  if (swipe.port === undefined) return { account: balanceFen > 0n ? 'good' : 'tooLittleMoney', balanceFen }
  return begin(about, card, swipe.port, balanceFen)
}

/** The person tries again because the device has not begun yet; or the card is somewhere else already. */
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

/** By the same rules as for a member, with all the money that the card has and the charge can cost. */
async function begin({ db, reader }: Case, card: cards.Card, portNo: number, hasFen: bigint): Promise<Verdict> {
  const { deviceId, organiseId, adapter, siteId } = reader
  if ((await store.findStartable(db, deviceId, portNo)) === undefined) return { account: 'notHere', balanceFen: hasFen }
  if (await isTaken(db, deviceId, portNo)) return { account: 'alreadyCharging', balanceFen: hasFen }
  try {
    const { id, cardNo, memberId } = card
    const { orderId, wireNo, heldFen } = await startOrder(db, {
      deviceId,
      portNo,
      payer: { kind: 'card', id, organiseId, enabled: true, cardNo, memberId },
      startMode: startMode.code.card,
      limit: { by: 'full' },
      by: { userId: null, name: '刷卡' },
    })
    await cards.noteUse(db, id, siteId)
    // A pile counts what it was told down to nothing; the others show it to the person.
    return {
      account: 'good',
      balanceFen: adapter === 'ykc' ? heldFen : hasFen,
      order: { id: orderId, wireNo },
    }
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error
    return { account: error.account, balanceFen: hasFen }
  }
}

/** A charge point has begun by itself: good if the card pays for it. */
async function joinBegun({ db, swipe, reader, atMs }: Case, card: cards.Card, orderNo: string): Promise<Verdict> {
  const { deviceId, siteId } = reader
  const { port = 0, card: read } = swipe
  await beginUnasked(db, deviceId, { port, orderNo, card: read, startMode: startMode.code.card }, atMs)
  const running = await cards.chargeOf(db, card.id)
  if (running === undefined) return { account: 'tooLittleMoney' }
  if (running.deviceId !== deviceId || running.wireNo !== orderNo)
    return { account: 'alreadyCharging', misuse: '充电中的卡在另一设备刷卡' }
  await cards.noteUse(db, card.id, siteId)
  return { account: 'good', order: { id: running.orderId, wireNo: orderNo } }
}
