import type { MemberDetail } from '@wattdeck/contract/member/member-info.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ownerNames } from '../../../kit/db/ownership.ts'

const { starting, charging } = orderStatus.code

export const readMember = (db: Db, id: string) =>
  db
    .selectFrom('member')
    .select(['id', 'organise_id', 'site_id', 'nickname', 'phone', 'status', 'recharged_fen', 'consumed_fen'])
    .select(['registered_at', 'last_consumed_at', ...ownerNames('member')])
    .where('id', '=', id)
    .executeTakeFirst()

export const readApps = (db: Db, memberId: string): Promise<MemberDetail['apps']> =>
  db
    .selectFrom('member_identity')
    .innerJoin('member_app', 'member_app.id', 'member_identity.app_id')
    .select([sql<1 | 2>`member_identity.channel`.as('channel'), 'member_app.name'])
    .select('member_identity.linked_at as linkedAt')
    .where('member_identity.member_id', '=', memberId)
    .orderBy('member_identity.linked_at')
    .limit(100)
    .execute()

export const findAccount = (db: Db, organiseId: string, kind: number, memberId: string) =>
  db
    .selectFrom('account')
    .select(['id', 'kind', 'summed'])
    .where('organise_id', '=', organiseId)
    .where('kind', '=', kind)
    .where('owner_id', '=', memberId)
    .executeTakeFirst()

/** Charges under way. The statuses are literals, so that the plan can use the partial index of open orders. */
export async function countCharging(db: Db, member: { id: string; organise_id: string }): Promise<number> {
  const { open } = await db
    .selectFrom('charging_order')
    .select(sql<number>`count(*)::int`.as('open'))
    .where('organise_id', '=', member.organise_id)
    .where(sql<boolean>`status = any(array[${sql.lit(starting)}, ${sql.lit(charging)}])`)
    .where('member_id', '=', member.id)
    .executeTakeFirstOrThrow()
  return open
}
