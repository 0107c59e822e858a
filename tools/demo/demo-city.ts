import type pg from 'pg'
import type { District } from './demo-sites.ts'
import { bikesByPower, bikesByTime, type DemoTariff } from './demo-tariffs.ts'

/**
 * An organisation with forty sites in one city, large enough that every list, map and chart looks realistic. Tests omit
 * it, because it takes as long to create as the rest of the demo.
 */
export const city = {
  organise: {
    id: 5,
    name: '深充出行（深圳）',
    short: '深充',
    status: 1,
    expiresInDays: 210,
    policy: 1,
    city: '440300',
    legal: '黄志坚',
    account: '深充出行',
  },
  agents: [
    { id: 13, organise: 5, parent: null, name: '深圳西部运营中心' },
    { id: 14, organise: 5, parent: 13, name: '宝安代理' },
    { id: 15, organise: 5, parent: null, name: '深圳东部运营中心' },
  ],
  department: { id: 7, organise: 5, parent: null, name: '总部', code: 'HQ', type: 1 },
  account: { loginName: 'city', name: '黄嘉敏', role: '公众号管理', organise: 5, type: 1, department: 7 },
  apps: [
    { id: 7, organise: 5, channel: 1, appId: 'wx7c05e9f3b81d2a07', name: '深充出行' },
    { id: 8, organise: 5, channel: 2, appId: 'wx7c05e9f3b81d2a08', name: '深充出行小程序' },
  ],
  perDay: 150,
} as const

const district = (code: string, lng: number, lat: number, agent: number | null, names: string): District => ({
  organise: city.organise.id,
  code,
  lng,
  lat,
  agent,
  names: names.split(' '),
})

export const cityDistricts: District[] = [
  district('440303', 114.131, 22.558, 15, '东门茂业停车场 翠竹苑 田贝花园 笋岗仓库 黄贝岭村'),
  district('440304', 114.055, 22.538, null, '景田北小区 梅林一村 福田口岸 华强北电子城 皇岗村 莲花二村'),
  district('440305', 113.945, 22.538, 13, '科技园南区 桂庙新村 南山医院 海月花园 西丽大学城 蛇口工业区'),
  district('440306', 113.884, 22.575, 14, '宝安中心区 西乡步行街 固戍地铁站 沙井新沙天虹 福永万福广场 松岗东方社区'),
  district('440309', 114.035, 22.665, 14, '民治地铁站 龙华富士康北门 清湖老村 观澜湖新城 大浪时尚小镇'),
  district('440307', 114.22, 22.7, 15, '布吉大芬村 坂田天安云谷 龙岗中心城 横岗眼镜城 平湖华南城'),
  district('440308', 114.237, 22.57, 15, '沙头角鹏湾花园 盐田港宿舍'),
  district('440310', 114.346, 22.69, 15, '坪山高铁站 比亚迪宿舍区'),
  district('440311', 113.936, 22.749, 14, '光明凤凰城 公明商业广场 华星光电宿舍'),
]

export const cityTariffs: DemoTariff[] = [
  { id: 6, organise: 5, name: '电动自行车按时间', rules: bikesByTime },
  { id: 7, organise: 5, name: '电动自行车按功率', rules: bikesByPower },
]

const surnames = '陈黄林李张吴刘郑罗谢邓梁何杨钟叶'
const endings = ['师傅', '阿姨', '老板', '同学', '大哥', '小妹', '生', '姐']
const words =
  '南山骑手 坂田夜猫子 深漂十年 岗厦打工人 一路绿灯 送餐小哥 荔枝 海边的风 红树林 早茶 凤凰木 梧桐山 莲花山下 夜班护士 大冲 民治老街坊'.split(
    ' ',
  )
/** Nicknames of the city's members: some are names, some are words. */
export const cityNames: readonly string[] = Array.from({ length: 240 }, (_, n) =>
  n % 3 === 0
    ? `${words[(n / 3) % words.length] ?? ''}${n < 48 ? '' : n}`
    : `${surnames[(n * 7) % surnames.length] ?? '陈'}${endings[(n * 5) % endings.length] ?? '生'}${n % 4 === 1 ? n : ''}`,
)

const place = 'device.organise_id, device.agent_id, device.site_id, device.id, device.device_no'
const ofCity = `device.organise_id = ${city.organise.id} and device.id < 1000`

/** Current faults: offline devices, broken ports, and two that need immediate attention. */
const openAlarms = `
  insert into alarm (organise_id, agent_id, site_id, device_id, device_no, port_no, kind, severity, status, count, first_at, last_at, told_at)
  select ${place}, 0, 1, 2, case when device.id % 4 = 0 then 2 else 1 end, 1, state.disconnected_at, state.disconnected_at, state.disconnected_at
  from device join device_state state on state.device_id = device.id
  where ${ofCity} and device.install_status = 1 and not device.online and state.disconnected_at is not null
  union all
  select ${place}, port.port_no, 2, 2, case when port.port_no % 3 = 0 then 2 else 1 end, 1 + port.port_no % 3, port.status_since,
    port.status_since, port.status_since
  from device join port on port.device_id = device.id
  where ${ofCity} and device.online and port.status = 3 and (device.id + port.port_no) % 3 = 0
  union all
  select * from (
    select ${place}, 0, case device.id % 2 when 0 then 4 else 3 end, 1, 1, 2, now() - interval '14 minutes', now() - interval '2 minutes',
      now() - interval '14 minutes'
    from device where ${ofCity} and device.online order by device.id desc limit 2) urgent`

/** Faults of the last thirty days that are resolved. */
const closedAlarms = `
  insert into alarm (organise_id, agent_id, site_id, device_id, device_no, port_no, kind, severity, status, count, first_at, last_at, told_at,
    closed_at, close_reason)
  select ${place}, 1, (array[1, 2, 7, 3, 2, 8])[1 + n % 6], (array[2, 2, 3, 2, 2, 2])[1 + n % 6], 3, 1 + n % 4, began, began + interval '20 minutes',
    began, began + make_interval(mins => 25 + (n * 37) % 600), '设备恢复正常'
  from generate_series(1, 90) n
  cross join lateral (select now() - make_interval(hours => 20 + n * 7, mins => (n * 13) % 60) as began) at
  join lateral (select * from device where ${ofCity} and install_status = 1 order by id offset (n * 17) % 60 limit 1) device on true`

const tickets = `
  insert into repair_ticket (organise_id, agent_id, site_id, device_id, device_no, port_no, alarm_id, fault, description, source, priority, status,
    created_by, created_at, completed_at, result, parts)
  select organise_id, agent_id, site_id, device_id, device_no, nullif(port_no, 0), id, kind,
    case kind when 2 then port_no || '号端口不通电' when 1 then '整机离线，疑似断电或SIM卡故障' else '温度偏高' end, 2, case severity when 1 then 1 else 2 end,
    case when status = 3 then 3 else 2 end, '系统', first_at + interval '10 minutes', closed_at,
    case when status = 3 then case kind when 2 then '更换插座面板，端口测试正常' else '重新上电，信号恢复' end end,
    case when status = 3 and kind = 2 then '五孔插座面板×1' end
  from alarm where organise_id = ${city.organise.id} and kind in (1, 2, 3) and id % 3 = 0`

/** Adds alarms of the city and the resulting tickets, once. */
export async function addCityFaults(client: pg.Client): Promise<void> {
  const existing = await client.query('select from alarm where organise_id = $1 limit 1', [city.organise.id])
  if (existing.rowCount !== 0) return
  for (const statement of [openAlarms, closedAlarms, tickets]) await client.query(statement)
}
