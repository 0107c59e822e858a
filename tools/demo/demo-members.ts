import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Vault } from '../../apps/server/src/kit/crypto/vault.ts'
import { addDemoRecharges } from './demo-payments.ts'

/** Sixty members who charge at the demo's sites, with their recharges; their balances are in the ledger. */
const apps = [
  { id: 1, organise: 2, channel: 1, appId: 'wx8f2c61d0aa3b4e01', name: '绿行充电' },
  { id: 2, organise: 2, channel: 2, appId: 'wx8f2c61d0aa3b4e02', name: '绿行充电小程序' },
  { id: 3, organise: 3, channel: 1, appId: 'wx31b7e95c20d4f703', name: '快电出行' },
  { id: 4, organise: 3, channel: 2, appId: 'wx31b7e95c20d4f704', name: '快电出行小程序' },
  { id: 5, organise: 4, channel: 1, appId: 'wxd50a84f7be196c05', name: '安驰能源' },
  { id: 6, organise: 4, channel: 2, appId: 'wxd50a84f7be196c06', name: '安驰能源小程序' },
]
/** Colour, telephone and domain of the apps of an organisation. */
const looks = [
  { organise: 2, color: '#12a150', hotline: '400-826-0571', domain: 'mini.lvxing-charge.cn', by: '徐文博' },
  { organise: 3, color: '#1677ff', hotline: '028-85550123', domain: 'mini.kuaidian-go.cn', by: '唐明理' },
]
/** Keys of the open interface; their secrets are known to no one. */
const keys = [
  { id: 1, organise: 2, name: '绿行小程序服务器', networks: '{203.0.113.0/24}', status: 1, oldHours: 20, by: '徐文博' },
  {
    id: 2,
    organise: 2,
    name: '物业合作方',
    networks: '{198.51.100.7/32,198.51.100.8/32}',
    status: 0,
    oldHours: 0,
    by: '徐文博',
  },
  { id: 3, organise: 3, name: '快电小程序服务器', networks: '{}', status: 1, oldHours: 0, by: '唐明理' },
]
const nicknames =
  '晴天的小电驴 阿强 王阿姨 追风少年 小林同学 一路向北 骑士老张 静静 大海 果果妈 陈师傅 Leo 夏天的风 老李外卖 春暖花开 小马哥 桃子 云淡风轻 胖达 阿珍 快递小周 明天会更好 糖糖 木子李 北方的狼 Amy 老王充电 橙子 飞毛腿 平安是福 小雨点 阿杰 知足常乐 跑腿老刘 米粒 星辰大海 二毛 刘姐 大鹏 柠檬茶 建国 悠悠我心 电驴车主007 豆豆爸 江南烟雨 阿坤 小确幸 徐师傅 兰花草 天天向上 土豆 老赵 Kevin 花开富贵 小满 石头 晓晓 志明 西瓜皮 岁月静好'.split(
    ' ',
  )
const amounts = [1000, 2000, 3000, 5000, 5000, 10_000, 20_000]

type App = { id: number; organise: number; channel: number; appId: string; name: string }
type Site = { id: string; organise_id: string; agent_id: string | null }
type Person = { id: number; organise: number; site: Site | undefined; nickname: string; hoursAgo: number }

function personAt(nickname: string, place: number, sites: readonly Site[]): Person {
  const organise = place < 30 ? 2 : place < 48 ? 3 : place < nicknames.length ? 4 : 5
  const own = sites.filter((site) => site.organise_id === String(organise))
  // Some have never charged yet, and belong to no site.
  const site = place % 6 === 5 ? undefined : own[(place * 7) % own.length]
  // Members of the city joined over half a year, some of them today.
  const hoursAgo = organise === 5 ? 3 + ((place * place * 7) % 4300) : (place + 1) * 53
  return { id: place + 1, organise, site, nickname, hoursAgo }
}

/** Adds the missing members, identified by number. */
export async function addDemoMembers(
  client: pg.Client,
  vault: Vault,
  more: { apps: readonly App[]; names: readonly string[] },
): Promise<void> {
  const allApps = [...apps, ...more.apps]
  for (const app of allApps)
    await client.query(
      'insert into member_app (id, organise_id, channel, app_id, name) values ($1, $2, $3, $4, $5) on conflict do nothing',
      [app.id, app.organise, app.channel, app.appId, app.name],
    )
  for (const { organise, color, hotline, domain, by } of looks)
    await client.query(
      `update member_app set theme_color = $2, hotline = $3, domain = $4, created_by = $5, created_at = now() - interval '200 days'
       where organise_id = $1 and id < 1000 and theme_color is null and hotline is null and domain is null`,
      [organise, color, hotline, domain, by],
    )
  for (const key of keys) await addKey(client, vault, key)
  const { rows: sites } = await client.query<Site>(
    'select id, organise_id, agent_id from site where id < 1000 and deleted_at is null order by id',
  )
  const people = [...nicknames, ...more.names].map((nickname, place) => personAt(nickname, place, sites))
  for (const person of people) if (await addPerson(client, person, allApps)) await payIn(client, person)
}

