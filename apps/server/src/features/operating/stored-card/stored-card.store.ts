import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import {
  cardHolding,
  cardReplacementStatus,
  storedCardFlow,
  storedCardState,
  storedCardStatus,
} from '@wattdeck/contract/operating/stored-card-codes.ts'
import type { CardDetail, Holder, storedCard } from '@wattdeck/contract/operating/stored-card.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import { balancesOf } from '../../../core/ledger/ledger.ts'
import type { Db } from '../../../kit/db/db.ts'
import { type Condition, ifGiven, type Source } from '../../../kit/db/list-query.ts'
import { withinOrganise } from '../../../kit/db/ownership.ts'
import { planByValues } from '../../../kit/db/paging.ts'
import type { Place } from '../../_shared/place.store.ts'

const { normal, lost, cancelled, stock, replaced } = storedCardState.code
const { named, anonymous } = cardHolding.code
const waiting = sql.lit(cardReplacementStatus.code.waiting)

/** A replaced card is cancelled too, so the narrower state comes first. */
export const stateSql = sql<number>`(case
  when stored_card.replaced_by_id is not null then ${sql.lit(replaced)}
  when stored_card.status = ${sql.lit(storedCardStatus.code.cancelled)} then ${sql.lit(cancelled)}
  when stored_card.in_stock then ${sql.lit(stock)}
  when stored_card.status = ${sql.lit(storedCardStatus.code.lost)} then ${sql.lit(lost)}
  else ${sql.lit(normal)}
end)`

/** The sum of some accounts of the card. Accounts of cards hold their balance, so it is exact. */
const money = (...kinds: number[]) => sql`coalesce((
  select sum(account.balance_fen)
  from account
  where account.organise_id = stored_card.organise_id
    and account.owner_id = stored_card.id
    and account.kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))})
), 0)::text`

const holder = (column: 'nickname' | 'phone') =>
  sql`(select ${sql.ref(`member.${column}`)} from member where member.id = stored_card.member_id)`

/** A complete card number or the complete phone of the holder; anything else matches nothing. */
function matching(keyword: string): Condition {
  if (!/^\d{4,20}$/.test(keyword)) return sql<boolean>`false`
  return sql<boolean>`(
    stored_card.card_no = ${keyword}
    or stored_card.member_id = any(array(select member.id from member where member.phone = ${keyword}))
  )`
}

const waits = sql<boolean>`exists (
  select from card_replacement request where request.card_id = stored_card.id and request.status = ${waiting}
)`

/** `readerId` is the reader, who must not decide on their own requests. Exports do not need it. */
export const cardSource = (readerId = '0'): Source => ({
  table: 'stored_card',
  computed: {
    state: stateSql,
    holding: sql`case when stored_card.member_id is null then ${sql.lit(anonymous)} else ${sql.lit(named)} end`,
    holderName: holder('nickname'),
    holderPhone: holder('phone'),
    balance: money(11),
    gift: money(12),
    frozen: money(13, 14),
    issuedAt: sql`case when stored_card.in_stock then null else stored_card.issued_at end`,
    charging: sql`exists (select from open_charge where open_charge.card_id = stored_card.id)`,
    waiting: sql`(
      select jsonb_build_object(
        'id', request.id::text, 'newCardNo', request.new_card_no, 'reason', request.reason, 'createdBy', request.created_by,
        'createdAt', to_char(request.created_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS'),
        'own', request.created_by_id = ${readerId}
      )
      from card_replacement request
      where request.card_id = stored_card.id and request.status = ${waiting}
    )`,
  },
  own: async ({ keyword, waits: asked }: QueryOf<typeof storedCard.list>, { db, scope }) => {
    await planByValues(db)
    return [
      ...withinOrganise('stored_card', scope),
      ...ifGiven(keyword, matching),
      ...ifGiven(asked, (value) => (value ? waits : sql<boolean>`not ${waits}`)),
    ]
  },
})

export type CardRow = {
  id: string
  organiseId: string
  agentId: string | null
  siteId: string | null
  cardNo: string
  chipNo: string
  memberId: string | null
  status: number
  inStock: boolean
  replacedById: string | null
}
const cardColumns = sql`
  card.id, card.organise_id as "organiseId", card.agent_id as "agentId", card.site_id as "siteId", card.card_no as "cardNo",
  card.chip_no as "chipNo", card.member_id as "memberId", card.status, card.in_stock as "inStock", card.replaced_by_id as "replacedById"`

const cardWhere = async (db: Db, condition: RawBuilder<boolean>): Promise<CardRow | undefined> => {
  const { rows } = await sql<CardRow>`
    select ${cardColumns} from stored_card card where ${condition} for update of card`.execute(db)
  return rows[0]
}
/** A card in scope, locked against swipes, recharges, refunds and other changes of it. */
export const lockCard = (db: Db, id: string) => cardWhere(db, sql<boolean>`card.id = ${id}`)
export const lockByNumber = (db: Db, organiseId: string, cardNo: string) =>
  cardWhere(db, sql<boolean>`card.organise_id = ${organiseId} and card.card_no = ${cardNo}`)

const parts = ['cardPaid', 'cardGift', 'cardPaidHeld', 'cardGiftHeld'] as const
export type CardMoney = Record<'paidFen' | 'giftFen' | 'heldFen', bigint> & { isCharging: boolean }

