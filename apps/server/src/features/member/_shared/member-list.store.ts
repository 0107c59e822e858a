import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { miniUser } from '@wattdeck/contract/member/mini-user.ts'
import type { MemberRow, wechatUser } from '@wattdeck/contract/member/wechat-user.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { beginsWith, knownTotal, type Search, searchKeyword } from '../../../kit/db/keyword.ts'
import { ownedBy, ownerNames } from '../../../kit/db/ownership.ts'
import {
  type KeyColumn,
  type ListKey,
  pageOf,
  type Paging,
  planByValues,
  sortKey,
  type Sorts,
} from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { blockedScopes } from '../../../core/charging/member-block.store.ts'
import { walletsOf } from '../../../core/ledger/wallets.ts'

type Filter = Omit<Partial<QueryOf<typeof wechatUser.list> & QueryOf<typeof miniUser.list>>, keyof Paging>

/** The meanings of a keyword: a whole phone, a member id, or the prefix of a nickname. */
function keywordConditions(keyword: string): RawBuilder<boolean>[] {
  return [
    beginsWith('member.nickname', keyword),
    ...(/^1\d{10}$/.test(keyword) ? [sql<boolean>`member.phone = ${keyword}`] : []),
    ...(/^[1-9]\d{0,17}$/.test(keyword) ? [sql<boolean>`member.id = ${keyword}`] : []),
  ]
}

/** A separate lookup for each meaning, so that each uses its own index. */
function named(scope: Scope, channel: number, { keyword = '', organiseId }: Filter) {
  const within = scope.level > 0 ? scope.organiseId : organiseId
  const hits = keywordConditions(keyword).map(
    (condition) => sql`select member_identity.id from member
      join member_identity on member_identity.member_id = member.id and member_identity.channel = ${channel}
      where ${condition} ${within === undefined ? sql`` : sql`and member.organise_id = ${within}`}`,
  )
  return sql<{ id: string }>`${sql.join(hits, sql` union all `)}`
}

const ofMember = (conditions: RawBuilder<boolean>) =>
  sql<boolean>`exists (select from member where member.id = member_identity.member_id and ${conditions})`

function conditionsOf(scope: Scope, filter: Filter, search: Search | undefined): RawBuilder<boolean>[] {
  const { keyword, appId, from, to, following, status } = filter
  return [
    // Repeats the conditions of row-level security so that the planner can use an index.
    ...(scope.level > 0 ? [sql<boolean>`member_identity.organise_id = ${scope.organiseId}`] : []),
    ...(scope.level === 2 ? [sql<boolean>`member_identity.agent_id = any(${scope.agentIds}::bigint[])`] : []),
    ...(scope.level === 3 ? [sql<boolean>`member_identity.site_id = any(${scope.siteIds}::bigint[])`] : []),
    ...(appId === undefined ? [] : [sql<boolean>`member_identity.app_id = ${appId}`]),
    ...(following === undefined ? [] : [sql<boolean>`member_identity.following = ${following === 1}`]),
    ...(status === undefined ? [] : [ofMember(sql<boolean>`member.status = ${status}`)]),
    ...(from === undefined ? [] : [sql<boolean>`member_identity.linked_at >= ${from}::date::timestamptz`]),
    ...(to === undefined ? [] : [sql<boolean>`member_identity.linked_at < (${to}::date + 1)::timestamptz`]),
    ...(keyword === undefined
      ? []
      : [
          search === undefined || search.ids === null
            ? ofMember(sql<boolean>`(${sql.join(keywordConditions(keyword), sql` or `)})`)
            : sql<boolean>`member_identity.id = any(${search.ids}::bigint[])`,
        ]),
  ]
}

const identityId = 'member_identity.id'
const linkedAt: KeyColumn = ['member_identity.linked_at', 'moment']
const sorts: Sorts = { registeredAt: [linkedAt] }
const newestFirst: ListKey = { columns: [linkedAt, [identityId, 'number']] }

/** Members by their app accounts of one channel. Personal data and wallets are read for the rows of the page only. */
export async function listMembers(db: Db, scope: Scope, channel: 1 | 2, filter: Filter & Paging) {
  const search = filter.keyword === undefined ? undefined : await searchKeyword(db, named(scope, channel, filter))
  const conditions = [
    sql<boolean>`member_identity.channel = ${sql.lit(channel)}`,
    ...conditionsOf(scope, filter, search),
  ]
  const matching = db
    .selectFrom('member_identity')
    .where(ownedBy('member_identity', filter))
    .where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
  const [, found] = await Promise.all([
    planByValues(db),
    pageOf(db, matching, filter, {
      found: knownTotal(search, filter, 'keyword'),
      columns: (query) =>
        query.select([
          'member_identity.id',
          'member_identity.member_id as memberId',
          'member_identity.open_id as openId',
          'member_identity.union_id as unionId',
          sql<string>`(select name from member_app where member_app.id = member_identity.app_id)`.as('appName'),
          ...ownerNames('member_identity'),
          'member_identity.organise_id as organiseId',
          'member_identity.site_id as siteId',
          'member_identity.following',
          'member_identity.linked_at as registeredAt',
          'member_identity.last_login_at as lastLoginAt',
        ]),
      key: sortKey(sorts, filter.sort, identityId) ?? newestFirst,
    }),
  ])
  const ids = [...new Set(found.rows.map(({ memberId }) => memberId))]
  const people = await peopleOf(db, ids)
  const blocked = await blockedScopes(db, scope, ids)
  const rows = found.rows.flatMap(({ following, ...row }): MemberRow[] => {
    const person = people.get(row.memberId)
    return person === undefined
      ? []
      : [{ ...row, ...person, blocked: blocked.get(row.memberId) ?? null, following: following ? 1 : 0 } as MemberRow]
  })
  return { ...found, rows }
}

async function peopleOf(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>()
  const [members, wallets] = await Promise.all([
    db
      .selectFrom('member')
      .select(['id', 'nickname', 'phone', 'status', 'recharged_fen', 'consumed_fen', 'last_consumed_at'])
      .where('id', '=', sql<string>`any(${ids}::bigint[])`)
      .execute(),
    walletsOf(db, ids),
  ])
  return new Map(
    members.map((member) => {
      const { id, nickname, phone, status } = member
      const { paid = 0n, gift = 0n, paidHeld = 0n, giftHeld = 0n } = wallets.get(id) ?? {}
      const shown = {
        nickname,
        phone,
        status,
        recharged: yuanText(BigInt(member.recharged_fen)),
        consumed: yuanText(BigInt(member.consumed_fen)),
        lastConsumedAt: member.last_consumed_at,
        balance: yuanText(paid + gift),
        paidBalance: yuanText(paid),
        giftBalance: yuanText(gift),
        frozen: yuanText(paidHeld + giftHeld),
      }
      return [id, shown] as const
    }),
  )
}

/** Above this number a user narrows the list by organisation. */
const mostApps = 500

export const listApps = (db: Db, scope: Scope, channel: 1 | 2) =>
  db
    .selectFrom('member_app')
    .innerJoin('organise', 'organise.id', 'member_app.organise_id')
    .select(['member_app.id', 'member_app.name', 'organise.name as organiseName'])
    .where('member_app.channel', '=', channel)
    .$if(scope.level > 0, (query) => query.where('member_app.organise_id', '=', scope.organiseId))
    .orderBy('member_app.id')
    .limit(mostApps)
    .execute()
