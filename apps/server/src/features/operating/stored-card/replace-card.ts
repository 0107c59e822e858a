import { cardStepKind, storedCardStatus } from '@wattdeck/contract/operating/stored-card-codes.ts'
import { chipNo } from '@wattdeck/domain/stored-card.ts'
import { post } from '../../../core/ledger/ledger.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { withWholeOrganiseScope } from '../../../kit/db/whole-organise.ts'
import { conflict, invalid } from '../../../kit/http/refusal.ts'
import * as replacements from './replacement.store.ts'
import * as store from './stored-card.store.ts'

type Some = { db: Db; scope: Scope }
type Numbers = { cardNo: string; chipNo: string }

export const numberTaken = () => conflict('卡号或物理卡号已被使用，请核对')

/** Why no other card can take the place of this one now. The card is locked, so no charge begins meanwhile. */
export async function assertReplaceable({ db, scope }: Some, card: store.CardRow): Promise<store.CardMoney> {
  if (card.replacedById !== null) throw conflict('该卡已补卡，请使用新卡')
  if (card.status === storedCardStatus.code.cancelled) throw conflict('该卡已注销，不能补卡')
  if (card.inStock) throw conflict('库存卡没有发出，不能补卡')
  const { isBarred, ...money } = await withWholeOrganiseScope(db, scope, card.organiseId, async () => ({
    ...(await store.usageOf(db, card)),
    isBarred: await replacements.isBarred(db, card),
  }))
  if (money.heldFen > 0n || money.isCharging) throw conflict('该卡正在充电，充电结束后再补卡')
  if (isBarred) throw conflict('该卡已被列入黑名单，解除后再补卡')
  return money
}

/** The numbers of the new card: typed in, or those of a card in stock. */
export async function newNumbers(
  { db, scope }: Some,
  organiseId: string,
  asked: { cardNo: string; chipNo?: string | undefined },
): Promise<Numbers> {
  const stock = await store.lockByNumber(db, organiseId, asked.cardNo)
  const typed = asked.chipNo === undefined ? undefined : chipNo(asked.chipNo)
  if (stock?.inStock === true && stock.status === storedCardStatus.code.normal) {
    if (typed !== undefined && typed !== stock.chipNo) throw invalid('物理卡号与入库时登记的不一致', 'chipNo')
    return { cardNo: stock.cardNo, chipNo: stock.chipNo }
  }
  if (typed === undefined) throw invalid('该卡号不在库存中，请填写物理卡号', 'chipNo')
  const taken = await withWholeOrganiseScope(db, scope, organiseId, () =>
    replacements.isNumberTaken(db, organiseId, asked.cardNo, typed),
  )
  if (taken) throw numberTaken()
  return { cardNo: asked.cardNo, chipNo: typed }
}

type Issue = {
  place: { organise_id: string; agent_id: string | null; site_id: string | null }
  memberId: string | null
}

/** Issues the card of these numbers, from the stock or new. It has no money. */
export async function issueCard(db: Db, numbers: Numbers, { place, memberId }: Issue, by: store.By): Promise<string> {
  const stock = await store.lockByNumber(db, place.organise_id, numbers.cardNo)
  if (stock === undefined) {
    const card = { card_no: numbers.cardNo, chip_no: numbers.chipNo, member_id: memberId, in_stock: false, by: by.name }
    const id = await store.addCard(db, place, card)
    if (id === undefined) throw numberTaken()
    return id
  }
  const isSame = stock.inStock && stock.chipNo === numbers.chipNo
  if (!isSame || !(await store.issueStock(db, stock.id, place, { memberId, by: by.name }))) throw numberTaken()
  return stock.id
}

type How = {
  numbers: Numbers
  reason: string
  by: store.By
  /** The request of a card with money: its id and creation time identify the posting. */
  request?: { id: string; createdAt: string }
}

/**
 * Puts a new card in the place of a locked one: holder, prices and all money go over, and the old card ends. Nobody can put
 * money onto the old card meanwhile, because every such way locks it.
 */
export async function replaceCard({ db, scope }: Some, card: store.CardRow, how: How): Promise<string> {
  const { organiseId, agentId, siteId, memberId } = card
  const { paidFen, giftFen } = await assertReplaceable({ db, scope }, card)
  const place = { organise_id: organiseId, agent_id: agentId, site_id: siteId }
  const newId = await issueCard(db, how.numbers, { place, memberId }, how.by)
  if (!(await store.move(db, card.id, 'cancel', newId))) throw conflict('该卡状态已变化，请刷新后重试')
  const movedFen = paidFen + giftFen
  if (movedFen > 0n) {
    if (how.request === undefined) throw new Error('money of a card moves by an approved request only')
    await post(db, [
      {
        key: `cardReplacement/${how.request.id}`,
        keyAt: how.request.createdAt,
        place: card,
        kind: 'cardReplacement',
        ref: how.numbers.cardNo,
        memo: `补卡，原卡${card.cardNo}`,
        by: how.by.name,
        lines: [
          { account: 'cardPaid', owner: card.id, fen: -paidFen },
          { account: 'cardPaid', owner: newId, fen: paidFen },
          { account: 'cardGift', owner: card.id, fen: -giftFen },
          { account: 'cardGift', owner: newId, fen: giftFen },
        ],
      },
    ])
  }
  await withWholeOrganiseScope(db, scope, organiseId, () => replacements.moveWhitelist(db, card, newId))
  const step = { organiseId, by: how.by }
  const { issued, replaced } = cardStepKind.code
  await store.addStep(db, { ...step, cardId: card.id, kind: replaced, reason: how.reason, movedFen })
  await store.addStep(db, { ...step, cardId: newId, kind: issued, reason: `补卡，原卡${card.cardNo}` })
  return newId
}
