import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type pg from 'pg'

/** The calls of the big screen, and what they read: figures added up by district, month and hour, and rows of devices. */
type Filter = Record<string, string | number>
export type ScreenCase = { name: string; who: 'platform' | 'organise'; route: AnyRoute; query: Filter }

const big = { province: '440000' }
const filters: [string, Filter][] = [
  ['', {}],
  [', a class', { deviceFirstClass: '98' }],
  [', a province', big],
  [', a district', { district: '440305' }],
]
const takes = (route: AnyRoute, filter: Filter) =>
  Object.keys(filter).every((name) =>
    [route.body, route.query].some((schema) => name in (schema as { shape: object }).shape),
  )

export const screenCases: ScreenCase[] = Object.entries(bigScreen)
  .filter(([name]) => name !== 'heartbeat')
  .flatMap(([name, route]) =>
    (['platform', 'organise'] as const).flatMap((who) => {
      const asked = filters
        .filter(([, filter]) => takes(route, filter))
        .map(([said, query]) => ({ name: `${name}, ${who}${said}`, who, route, query }))
      const month = { ...big, span: 2 }
      return takes(route, { span: 2 })
        ? [...asked, { name: `${name}, ${who}, a province, months`, who, route, query: month }]
        : asked
    }),
  )

const types = [1, 2, 3, 4, 5]

/** Kinds of devices: one class with most of them, one with few. Sites get a district each, all over the country however few they are. */
export async function addPlaces(client: pg.Client): Promise<void> {
  await client.query(
    `insert into device_category (id, level, code, name) values (98, 1, '98', '少见大类'), (97, 1, '97', '常见大类')`,
  )
  await client.query(
    `insert into device_category (id, parent_id, level, code, name) values (981, 98, 2, '98-01', '小类'), (971, 97, 2, '97-01', '小类')`,
  )
  await client.query(`insert into dtu_protocol (id, code, name, version, adapter, transport, access_way, heartbeat_s)
    values (991, 'BENCH', 'BENCH', '1', 'dny', 1, 0, 60)`)
  for (const type of types)
    await client.query(
      `insert into device_type (id, code, name, category_id, small_category_id, port_count, metering, rated_w, protocol_id)
       values ($1, $2, '桩' || $1::bigint, $3, $4, 2, 0, 1000, 991)`,
      [type, `${type === 5 ? 98 : 97}-01-0${type}`, type === 5 ? 98 : 97, type === 5 ? 981 : 971],
    )
  // Without triggers: there is nothing at these sites yet that would move with them.
  await client.query('set session_replication_role = replica')
  await client.query(
    `update site set district_code = placed.adcode, city_code = placed.parent_adcode, province_code = left(placed.adcode, 2) || '0000', lng = placed.lng, lat = placed.lat
     from (select adcode, parent_adcode, lng, lat, row_number() over (order by adcode) - 1 as place, count(*) over () as all_of from region where level = 3) placed
     where placed.place = site.id * 1597 % placed.all_of`,
  )
  await client.query('set session_replication_role = origin')
}