async function addKey(client: pg.Client, vault: Vault, key: (typeof keys)[number]): Promise<void> {
  const sealed = () => vault.seal(randomBytes(32).toString('hex'))
  const appKey = createHash('sha256').update(key.name).digest('hex').slice(0, 32)
  await client.query(
    `insert into open_app (id, organise_id, name, app_key, secret_sealed, old_secret_sealed, old_until, networks, status, created_by, created_at)
     values ($1, $2, $3, $4, $5, $6, case when $6::text is not null then now() + make_interval(hours => $7) end, $8::cidr[], $9, $10, now() - interval '40 days')
     on conflict do nothing`,
    [
      key.id,
      key.organise,
      key.name,
      appKey,
      sealed(),
      key.oldHours > 0 ? sealed() : null,
      key.oldHours,
      key.networks,
      key.status,
      key.by,
    ],
  )
}

async function addPerson(
  client: pg.Client,
  { id, organise, site, nickname, hoursAgo }: Person,
  candidates: readonly App[],
): Promise<boolean> {
  const place = [organise, site?.agent_id ?? null, site?.id ?? null]
  const added = await client.query(
    `insert into member (id, organise_id, agent_id, site_id, nickname, phone, status, registered_at)
     values ($1, $2, $3, $4, $5, $6, $7, now() - make_interval(hours => $8)) on conflict do nothing`,
    [
      id,
      ...place,
      nickname,
      id % 9 === 0 ? null : `136${String(58_200_000 + id * 7919)}`,
      id % 23 === 0 ? 0 : 1,
      hoursAgo,
    ],
  )
  if (added.rowCount === 0) return false
  for (const app of candidates.filter((one) => one.organise === organise && id % 3 !== one.channel - 1)) {
    const tail = String(id * 7_919_003 + app.id).padStart(10, '0')
    await client.query(
      `insert into member_identity (organise_id, agent_id, site_id, member_id, app_id, channel, open_id, union_id, following, linked_at, last_login_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() - make_interval(hours => $10), now() - make_interval(hours => $11)) on conflict do nothing`,
      [
        ...place,
        id,
        app.id,
        app.channel,
        `oDemo${app.id}Xw9_kTqLsM${tail}`,
        `uDemo7RbVnC2eZ${tail}`,
        app.channel === 1 && id % 4 !== 0,
        hoursAgo,
        Math.min((id * 11) % 300, hoursAgo),
      ],
    )
  }
  return true
}

/** Recharges through WeChat, with a gift of a tenth from fifty yuan on. */
async function payIn(client: pg.Client, { id, organise, site, hoursAgo }: Person): Promise<void> {
  const times = id % 5 === 0 ? 0 : (id % 3) + 1
  const paid = Array.from({ length: times }, (_, place) => amounts[(id + place * 3) % amounts.length] ?? 1000)
  await addDemoRecharges(
    client,
    {
      id,
      organise,
      agentId: site?.agent_id ?? null,
      siteId: site?.id ?? null,
      sinceHours: organise === 5 ? hoursAgo : undefined,
    },
    paid,
  )
  const total = paid.reduce((sum, fen) => sum + fen, 0)
  await client.query('update member set recharged_fen = $2 where id = $1', [id, total])
}

const blocks = [
  {
    id: 1,
    member: 13,
    card: null,
    phone: null,
    scope: 1,
    reason: '多次拔插占用端口，经提醒仍不挪车',
    ends: 720,
    by: 'green',
  },
  {
    id: 2,
    member: 22,
    card: null,
    phone: null,
    scope: 3,
    reason: '用改装电池充电，存在安全风险',
    ends: null,
    by: 'green',
  },
  {
    id: 3,
    member: null,
    card: null,
    phone: '13758204416',
    scope: 2,
    reason: '使用盗刷的支付账户充值',
    ends: null,
    by: 'green',
  },
  { id: 4, member: null, card: 4, phone: null, scope: 1, reason: '转借多人使用的员工卡', ends: null, by: 'green' },
  { id: 5, member: 16, card: null, phone: null, scope: 3, reason: '恶意投诉并辱骂客服', ends: -24, by: 'green' },
  {
    id: 6,
    member: 19,
    card: null,
    phone: null,
    scope: 1,
    reason: '欠停车占位费',
    ends: null,
    lifted: '已补缴占位费',
    by: 'green',
  },
]

