import type pg from 'pg'
import { addDemoRecharges } from './demo-payments.ts'

/** Sixty people who charge at the demo's sites, with what they paid in; their money is in the ledger like anybody's. */
const apps = [
  { id: 1, organise: 2, channel: 1, appId: 'wx8f2c61d0aa3b4e01', name: '绿行充电' },
  { id: 2, organise: 2, channel: 2, appId: 'wx8f2c61d0aa3b4e02', name: '绿行充电小程序' },
  { id: 3, organise: 3, channel: 1, appId: 'wx31b7e95c20d4f703', name: '快电出行' },
  { id: 4, organise: 3, channel: 2, appId: 'wx31b7e95c20d4f704', name: '快电出行小程序' },
  { id: 5, organise: 4, channel: 1, appId: 'wxd50a84f7be196c05', name: '安驰能源' },
  { id: 6, organise: 4, channel: 2, appId: 'wxd50a84f7be196c06', name: '安驰能源小程序' },
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
  // Members of the city have joined over half a year, some of them today.
  const hoursAgo = organise === 5 ? 3 + ((place * place * 7) % 4300) : (place + 1) * 53
  return { id: place + 1, organise, site, nickname, hoursAgo }
}

/** Adds what is missing; a member is known by the number. */
export async function addDemoMembers(
  client: pg.Client,
  more: { apps: readonly App[]; names: readonly string[] },
): Promise<void> {
  const allApps = [...apps, ...more.apps]
  for (const app of allApps)
    await client.query(
      'insert into member_app (id, organise_id, channel, app_id, name) values ($1, $2, $3, $4, $5) on conflict do nothing',
      [app.id, app.organise, app.channel, app.appId, app.name],
    )
  const { rows: sites } = await client.query<Site>(
    'select id, organise_id, agent_id from site where id < 1000 and deleted_at is null order by id',
  )
  const people = [...nicknames, ...more.names].map((nickname, place) => personAt(nickname, place, sites))
  for (const person of people) if (await addPerson(client, person, allApps)) await payIn(client, person)
}

async function addPerson(
  client: pg.Client,
  { id, organise, site, nickname, hoursAgo }: Person,
  known: readonly App[],
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
  for (const app of known.filter((one) => one.organise === organise && id % 3 !== one.channel - 1)) {
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

/** What came through WeChat, and a tenth on top from fifty yuan on. */
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

const requests = [
  { id: 1, member: 1, direction: 1, wallet: 2, fen: 500, reason: '端口断电，充电中断，补偿用户', by: 'green' },
  { id: 2, member: 4, direction: 1, wallet: 1, fen: 1280, reason: '重复扣费，核对流水后退回', by: 'agent' },
  { id: 3, member: 8, direction: 2, wallet: 1, fen: 300, reason: '线下已现金退款，扣回余额', by: 'green' },
]

/** Changes of balances that wait for a second person; the accounts must be there. */
export async function addDemoAdjustments(client: pg.Client): Promise<void> {
  for (const { id, member, direction, wallet, fen, reason, by } of requests)
    await client.query(
      `insert into balance_adjustment (id, organise_id, agent_id, site_id, member_id, direction, wallet, amount_fen, reason, created_by_id, created_by, created_at)
       select $1::int, member.organise_id, member.agent_id, member.site_id, member.id, $3::smallint, $4::smallint, $5::bigint, $6, person.id, person.name, now() - make_interval(hours => $1::int * 3)
       from member, user_account person where member.id = $2 and person.login_name = $7 on conflict do nothing`,
      [id, member, direction, wallet, fen, reason, by],
    )
}
