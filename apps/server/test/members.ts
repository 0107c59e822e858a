import { accountKind, channel, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { TestApi } from './api.ts'

type Place = { organiseId: string; agentId?: string | null; siteId?: string | null }
type Wish = Place & {
  nickname?: string
  phone?: string
  channel?: 1 | 2
  following?: boolean
  linkedAt?: string
}
export type Member = { id: string; identityId: string; openId: string; organiseId: string }

/** The organisation's one app of a channel. */
async function appOf(api: TestApi, organiseId: string, of: 1 | 2): Promise<string> {
  await api.sql(
    `insert into member_app (organise_id, channel, app_id, name) values ($1, $2, $3, $4) on conflict do nothing`,
    [organiseId, of, `wx${organiseId}_${of}`, of === 1 ? '公众号' : '小程序'],
  )
  const [app] = await api.sql<{ id: string }>('select id from member_app where app_id = $1', [`wx${organiseId}_${of}`])
  return app?.id ?? ''
}

/** Somebody who came through a public account, or through a mini-program. */
export async function makeMember(api: TestApi, wish: Wish): Promise<Member> {
  const { organiseId, agentId = null, siteId = null, nickname = '会员', phone = null, channel: of = 1 } = wish
  const appId = await appOf(api, organiseId, of)
  const [member] = await api.sql<{ id: string }>(
    'insert into member (organise_id, agent_id, site_id, nickname, phone) values ($1, $2, $3, $4, $5) returning id',
    [organiseId, agentId, siteId, nickname, phone],
  )
  const id = member?.id ?? ''
  const openId = `o${crypto.randomUUID().replaceAll('-', '').slice(0, 27)}`
  const [identity] = await api.sql<{ id: string }>(
    `insert into member_identity (organise_id, agent_id, site_id, member_id, app_id, channel, open_id, union_id, following, linked_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($10::timestamptz, now())) returning id`,
    [organiseId, agentId, siteId, id, appId, of, openId, `u${openId}`, wish.following ?? false, wish.linkedAt ?? null],
  )
  return { id, identityId: identity?.id ?? '', openId, organiseId }
}

type Line = [account: keyof typeof accountKind.code, owner: string, fen: number | bigint]
let keys = 0

/** Moves money as the system does. */
export async function postLines(
  api: TestApi,
  organiseId: string,
  kind: keyof typeof postingKind.code,
  lines: Line[],
): Promise<void> {
  const asked = {
    key: `test/${process.pid}/${++keys}`,
    keyAt: new Date().toISOString(),
    organiseId,
    agentId: null,
    siteId: null,
    kind: postingKind.code[kind],
    ref: `T${keys}`,
    memo: null,
    by: null,
    lines: lines.map(([account, owner, fen]) => [accountKind.code[account], owner, String(fen)]),
  }
  await api.sql('select app.post($1::jsonb)', [JSON.stringify([asked])])
}

/** Money that a member paid in through WeChat, and what the organisation gave on top. */
export async function recharge(api: TestApi, { id, organiseId }: Member, fen: number, giftFen = 0): Promise<void> {
  await postLines(api, organiseId, 'recharge', [
    ['memberPaid', id, fen],
    ['channel', String(channel.code.wechat), -fen],
  ])
  if (giftFen > 0)
    await postLines(api, organiseId, 'gift', [
      ['memberGift', id, giftFen],
      ['giftCost', '0', -giftFen],
    ])
  await api.sql('update member set recharged_fen = recharged_fen + $2 where id = $1', [id, fen])
}

/** A request that waits for somebody else. */
export async function makeAdjustment(api: TestApi, member: Member, makerId: string): Promise<string> {
  const [made] = await api.sql<{ id: string }>(
    `insert into balance_adjustment (organise_id, agent_id, site_id, member_id, direction, wallet, amount_fen, reason, created_by_id, created_by)
     select organise_id, agent_id, site_id, id, 1, 1, 100, '补偿', $2, '申请人' from member where id = $1 returning id`,
    [member.id, makerId],
  )
  return made?.id ?? ''
}