/** People on the blacklist: active, expired and lifted blocks. The members must exist, and the cards. */
export async function addDemoBlocks(client: pg.Client): Promise<void> {
  for (const { id, member, card, phone, scope, reason, ends, lifted = null, by } of blocks)
    await client.query(
      `insert into member_block (id, organise_id, agent_id, site_id, member_id, phone, card_id, scope, reason, created_by_id, created_by, created_at,
         ends_at, lifted_at, lifted_by_id, lifted_by, lift_reason)
       select $1::int, person.organise_id, coalesce(member.agent_id, card.agent_id), coalesce(member.site_id, card.site_id), member.id,
         coalesce($4, member.phone), card.id, $5::smallint, $6, person.id, person.name, now() - make_interval(hours => 30 + $1::int * 41),
         now() + make_interval(hours => $7::int), case when $8::text is not null then now() - interval '5 hours' end,
         case when $8::text is not null then person.id end, case when $8::text is not null then person.name end, $8
       from user_account person
       left join stored_card card on card.id = $3 and card.organise_id = person.organise_id
       left join member on member.id = coalesce($2, card.member_id) and member.organise_id = person.organise_id
       where person.login_name = $9 on conflict do nothing`,
      [id, member, card, phone, scope, reason, ends, lifted, by],
    )
}

const entries = [
  { id: 1, name: '王建国', phone: '13800000001', rule: 1, value: 2000, funder: 2, status: 2, by: 'green' },
  { id: 2, name: '刘敏（外卖站长）', phone: '13800000004', rule: 2, value: 50, funder: 2, status: 2, by: 'green' },
  { id: 3, name: '陈师傅（保洁）', phone: '13911112222', rule: 0, value: 30_000, funder: 2, status: 1, by: 'green' },
  { id: 4, name: '赵倩', phone: '13911113333', rule: 3, value: 100, funder: 4, status: 4, by: 'green' },
  { id: 5, name: '孙队长（物业）', phone: '13911114444', rule: 4, value: 20_000, funder: 3, status: 1, by: 'agent' },
]

/** People with prices of their own; some wait for a second person. The accounts must exist. */
export async function addDemoWhitelist(client: pg.Client): Promise<void> {
  for (const { id, name, phone, rule, value, funder, status, by } of entries)
    await client.query(
      `insert into whitelist_entry (id, organise_id, agent_id, name, phone, rule, off_bp, off_fen, pay_fen, free_dwh, times, day_times, scope, funder,
         starts_on, ends_on, status, created_by_id, created_by, created_at, decided_by_id, decided_by, decided_at)
       select $1::int, person.organise_id, person.agent_id, $2, $3, $4::smallint, case when $4 = 1 then $5::int end, case when $4 = 2 then $5::int end,
         case when $4 = 3 then $5::int end, case when $4 in (0, 4) then $5::int end, case when $4 = 4 then 20 end, 2, 1, $6::smallint,
         date_trunc('month', now())::date, (date_trunc('month', now()) + interval '6 months')::date - 1, $7::smallint, person.id, person.name,
         now() - make_interval(hours => $1::int * 7), other.id, other.name, case when other.id is not null then now() - make_interval(hours => 2) end
       from user_account person
       left join lateral (
         select id, name from user_account
         where $7 <> 1 and organise_id = person.organise_id and agent_id is null and site_id is null and id <> person.id order by id limit 1
       ) other on true
       where person.login_name = $8 on conflict do nothing`,
      [id, name, phone, rule, value, funder, status, by],
    )
}

const requests = [
  { id: 1, member: 1, direction: 1, wallet: 2, fen: 500, reason: '端口断电，充电中断，补偿用户', by: 'green' },
  { id: 2, member: 4, direction: 1, wallet: 1, fen: 1280, reason: '重复扣费，核对流水后退回', by: 'agent' },
  { id: 3, member: 8, direction: 2, wallet: 1, fen: 300, reason: '线下已现金退款，扣回余额', by: 'green' },
]

/** Balance adjustments that wait for a second person; the accounts must exist. */
export async function addDemoAdjustments(client: pg.Client): Promise<void> {
  for (const { id, member, direction, wallet, fen, reason, by } of requests)
    await client.query(
      `insert into balance_adjustment (id, organise_id, agent_id, site_id, member_id, direction, wallet, amount_fen, reason, created_by_id, created_by, created_at)
       select $1::int, member.organise_id, member.agent_id, member.site_id, member.id, $3::smallint, $4::smallint, $5::bigint, $6, person.id, person.name, now() - make_interval(hours => $1::int * 3)
       from member, user_account person where member.id = $2 and person.login_name = $7 on conflict do nothing`,
      [id, member, direction, wallet, fen, reason, by],
    )
}