/** Money and open charge of a card. A charge may run at another agent, so the scope must be that of the whole organisation. */
export async function usageOf(db: Db, { id, organiseId }: Pick<CardRow, 'id' | 'organiseId'>): Promise<CardMoney> {
  const [paidFen = 0n, giftFen = 0n, ...held] = await balancesOf(
    db,
    organiseId,
    parts.map((account) => ({ account, owner: id })),
  )
  const { rows } = await sql`select from open_charge where card_id = ${id} limit 1`.execute(db)
  return { paidFen, giftFen, heldFen: held.reduce((sum, fen) => sum + fen, 0n), isCharging: rows.length > 0 }
}

type NewCard = { card_no: string; chip_no: string; member_id: string | null; in_stock: boolean; by: string }

/** Undefined when one of the two numbers is in use in the organisation. */
export async function addCard(db: Db, place: Place, { by, ...card }: NewCard): Promise<string | undefined> {
  const row = await db
    .insertInto('stored_card')
    .values({ ...place, ...card, created_by: by })
    .onConflict((clash) => clash.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Takes a card out of the stock. False when another person has just issued it. */
export async function issueStock(
  db: Db,
  id: string,
  { agent_id, site_id }: Place,
  card: { memberId: string | null; by: string },
): Promise<boolean> {
  const changed = await db
    .updateTable('stored_card')
    .set({
      agent_id,
      site_id,
      in_stock: false,
      member_id: card.memberId,
      created_by: card.by,
      issued_at: sql<string>`now()`,
    })
    .where('id', '=', id)
    .where('in_stock', '=', true)
    .where('status', '=', storedCardStatus.code.normal)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export async function move(
  db: Db,
  id: string,
  as: 'reportLoss' | 'cancelReportLoss' | 'cancel',
  replacedById: string | null = null,
): Promise<boolean> {
  const changed = await db
    .updateTable('stored_card')
    .set({ status: storedCardFlow.to(as), ...(replacedById === null ? {} : { replaced_by_id: replacedById }) })
    .where('id', '=', id)
    .where('status', '=', sql<number>`any(${storedCardFlow.from(as)})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export type By = { id: string; name: string }
type Step = { organiseId: string; cardId: string; kind: number; reason?: string | undefined; movedFen?: bigint; by: By }
export async function addStep(db: Db, { organiseId, cardId, kind, reason, movedFen, by }: Step): Promise<void> {
  await db
    .insertInto('card_step')
    .values({
      organise_id: organiseId,
      card_id: cardId,
      kind,
      reason: reason ?? null,
      moved_fen: movedFen === undefined ? null : movedFen.toString(),
      by_id: by.id,
      by_name: by.name,
    })
    .execute()
}

/** The latest steps of a card in scope. */
export async function readSteps(db: Db, cardId: string): Promise<CardDetail['steps']> {
  const rows = await db
    .selectFrom('card_step')
    .select(['id', 'kind', 'created_at as at', 'by_name as by', 'by_id as byId', 'reason', 'moved_fen'])
    .where('card_id', '=', cardId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  return rows.map(({ moved_fen, kind, ...step }) => ({
    ...step,
    kind: kind as CardDetail['steps'][number]['kind'],
    moved: moved_fen === null ? null : yuanText(BigInt(moved_fen)),
  }))
}

/** The cards that the card replaces and is replaced by, if the caller sees them. */
export async function readLinks(db: Db, cardId: string): Promise<Pick<CardDetail, 'replacedBy' | 'replaces'>> {
  const { rows } = await sql<{ id: string; cardNo: string; isNew: boolean }>`
    select other.id, other.card_no as "cardNo", own.replaced_by_id is not distinct from other.id as "isNew"
    from stored_card own
    join stored_card other on other.id = own.replaced_by_id or other.replaced_by_id = own.id
    where own.id = ${cardId}`.execute(db)
  const link = (isNew: boolean) => {
    const found = rows.find((row) => row.isNew === isNew)
    return found === undefined ? null : { id: found.id, cardNo: found.cardNo }
  }
  return { replacedBy: link(true), replaces: link(false) }
}

export const findAccount = (db: Db, organiseId: string, kind: number, cardId: string) =>
  db
    .selectFrom('account')
    .select(['id', 'kind', 'summed'])
    .where('organise_id', '=', organiseId)
    .where('kind', '=', kind)
    .where('owner_id', '=', cardId)
    .executeTakeFirst()

/** Members in the caller's scope by a complete number, so that the search reveals nothing that the caller does not know. */
export async function findHolders(db: Db, keyword: string): Promise<Holder[]> {
  const condition = /^1\d{10}$/.test(keyword)
    ? sql`member.phone = ${keyword}`
    : /^[1-9]\d{0,17}$/.test(keyword)
      ? sql`member.id = ${keyword}`
      : sql`false`
  const { rows } = await sql<Holder>`
    select member.id, member.nickname as name, member.phone, site.name as "siteName"
    from member left join site on site.id = member.site_id where ${condition} order by member.id limit 20`.execute(db)
  return rows
}

/** An enabled member of the organisation, in the caller's scope. */
export const findMember = (db: Db, organiseId: string, id: string) =>
  db
    .selectFrom('member')
    .select(['id', 'status', 'phone'])
    .where('id', '=', id)
    .where('organise_id', '=', organiseId)
    .executeTakeFirst()

/** Recharges at the desk that wait for a decision would find a cancelled card. */
export async function hasWaitingRecharge(db: Db, cardId: string): Promise<boolean> {
  const { rows } = await sql`select from offline_recharge where card_id = ${cardId} and status = 1 limit 1`.execute(db)
  return rows.length > 0
}
