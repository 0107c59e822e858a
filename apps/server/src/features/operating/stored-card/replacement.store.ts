import { cardReplacementFlow, cardReplacementStatus } from '@wattdeck/contract/operating/stored-card-codes.ts'
import { whitelistFlow } from '@wattdeck/contract/member/whitelist-codes.ts'
import { sql } from 'kysely'
import { isInEffect } from '../../../core/charging/member-block.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { By, CardRow } from './stored-card.store.ts'

export type Replacement = {
  id: string
  organiseId: string
  agentId: string | null
  siteId: string | null
  cardId: string
  cardNo: string
  holderPhone: string | null
  newCardNo: string
  newChipNo: string
  reason: string
  status: number
  createdById: string
  /** ISO 8601: part of the idempotency key of the posting. */
  createdAt: string
}

/** A request whose card is in scope; both are locked until the transaction ends. */
export async function findReplacement(db: Db, id: string): Promise<Replacement | undefined> {
  const { rows } = await sql<Replacement>`
    select request.id, request.organise_id as "organiseId", card.agent_id as "agentId", card.site_id as "siteId",
      card.id as "cardId", card.card_no as "cardNo", request.new_card_no as "newCardNo", request.new_chip_no as "newChipNo",
      (select member.phone from member where member.id = card.member_id) as "holderPhone",
      request.reason, request.status, request.created_by_id as "createdById", to_json(request.created_at) #>> '{}' as "createdAt"
    from card_replacement request
    join stored_card card on card.id = request.card_id
    where request.id = ${id}
    for update of card, request`.execute(db)
  return rows[0]
}

type Request = { newCardNo: string; newChipNo: string; reason: string; by: By }
/** Undefined when the card or one of the new numbers already waits in another request. */
export async function addReplacement(db: Db, card: CardRow, request: Request): Promise<string | undefined> {
  const row = await db
    .insertInto('card_replacement')
    .values({
      organise_id: card.organiseId,
      card_id: card.id,
      new_card_no: request.newCardNo,
      new_chip_no: request.newChipNo,
      reason: request.reason,
      created_by_id: request.by.id,
      created_by: request.by.name,
    })
    .onConflict((clash) => clash.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

type Decision = { as: 'approve' | 'turnDown'; by: By; reason: string | null }
export async function decide(db: Db, id: string, { as, by, reason }: Decision): Promise<boolean> {
  const changed = await db
    .updateTable('card_replacement')
    .set({
      status: cardReplacementFlow.to(as),
      decided_by_id: by.id,
      decided_by: by.name,
      decided_at: sql<string>`now()`,
      decision: reason,
    })
    .where('id', '=', id)
    .where('created_by_id', '<>', by.id)
    .where('status', '=', sql<number>`any(${cardReplacementFlow.from(as)})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export async function withdraw(db: Db, id: string): Promise<boolean> {
  const changed = await db
    .updateTable('card_replacement')
    .set({ status: cardReplacementFlow.to('withdraw') })
    .where('id', '=', id)
    .where('status', '=', sql<number>`any(${cardReplacementFlow.from('withdraw')})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export async function hasWaiting(db: Db, cardId: string): Promise<boolean> {
  const { rows } = await sql`
    select from card_replacement where card_id = ${cardId} and status = ${cardReplacementStatus.code.waiting} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Whether a card or chip number is in use or requested in the organisation. The scope must be that of the organisation. */
export async function isNumberTaken(db: Db, organiseId: string, cardNo: string, chipNo: string): Promise<boolean> {
  const { rows } = await sql`
    select from stored_card where organise_id = ${organiseId} and (card_no = ${cardNo} or chip_no = ${chipNo}) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Whether the blacklist names the card itself. The scope must be that of the whole organisation. */
export async function isBarred(db: Db, { id, organiseId }: CardRow): Promise<boolean> {
  const { rows } = await sql`
    select from member_block where organise_id = ${organiseId} and card_id = ${id} and ${isInEffect} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** The holder keeps the prices that were granted to the card. The scope must be that of the whole organisation. */
export async function moveWhitelist(db: Db, { id, organiseId }: CardRow, newId: string): Promise<void> {
  await sql`
    update whitelist_entry set card_id = ${newId}
    where organise_id = ${organiseId} and card_id = ${id} and status = any(${whitelistFlow.from('stop')}::smallint[])`.execute(
    db,
  )
}