/** Without triggers: what they would add up is written below as it would be. */
export async function addScreenFigures(client: pg.Client, devices: number): Promise<void> {
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into device (id, organise_id, agent_id, site_id, device_no, name, device_type_id, category_id, small_category_id, adapter, wire_id, port_count, free_ports, online, province_code, city_code, district_code)
     select n, site.organise_id, site.agent_id, site.id, 'BENCH' || n, '设备' || n, made.type, case made.type when 5 then 98 else 97 end, case made.type when 5 then 981 else 971 end, 'dny', 'BENCH' || n, 2, 2, n % 10 > 0,
       site.province_code, site.city_code, site.district_code
     from (select n, case when n % 500 = 0 then 5 else 1 + n % 4 end as type from generate_series(1, $1::int) n) made
     join site on site.id = 1 + n % (select count(*) from site)`,
    [devices],
  )
  const standing = `count(*), count(*) filter (where online), sum(port_count), coalesce(sum(port_count) filter (where online), 0), sum(free_ports)`
  await client.query('delete from stat_now')
  const now = (kind: number, place: string) =>
    client.query(
      `insert into stat_now (kind, organise_id, agent_id, site_id, district, device_type_id, devices, online, ports, online_ports, free_ports)
       select ${kind}, ${place}, device_type_id, ${standing} from device group by 2, 3, 4, 5, 6`,
    )
  await now(0, `0::bigint, 0::bigint, 0::bigint, ''::text`)
  await now(1, `0::bigint, 0::bigint, 0::bigint, district_code`)
  await now(2, `organise_id, 0::bigint, 0::bigint, district_code`)
  await now(3, `organise_id, 0::bigint, 0::bigint, ''::text`)
  await now(5, `organise_id, agent_id, site_id, ''::text`)
  for (const [kind, place] of [
    [1, `0, district`],
    [2, 'organise_id, district'],
    [3, `organise_id, ''`],
  ] as const)
    await client.query(
      `insert into stat_now (kind, organise_id, agent_id, site_id, district, device_type_id, members)
       select ${kind}, ${place.replace(',', ', 0, 0,')}, 0, count(*) * 10 from (select organise_id, district_code as district from site) site group by ${place.replace(/^0, |, ''$/, '')}`,
    )
  await addDays(client)
  await addRegions(client)
  await client.query(`insert into stat_device (span, period, organise_id, agent_id, site_id, district, category_id, device_id, orders, turnover_fen)
    select span, case span when 1 then day else date_trunc('month', day::timestamp)::date end, organise_id, agent_id, site_id, district_code, category_id, id, 1, 100 + hashint8(id) % 100000
    from device, (select (now() at time zone 'Asia/Shanghai')::date as day) today, generate_series(1, 2) span where span = 2 or id % 3 = 0`)
  await client.query(`insert into charging_order (id, organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, card_id, start_mode, billing_type,
      status, limit_by, limit_value, held_paid_fen, started_at, ended_at, duration_s, energy_dwh, electricity_fen, total_fen, paid_fen, settled_at)
    select app.message_id(now()) + id, organise_id, agent_id, site_id, id, 1, device_no, device_type_id, id::text, id, 2, 0, 3, 1, 300, 51, now(), now(), 3600, 5000, 51, 51, 51, now() - make_interval(secs => hashint8(id) % 86400)
    from device where id % 5 = 0`)
  await client.query(`insert into stat_latest (order_id, settled_at, organise_id, agent_id, site_id, district, category_id, fresh)
    select o.id, o.settled_at, o.organise_id, o.agent_id, o.site_id, device.district_code, device.category_id, false from charging_order o join device on device.id = o.device_id`)
  await client.query('set session_replication_role = origin')
}

/** Districts have figures on the days that charts go back, and in the months of years; everything else has its months. */
async function addDays(client: pg.Client): Promise<void> {
  const into = (table: string, when: string) =>
    `insert into ${table} (${when}, kind, organise_id, agent_id, site_id, district, device_type_id, orders, seconds, energy_dwh, electricity_fen, service_fen, paid_fen, members, devices)`
  const figures = '3, 10800, 15000, 93, 60, 153, 1, 1'
  const districts = `(select 1 as kind, 0::bigint as organise_id, district_code, type from (select distinct district_code from site) site, unnest(array[1, 2]) type
    union all select 2, organise_id, district_code, 1 from (select distinct organise_id, district_code from site where organise_id = 2) own) places`
  await client.query(
    `${into('stat_day', 'day')} select (now() at time zone 'Asia/Shanghai')::date - back, kind, organise_id, 0, 0, district_code, type, ${figures} from ${districts}, generate_series(0, 31) back`,
  )
  await client.query('truncate stat_month')
  await client.query(
    `insert into stat_month (month, kind, organise_id, agent_id, site_id, district, device_type_id, orders, electricity_fen, service_fen, paid_fen)
     select date_trunc('month', day::timestamp)::date, kind, organise_id, agent_id, site_id, district, device_type_id, sum(orders), sum(electricity_fen), sum(service_fen), sum(paid_fen) from stat_day group by 1, 2, 3, 4, 5, 6, 7`,
  )
  await client.query(
    `${into('stat_month', 'month')} select (date_trunc('month', now() at time zone 'Asia/Shanghai') - make_interval(months => back))::date, kind, organise_id, 0, 0, district_code, type, ${figures}
     from ${districts}, generate_series(2, 35) back on conflict do nothing`,
  )
  await client.query(
    `${into('stat_hour', 'hour')} select date_trunc('hour', now()) - make_interval(hours => back), kind, organise_id, 0, 0, district, type, ${figures}
     from (select kind, organise_id, district_code as district, type from ${districts} union all select 0, 0, '', type from unnest(array[1, 2, 3, 4, 5]) type union all select 3, id, '', 1 from organise where id > 1) places, generate_series(0, 47) back`,
  )
}

/** Provinces and cities are the sums of their districts. */
async function addRegions(client: pg.Client): Promise<void> {
  for (const [table, when] of [
    ['stat_day', 'day, '],
    ['stat_month', 'month, '],
    ['stat_hour', 'hour, '],
    ['stat_now', ''],
  ] as const)
    await client.query(`do $$ declare figures text[] := app.stat_figures('${when === '' ? 'stat_now' : 'stat_day'}'); begin
      execute (select format('insert into ${table} (${when}kind, organise_id, agent_id, site_id, district, device_type_id, %s)
        select ${when}kind + shift, organise_id, 0, 0, region, device_type_id, %s
        from ${table}, lateral (values (5 + (kind = 2)::int, app.province_of(district)), (6 + (kind = 2)::int, app.city_of(district))) place (shift, region)
        where kind in (1, 2) group by ${when}kind + shift, organise_id, region, device_type_id',
        string_agg(name, ', '), string_agg('sum(' || name || ')', ', ')) from unnest(figures) name);
    end $$`)
}
