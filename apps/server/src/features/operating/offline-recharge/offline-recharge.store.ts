import { rechargeTarget } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import {
  offlineFlow,
  type offlineRecharge,
  offlineStatus,
  type Payee as FoundPayee,
} from '@wattdeck/contract/operating/offline-recharge.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Payee } from '../../../core/payments/offline-recharge.ts'
import type { Db } from '../../../kit/db/db.ts'
import { readOffer } from '../../../core/payments/recharge-plan.store.ts'
import { type Condition, ifGiven, type Source } from '../../../kit/db/list-query.ts'
import { planByValues } from '../../../kit/db/paging.ts'

/** The number that users see: 'XC00100001'. */
export const serialNo = (id: string) => `XC${id.padStart(8, '0')}`

const memberOf = (column: 'nickname' | 'phone') =>
  sql`(select ${sql.ref(`member.${column}`)} from member where member.id = offline_recharge.member_id)`

/** A request number, a complete phone, or a complete card number. Any other keyword matches nothing. */
function matching(keyword: string): Condition {
  const no = /^xc0*([1-9]\d{0,17})$/i.exec(keyword)?.[1]
  if (no !== undefined) return sql<boolean>`offline_recharge.id = ${no}`
  if (!/^\d{4,20}$/.test(keyword)) return sql<boolean>`false`
  return sql<boolean>`(offline_recharge.member_id in (select member.id from member where member.phone = ${keyword})
    or offline_recharge.card_id in (select stored_card.id from stored_card where stored_card.card_no = ${keyword}))`
}

/** `readerId` is the reader, who must not decide on their own requests. Exports do not need it. */
export const offlineSource = (readerId = '0'): Source => ({
  table: 'offline_recharge',
  computed: {
    serialNo: sql`'XC' || lpad(offline_recharge.id::text, greatest(8, length(offline_recharge.id::text)), '0')`,
    memberName: memberOf('nickname'),
    memberPhone: memberOf('phone'),
    cardNo: sql`(select card_no from stored_card where stored_card.id = offline_recharge.card_id)`,
    shiftNo: sql`'JB' || lpad(offline_recharge.shift_id::text, greatest(8, length(offline_recharge.shift_id::text)), '0')`,
    own: sql`offline_recharge.created_by_id = ${readerId}`,
  },
  own: async ({ keyword, shiftId }: QueryOf<typeof offlineRecharge.list>, { db, scope }) => {
    await planByValues(db)
    return [
      ...(scope.level > 0 ? [sql<boolean>`offline_recharge.organise_id = ${scope.organiseId}`] : []),
      ...(keyword === undefined ? [] : [matching(keyword)]),
      ...ifGiven(shiftId, (value) => sql<boolean>`offline_recharge.shift_id = ${value}`),
    ]
  },
})

/** Payees in the caller's scope by a complete number, so that the search reveals nothing that the caller does not know. */
export async function findPayees(db: Db, target: number, keyword: string): Promise<FoundPayee[]> {
  const found =
    target === rechargeTarget.code.card
      ? sql<FoundPayee>`select card.id, member.nickname as name, member.phone, card.card_no as "cardNo", site.name as "siteName"
          from stored_card card left join member on member.id = card.member_id left join site on site.id = card.site_id
          where card.card_no = ${keyword} order by card.id limit 20`
      : sql<FoundPayee>`select member.id, member.nickname as name, member.phone, null as "cardNo", site.name as "siteName"
          from member left join site on site.id = member.site_id where ${ofMember(keyword)} order by member.id limit 20`
  return (await found.execute(db)).rows
}

function ofMember(keyword: string): RawBuilder<unknown> {
  if (/^1\d{10}$/.test(keyword)) return sql`member.phone = ${keyword}`
  return /^[1-9]\d{0,17}$/.test(keyword) ? sql`member.id = ${keyword}` : sql`false`
}

type Place = { organiseId: string; agentId: string | null; siteId: string | null }
/** Status of a member: 1 is enabled. Status of a card: 0 is normal. A card in stock is not issued yet. */
export type PayeeRow = Payee & Place & { status: number; cardNo: string | null; inStock: boolean }
type PayeeParams = { memberId?: string | undefined; cardId?: string | undefined }

/** A payee in the caller's scope. A card that is credited is locked, so that it is not cancelled or replaced meanwhile. */
export async function findPayee(
  db: Db,
  { memberId, cardId }: PayeeParams,
  how: 'lock' | 'look' = 'look',
): Promise<PayeeRow | undefined> {
  const place = (table: 'member' | 'card') =>
    sql.raw(`${table}.organise_id as "organiseId", ${table}.agent_id as "agentId", ${table}.site_id as "siteId"`)
  const found =
    cardId === undefined
      ? sql<PayeeRow>`select ${place('member')}, 1 as target, member.id as "memberId", null as "cardId", null as "cardNo", member.status, false as "inStock"
          from member where member.id = ${memberId}`
      : sql<PayeeRow>`select ${place('card')}, 2 as target, card.member_id as "memberId", card.id as "cardId", card.card_no as "cardNo", card.status, card.in_stock as "inStock"
          from stored_card card where card.id = ${cardId} ${how === 'lock' ? sql`for update of card` : sql``}`
  return (await found.execute(db)).rows[0]
}

