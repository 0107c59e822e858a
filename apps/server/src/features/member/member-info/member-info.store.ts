import type { MemberDetail, memberInfo, MemberOrder } from '@wattdeck/contract/member/member-info.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ownerNames } from '../../../kit/db/ownership.ts'
import { byId, pageOf } from '../../../kit/db/paging.ts'

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

export async function listOrders(db: Db, memberId: string, filter: QueryOf<typeof memberInfo.orders>) {
  const matching = db.selectFrom('charging_order').where('charging_order.member_id', '=', memberId)
  const found = await pageOf(db, matching, filter, {
    key: byId('charging_order.id'),
    columns: (query) =>
      query
        .select([
          'charging_order.id',
          'device_id as deviceId',
          'site_id as siteId',
          'device_no as deviceNo',
          'port_no as portNo',
          'started_at as startedAt',
        ])
        .select(['ended_at as endedAt', 'duration_s as durationS', 'total_fen', 'paid_fen', 'gift_fen'])
        .select([
          sql<MemberOrder['status']>`charging_order.status`.as('status'),
          sql<string | null>`(select name from site where site.id = charging_order.site_id)`.as('siteName'),
          sql<string | null>`(energy_dwh / 10000.0)::numeric(12, 4)::text`.as('energyKwh'),
        ]),
  })
  const rows = found.rows.map(({ total_fen, paid_fen, gift_fen, ...row }) => ({
    ...row,
    total: yuanText(BigInt(total_fen)),
    paid: yuanText(BigInt(paid_fen)),
    gift: yuanText(BigInt(gift_fen)),
  }))
  return { ...found, rows }
}
