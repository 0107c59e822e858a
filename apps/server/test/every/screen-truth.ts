import type { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import type pg from 'pg'

/**
 * Expected figures of the big screen, counted from base tables: orders, refunds, recharges, members, devices, alarms.
 * No query here reads a precomputed figure.
 */
export type Call = Exclude<keyof typeof bigScreen, 'heartbeat'>
export type Filter = {
  organiseId?: string
  deviceFirstClass?: string
  province?: string
  city?: string
  district?: string
  isOnline?: 0 | 1
  span?: 1 | 2
  zoom?: number
  siteId?: string
}
/** The viewer: a condition on the owner columns. */
export type Viewer = { name: string; token: string; sees: string; onlyOne: boolean; organiseId: string }
type Sql = <R extends pg.QueryResultRow>(text: string) => Promise<R[]>

const place = `t.organise_id, t.agent_id, t.site_id, coalesce(site.district_code, '') as district`
const local = (column: string) => `(${column} at time zone 'Asia/Shanghai')`
/** The current rows, each with its place and class; materialised because many queries count them. */
export const truthTables = `
  create schema truth;
  create table truth.charge as select ${local('coalesce(t.ended_at, t.settled_at)')} as at, ${local('t.settled_at')} as let_go_at, t.settled_at, t.id, t.status, ${place}, t.device_id, t.device_type_id, category.code as class,
      t.total_fen as fen, t.paid_fen, t.gift_fen, coalesce(t.energy_dwh, 0) as energy, coalesce(t.duration_s, 0) as seconds
    from charging_order t left join site on site.id = t.site_id join device_type type on type.id = t.device_type_id join device_category category on category.id = type.category_id;
  create table truth.refund as select ${local('t.decided_at')} as at, ${place}, category.code as class, t.amount_fen as fen
    from refund_order t left join site on site.id = t.site_id join charging_order o on o.id = t.order_id join device_type type on type.id = o.device_type_id join device_category category on category.id = type.category_id where t.status in (2, 4);
  create table truth.device as select ${local('t.created_at')} as at, ${place}, category.code as class, t.id, t.device_no, t.name, t.online, t.port_count, t.free_ports, t.working_ports, t.fault_ports, t.appointed_ports, t.connected_ports, t.warning_ports, t.down_ports,
      t.deleted_at is null as there, t.service_until - (now() at time zone 'Asia/Shanghai')::date as days_left, coalesce(t.lng, site.lng)::float8 as x, coalesce(t.lat, site.lat)::float8 as y, site.name as site_name
    from device t left join site on site.id = t.site_id join device_category category on category.id = t.category_id;
  create table truth.alarm as select ${local('t.created_at')} as at, ${place}, category.code as class
    from alarm t left join site on site.id = t.site_id join device on device.id = t.device_id join device_category category on category.id = device.category_id;
  create table truth.member as select ${local('t.registered_at')} as at, ${place} from member t left join site on site.id = t.site_id;
  create table truth.recharge as select ${local('t.paid_at')} as at, ${place}, t.amount_fen as fen from recharge_order t left join site on site.id = t.site_id where t.status = 2;
  create table truth.recharge_refund as select ${local('t.arrived_at')} as at, ${place}, t.amount_fen as fen from pay_refund t left join site on site.id = t.site_id where t.status = 3 and t.purpose = 1;
`

const today = `(now() at time zone 'Asia/Shanghai')::date`
const fullHours = `interval '1 hour' * extract(hour from now() at time zone 'Asia/Shanghai')`
const spanSql = {
  today: `at::date = ${today}`,
  yesterday: `at::date = ${today} - 1`,
  month: `date_trunc('month', at) = date_trunc('month', ${today}::timestamp)`,
  year: `date_trunc('year', at) = date_trunc('year', ${today}::timestamp)`,
  total: 'true',
  todaySoFar: `at::date = ${today} and at < ${today} + ${fullHours}`,
  yesterdaySoFar: `at::date = ${today} - 1 and at < ${today} - 1 + ${fullHours}`,
}
type Span = keyof typeof spanSql
const spans: Span[] = ['today', 'yesterday', 'month', 'year', 'total']
const yuan = (fen: string) => `trim(to_char(coalesce(${fen}, 0) / 100.0, '99999999990.00'))`

function filterSql(viewer: Viewer, filter: Filter, classed = true): string {
  const { organiseId, deviceFirstClass, province, city, district } = filter
  return [
    viewer.sees,
    ...(organiseId === undefined ? [] : [`organise_id = ${organiseId}`]),
    ...(deviceFirstClass === undefined || !classed ? [] : [`class = '${deviceFirstClass}'`]),
    ...(province === undefined ? [] : [`left(district, 2) = '${province.slice(0, 2)}'`]),
    ...(city === undefined ? [] : [`left(district, 4) = '${city.slice(0, 4)}'`]),
    ...(district === undefined ? [] : [`district = '${district}'`]),
  ].join(' and ')
}
const onlineSql = ({ isOnline }: Filter) => (isOnline === undefined ? 'true' : isOnline === 1 ? 'online' : 'not online')

/** The area of a row one level below the filter, with its name and centre. */
function areaSql({ province, city, district }: Filter) {
  const region = (code: string, level: number) => ({
    level,
    code,
    name: `coalesce((select name from region where adcode = area), '未知')`,
    adcode: 'area',
    x: '(select lng from region where adcode = area)',
    y: '(select lat from region where adcode = area)',
  })
  if (district !== undefined)
    return {
      level: 4,
      code: 'site_id::text',
      name: '(select name from site where id = area::bigint)',
      adcode: '(select district_code from site where id = area::bigint)',
      x: '(select lng::float8 from site where id = area::bigint)',
      y: '(select lat::float8 from site where id = area::bigint)',
    }
  if (city !== undefined) return region('district', 3)
  const cut = (digits: number) => `case when district = '' then '' else rpad(left(district, ${digits}), 6, '0') end`
  return province === undefined ? region(cut(2), 1) : region(cut(4), 2)
}

const areaFields = ({ name, adcode, x, y }: ReturnType<typeof areaSql>) =>
  `'code', area, 'name', ${name}, 'adcode', ${adcode}, 'centre', case when ${x} is null then null else jsonb_build_array(${x}, ${y}) end`

export function truthOf(sql: Sql, viewer: Viewer, filter: Filter): Record<Call, () => Promise<unknown>> {
  const where = filterSql(viewer, filter)
  const anyClass = filterSql(viewer, filter, false)
  const one = async (text: string) => (await sql<{ reply: unknown }>(`select (${text}) as reply`))[0]?.reply
  const object = (parts: Record<string, string>) =>
    `jsonb_build_object(${Object.entries(parts)
      .map(([name, text]) => `'${name}', ${text}`)
      .join(', ')})`
  const of = (table: string, what: string, when: string) =>
    `(select ${what} from truth.${table} where ${where} and ${when})`
  const billed = (span: Span) => `status = 3 and ${spanSql[span]}`
  const there = (what: string, when = 'true') => of('device', what, `there and ${when}`)
  const area = areaSql(filter)
  const spanOf: Span = filter.span === 2 ? 'month' : 'today'

  const money = (span: Span) => ({
    turnover: of('charge', yuan('sum(fen)'), billed(span)),
    paid: of('charge', yuan('sum(paid_fen)'), billed(span)),
    gift: of('charge', yuan('sum(gift_fen)'), billed(span)),
    refunded: of('refund', yuan('sum(fen)'), spanSql[span]),
    orderCount: of('charge', 'count(*)', billed(span)),
  })
  const moneySpans = (extra: (span: Span) => Record<string, string> = () => ({})) =>
    Object.fromEntries(spans.map((span) => [span, object({ ...money(span), ...extra(span) })]))
  const energy = (span: Span) => of('charge', 'coalesce(sum(energy), 0)', billed(span))
  const hours = (fields: string) =>
    `(select jsonb_agg(jsonb_build_object('hour', hour, ${fields}) order by hour) from generate_series(0, 23) hour)`
  const inHour = (span: Span) => `${spanSql[span]} and extract(hour from at) = hour`
  const deviceSpan = (span: Span) =>
    object({
      addCount: of('device', 'count(*)', spanSql[span]),
      faultCount: of('alarm', 'count(*)', spanSql[span]),
      orderCount: of('charge', 'count(*)', billed(span)),
      seconds: of('charge', 'coalesce(sum(seconds), 0)', billed(span)),
      energyDwh: energy(span),
    })
  const chargeSpan = (span: Span) =>
    object({
      orderCount: of('charge', 'count(*)', billed(span)),
      seconds: of('charge', 'coalesce(sum(seconds), 0)', billed(span)),
      energyDwh: energy(span),
      averageSeconds: of('charge', 'round(avg(seconds))', billed(span)),
      averageEnergyDwh: of('charge', 'round(avg(energy))', billed(span)),
    })
  const trend = (fields: (when: string) => string) =>
    filter.span === 2
      ? `(select jsonb_agg(jsonb_build_object('period', to_char(month, 'YYYY-MM'), ${fields("date_trunc('month', at) = month")}) order by month)
          from generate_series(date_trunc('month', ${today}::timestamp) - interval '11 months', date_trunc('month', ${today}::timestamp), interval '1 month') month)`
      : `(select jsonb_agg(jsonb_build_object('period', day::date::text, ${fields('at::date = day::date')}) order by day)
          from generate_series(${today}::timestamp - interval '29 days', ${today}::timestamp, interval '1 day') day)`
  const ranking = async (count: string) => {
    const placeSql = area.level === 4 ? 'site_id is not null' : 'true'
    const found = `(select ${area.code} as area, ${count} as counted, count(*) as devices, sum(port_count) as ports, coalesce(sum(port_count) filter (where online), 0) as online_ports
      from truth.device where there and ${placeSql} and ${where} group by 1) found where counted > 0`
    const total = `(select coalesce(sum(counted), 0) from ${found})`
    return one(
      object({
        level: String(area.level),
        ranking: `(select coalesce(jsonb_agg(item order by place), '[]') from (select row_number() over (order by counted desc, area collate "C") as place, jsonb_build_object(${areaFields(area)},
          'allDeviceCount', devices, 'totalPortCount', ports, 'onLinePortNum', online_ports, 'offLinePortNum', ports - online_ports, 'countNum', counted, 'totalCount', ${total}) as item
          from ${found} order by place limit 10) first)`,
        areas:
          area.level === 4
            ? `'[]'::jsonb`
            : `(select coalesce(jsonb_agg(jsonb_build_object(${areaFields(area)}, 'countNum', counted) order by counted desc, area collate "C"), '[]') from ${found} and area <> '')`,
      }),
    )
  }
  const byOwner = viewer.onlyOne || filter.organiseId !== undefined ? 'site' : 'organise'
  const owners = (rows: string, fields: string) =>
    `(select coalesce(jsonb_agg(jsonb_build_object('id', owner::text, 'name', (select name from ${byOwner} where id = owner), ${fields}) order by counted desc, owner::text), '[]')
      from (select * from (${rows}) every where counted > 0 order by counted desc, owner::text limit 10) first)`
  const state = `case when not online then 0 when fault_ports > 0 then 3 when working_ports > 0 then 2 else 1 end`
  const shownDevices = `(select coalesce(jsonb_agg(jsonb_build_object('id', id::text, 'deviceNo', device_no, 'deviceName', name, 'siteId', site_id::text, 'siteName', site_name, 'positionX', x, 'positionY', y,
      'state', ${state}, 'totalPortCount', port_count, 'workingPortNum', working_ports, 'faultPortNum', fault_ports) order by id desc), '[]')
    from truth.device where there and ${where} and ${onlineSql(filter)} and x is not null and ${filter.siteId === undefined ? 'true' : `site_id = ${filter.siteId}`})`
  const atSite = filter.siteId === undefined ? 'true' : `site_id = ${filter.siteId}`

  return {
    deviceBaseInfo: () =>
      one(
        object({
          allDeviceCount: there('count(*)', onlineSql(filter)),
          onLineDeviceNum: there('count(*)', `online and ${onlineSql(filter)}`),
          offLineDeviceNum: there('count(*)', `not online and ${onlineSql(filter)}`),
          totalPortCount: there('coalesce(sum(port_count), 0)', onlineSql(filter)),
          onLinePortNum: there('coalesce(sum(port_count), 0)', `online and ${onlineSql(filter)}`),
          offLinePortNum: there('coalesce(sum(port_count), 0)', `not online and ${onlineSql(filter)}`),
        }),
      ),
    deviceTodayAdd: () =>
      one(
        object({
          todayCount: of('device', 'count(*)', spanSql.today),
          yesterdayCount: of('device', 'count(*)', spanSql.yesterday),
          hours: hours(`'countNum', ${of('device', 'count(*)', inHour('today'))}`),
        }),
      ),
    deviceTodayMonthCount: () => one(object({ today: deviceSpan('today'), month: deviceSpan('month') })),
    deviceStateService: () =>
      one(
        object({
          allDeviceCount: there('count(*)'),
          normalCount: there('count(*)', 'days_left > 30'),
          expiringCount: there('count(*)', 'days_left between 0 and 30'),
          expiredCount: there('count(*)', 'days_left < 0'),
        }),
      ),
    deviceAdd: () => one(trend((when) => `'countNum', ${of('device', 'count(*)', when)}`)),
    deviceMapRanking: () => ranking(`count(*) filter (where ${onlineSql(filter)})`),
    devicePortMapRanking: () => ranking(`coalesce(sum(port_count) filter (where ${onlineSql(filter)}), 0)`),
    devicePortSum: () =>
      one(
        object({
          totalPortCount: there('coalesce(sum(port_count), 0)'),
          onLinePortNum: there('coalesce(sum(port_count), 0)', 'online'),
          offLinePortNum: there('coalesce(sum(port_count), 0)', 'not online'),
          freeNum: there('coalesce(sum(free_ports), 0)'),
          workingNum: there('coalesce(sum(working_ports), 0)'),
          faultNum: there('coalesce(sum(fault_ports), 0)'),
          appointedNum: there('coalesce(sum(appointed_ports), 0)'),
          connectedNum: there('coalesce(sum(connected_ports), 0)'),
          washerWarningNum: there('coalesce(sum(warning_ports), 0)'),
          washerDownNum: there('coalesce(sum(down_ports), 0)'),
        }),
      ),
    // At the closest level every centre is a separate point; a district without a centre uses that of its city.
    areaDevices: () =>
      one(
        filter.district !== undefined || filter.siteId !== undefined
          ? object({
              level: '4',
              points: `'[]'::jsonb`,
              devices: shownDevices,
              allDeviceCount: there('count(*)', `${onlineSql(filter)} and ${atSite}`),
              hiddenCount: there('count(*)', `${onlineSql(filter)} and ${atSite} and x is null`),
            })
          : object({
              level: '3',
              points: `(select coalesce(jsonb_agg(point order by point->'positionX', point->'positionY'), '[]') from (
                select jsonb_build_object('name', (array_agg(name order by devices desc, district))[1], 'code', (array_agg(district order by devices desc, district))[1], 'areaCount', count(*), 'positionX', lng, 'positionY', lat,
                  'allDeviceCount', sum(devices), 'onLineDeviceNum', sum(online), 'offLineDeviceNum', sum(devices - online), 'totalPortCount', sum(ports), 'workingPortNum', sum(working), 'faultPortNum', sum(fault)) as point
                from (select district, region.name, region.lng, region.lat, count(*) as devices, count(*) filter (where online) as online, sum(port_count) as ports, sum(working_ports) as working, sum(fault_ports) as fault, count(*) filter (where ${onlineSql(filter)}) as matching
                  from truth.device join region on region.adcode = district where there and ${where} group by 1, 2, 3, 4) districts where matching > 0 group by lng, lat) points)`,
              devices: `'[]'::jsonb`,
              allDeviceCount: there('count(*)', onlineSql(filter)),
              hiddenCount: there('count(*)', `${onlineSql(filter)} and district = ''`),
            }),
      ),
    orderTransaction: () =>
      one(
        object({
          ...moneySpans(),
          soFarUpto: `to_char(${today} + ${fullHours}, 'YYYY-MM-DD HH24:MI:SS')`,
          todaySoFar: object(money('todaySoFar')),
          yesterdaySoFar: object(money('yesterdaySoFar')),
        }),
      ),
    orderAnalysis: () =>
      one(
        trend(
          (
            when,
          ) => `'orderCount', ${of('charge', 'count(*)', `status = 3 and ${when}`)}, 'releasedCount', ${of('charge', 'count(*)', `status = 4 and ${when.replaceAll(/\bat\b/g, 'let_go_at')}`)},
            'turnover', ${of('charge', yuan('sum(fen)'), `status = 3 and ${when}`)}, 'refunded', ${of('refund', yuan('sum(fen)'), when)}, 'energyDwh', ${of('charge', 'coalesce(sum(energy), 0)', `status = 3 and ${when}`)}`,
        ),
      ),
    orderNumbers: () =>
      one(
        object({
          todayCount: of('charge', 'count(*)', billed('today')),
          yesterdayCount: of('charge', 'count(*)', billed('yesterday')),
          releasedCount: of('charge', 'count(*)', `status = 4 and let_go_at::date = ${today}`),
          refundCount: of('refund', 'count(*)', spanSql.today),
          hours: hours(
            `'today', ${of('charge', 'count(*)', `status = 3 and ${inHour('today')}`)}, 'yesterday', ${of('charge', 'count(*)', `status = 3 and ${inHour('yesterday')}`)}`,
          ),
        }),
      ),
    orderCharging: () =>
      one(
        object({
          workingPortNum: there('coalesce(sum(working_ports), 0)'),
          totalPortCount: there('coalesce(sum(port_count), 0)'),
          today: chargeSpan('today'),
          month: chargeSpan('month'),
          hours: hours(
            `'seconds', ${of('charge', 'coalesce(sum(seconds), 0)', `status = 3 and ${inHour('today')}`)}, 'energyDwh', ${of('charge', 'coalesce(sum(energy), 0)', `status = 3 and ${inHour('today')}`)}`,
          ),
        }),
      ),
    organiseTurnoverRanking: () =>
      one(
        object({
          by: byOwner === 'site' ? '2' : '1',
          ranking: owners(
            `select ${byOwner}_id as owner, sum(fen) as counted, count(*) as orders, sum(energy) as energy from truth.charge where ${where} and ${billed(spanOf)} and ${byOwner}_id is not null group by 1`,
            `'orderCount', orders, 'turnover', ${yuan('counted')}, 'energyDwh', energy`,
          ),
          turnover: of('charge', yuan('sum(fen)'), billed(spanOf)),
        }),
      ),
    orderScale: () =>
      one(
        object({
          items: `(select coalesce(jsonb_agg(jsonb_build_object('deviceTypeId', device_type_id::text, 'name', (select name from device_type where id = device_type_id), 'orderCount', orders, 'turnover', ${yuan('fen')}) order by fen desc, device_type_id), '[]')
            from (select device_type_id, count(*) as orders, sum(fen) as fen from truth.charge where ${where} and ${billed(spanOf)} group by 1) types)`,
          orderCount: of('charge', 'count(*)', billed(spanOf)),
          turnover: of('charge', yuan('sum(fen)'), billed(spanOf)),
        }),
      ),
    deviceTurnoverRanking: () =>
      one(
        `select coalesce(jsonb_agg(jsonb_build_object('deviceId', device_id::text, 'deviceNo', device.device_no, 'deviceName', device.name, 'siteName', site.name, 'positionX', coalesce(device.lng, site.lng)::float8, 'positionY', coalesce(device.lat, site.lat)::float8,
           'orderCount', orders, 'turnover', ${yuan('fen')}) order by fen desc, device_id, coalesce(first.site_id, 0)), '[]')
         from (select device_id, site_id, count(*) as orders, sum(fen) as fen from truth.charge where ${where} and ${billed(spanOf)} group by 1, 2 order by fen desc, device_id, coalesce(site_id, 0) limit 10) first
           join device on device.id = device_id left join site on site.id = first.site_id`,
      ),
    flylines: () =>
      one(
        object({
          level: String(area.level),
          to: middleSql(viewer, filter),
          lines: `(select coalesce(jsonb_agg(jsonb_build_object('code', area, 'name', ${area.name}, 'positionX', ${area.x}, 'positionY', ${area.y}, 'countNum', orders, 'turnover', ${yuan('fen')}) order by orders desc, area collate "C"), '[]')
            from (select ${area.code} as area, count(*) as orders, sum(fen) as fen from truth.charge where ${where} and ${billed('today')} group by 1) areas where area <> '' and ${area.x} is not null)`,
        }),
      ),
    latestOrders: () =>
      one(
        `select coalesce(jsonb_agg(jsonb_build_object('id', o.id::text, 'status', o.status, 'endedAt', to_char(first.at, 'YYYY-MM-DD HH24:MI:SS'), 'organiseName', organise.name, 'siteName', site.name,
           'regionName', coalesce(nullif(concat_ws(' ', (select name from region where adcode = site.city_code), (select name from region where adcode = site.district_code)), ''), '未知'),
           'deviceNo', o.device_no, 'deviceName', device.name, 'memberPhone', (select left(phone, 3) || '****' || right(phone, 4) from member where id = o.member_id), 'durationS', first.seconds, 'energyDwh', first.energy, 'turnover', ${yuan('first.fen')}) order by first.settled_at desc, first.id desc), '[]')
         from (select * from truth.charge where ${where} and status = 3 order by settled_at desc, id desc limit 20) first
           join charging_order o on o.id = first.id join organise on organise.id = o.organise_id left join site on site.id = o.site_id join device on device.id = o.device_id`,
      ),
    memberRegionRanking: () => {
      const placeSql = area.level === 4 ? 'site_id is not null' : 'true'
      const found = `(select ${area.code} as area, count(*) as counted from truth.member where ${placeSql} and ${anyClass} group by 1) found`
      return one(
        object({
          level: String(area.level),
          ranking: `(select coalesce(jsonb_agg(item order by place), '[]') from (select row_number() over (order by counted desc, area collate "C") as place, jsonb_build_object(${areaFields(area)}, 'countNum', counted, 'totalCount', (select sum(counted) from ${found})) as item from ${found} order by place limit 10) first)`,
        }),
      )
    },
    memberOrganiseCount: () =>
      one(
        object({
          by: byOwner === 'site' ? '2' : '1',
          ranking: owners(
            `select ${byOwner}_id as owner, count(*) as counted from truth.member where ${anyClass} and ${byOwner}_id is not null group by 1`,
            `'countNum', counted`,
          ),
          totalCount: `(select count(*) from truth.member where ${anyClass})`,
          todayCount: `(select count(*) from truth.member where ${anyClass} and ${spanSql.today})`,
        }),
      ),
    orderPc: () => one(object(moneySpans((span) => ({ energyDwh: energy(span) })))),
    memberPc: () => {
      const among = (table: string, what: string, span: Span) =>
        `(select ${what} from truth.${table} where ${anyClass} and ${spanSql[span]})`
      const memberSpan = (span: Span) =>
        object({
          registered: among('member', 'count(*)', span),
          rechargeCount: among('recharge', 'count(*)', span),
          recharged: among('recharge', yuan('sum(fen)'), span),
          rechargeRefunded: among('recharge_refund', yuan('sum(fen)'), span),
        })
      return one(
        object({
          memberCount: `(select count(*) from truth.member where ${anyClass})`,
          ...Object.fromEntries(spans.map((span) => [span, memberSpan(span)])),
        }),
      )
    },
  }
}

function middleSql({ organiseId, onlyOne }: Viewer, { district, city, province, ...filter }: Filter): string {
  const region = district ?? city ?? province
  const owner = onlyOne ? organiseId : (filter.organiseId ?? '1')
  const shown = (name: string, code: string) =>
    `(select jsonb_build_object('name', ${name}, 'positionX', lng, 'positionY', lat) from region where adcode = ${code})`
  return region === undefined
    ? shown(
        `(select name from organise where id = ${owner})`,
        `coalesce((select coalesce(district_code, city_code, province_code) from organise where id = ${owner}), '110000')`,
      )
    : shown('name', `'${region}'`)
}