type Gift = { fen: bigint; validDays: number | null }
/** The gift of the tier of exactly this amount in the plan of the payee's place; otherwise none. */
export async function giftOf(db: Db, place: PayeeRow, fen: bigint): Promise<Gift> {
  const offer = await readOffer(db, place)
  const giftFen = offer?.tiers.find(({ payFen }) => payFen === fen)?.giftFen ?? 0n
  return { fen: giftFen, validDays: giftFen === 0n ? null : (offer?.giftValidDays ?? null) }
}

const counting = sql`status in (${sql.lit(offlineStatus.code.waiting)}, ${sql.lit(offlineStatus.code.approved)})`

/** Serialises the requests of an organisation until the transaction ends: sums and vouchers are checked under this lock. */
export const lockRequests = (db: Db, organiseId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('offline recharge', ${organiseId}::bigint))`.execute(db)

/** Sums of today's requests with their gifts, except rejected and withdrawn ones. */
export async function creditedToday(db: Db, organiseId: string, userId: string) {
  const { rows } = await sql<{ person: string; organise: string }>`
    select coalesce(sum(amount_fen + gift_fen) filter (where created_by_id = ${userId}), 0)::text as person,
      coalesce(sum(amount_fen + gift_fen), 0)::text as organise
    from offline_recharge
    where organise_id = ${organiseId} and ${counting} and created_at >= date_trunc('day', now(), 'Asia/Shanghai')`.execute(
    db,
  )
  return { byPersonFen: BigInt(rows[0]?.person ?? '0'), inOrganiseFen: BigInt(rows[0]?.organise ?? '0') }
}

/** Waiting credits of a card, which count towards its ceiling. */
export async function waitingOfCard(db: Db, cardId: string): Promise<bigint> {
  const { rows } = await sql<{ fen: string }>`select coalesce(sum(amount_fen + gift_fen), 0)::text as fen
    from offline_recharge where card_id = ${cardId} and status = ${offlineStatus.code.waiting}`.execute(db)
  return BigInt(rows[0]?.fen ?? '0')
}

type Evidence = { bankRef: string | undefined; pictureSha: string | null }
/** A request of the organisation, waiting or approved, with the same bank reference or the same voucher picture. */
export async function sameEvidence(db: Db, organiseId: string, { bankRef, pictureSha }: Evidence) {
  const { rows } = await sql<{ id: string; sameRef: boolean }>`
    select id, coalesce(bank_ref = ${bankRef ?? null}, false) as "sameRef" from offline_recharge
    where organise_id = ${organiseId} and ${counting}
      and (bank_ref = ${bankRef ?? null} or picture_sha256 = ${pictureSha}) order by id limit 1`.execute(db)
  return rows[0]
}

export async function readPictureSha(db: Db, pictureId: string): Promise<string | null> {
  const row = await db.selectFrom('stored_file').select('sha256').where('id', '=', pictureId).executeTakeFirst()
  return row?.sha256 ?? null
}

type Params = {
  payee: PayeeRow
  amountFen: bigint
  gift: Gift
  way: number
  bankRef: string | undefined
  pictureId: string | undefined
  pictureSha: string | null
  remark: string | undefined
  /** Of cash: the open shift of its clerk. */
  shiftId: string | null
  by: { id: string; name: string }
}
export async function addRequest(db: Db, { payee, by, amountFen, gift, ...wish }: Params): Promise<string> {
  const row = await db
    .insertInto('offline_recharge')
    .values({
      organise_id: payee.organiseId,
      agent_id: payee.agentId,
      site_id: payee.siteId,
      target: payee.target,
      member_id: payee.memberId,
      card_id: payee.cardId,
      amount_fen: amountFen.toString(),
      gift_fen: gift.fen.toString(),
      gift_valid_days: gift.validDays,
      way: wish.way,
      bank_ref: wish.bankRef ?? null,
      picture_id: wish.pictureId ?? null,
      picture_sha256: wish.pictureSha,
      remark: wish.remark ?? null,
      shift_id: wish.shiftId,
      created_by_id: by.id,
      created_by: by.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** A request in scope, locked until the transaction ends. */
export const findRequest = (db: Db, id: string) =>
  db
    .selectFrom('offline_recharge')
    .select(['id', 'organise_id as organiseId', 'agent_id as agentId', 'site_id as siteId', 'status'])
    .select([
      'member_id as memberId',
      'card_id as cardId',
      'target',
      'amount_fen',
      'gift_fen',
      'gift_valid_days as giftValidDays',
    ])
    .select([
      'created_by_id as createdById',
      'shift_id as shiftId',
      sql<string>`to_json(created_at) #>> '{}'`.as('createdAt'),
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

type Decision = {
  as: 'approve' | 'turnDown'
  by: { id: string; name: string }
  reason: string | null
  rechargeId: string | null
}
export async function decide(db: Db, id: string, { as, by, reason, rechargeId }: Decision): Promise<boolean> {
  const changed = await db
    .updateTable('offline_recharge')
    .set({
      status: offlineFlow.to(as),
      decided_by_id: by.id,
      decided_by: by.name,
      decided_at: sql<string>`now()`,
      decision: reason,
      recharge_id: rechargeId,
    })
    .where('id', '=', id)
    .where('created_by_id', '<>', by.id)
    .where('status', '=', sql<number>`any(${offlineFlow.from(as)})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export async function withdraw(db: Db, id: string): Promise<boolean> {
  const changed = await db
    .updateTable('offline_recharge')
    .set({ status: offlineFlow.to('withdraw') })
    .where('id', '=', id)
    .where('status', '=', sql<number>`any(${offlineFlow.from('withdraw')})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}
