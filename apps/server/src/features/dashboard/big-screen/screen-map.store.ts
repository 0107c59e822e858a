import type { AreaDevice, AreaPoint } from '@wattdeck/contract/dashboard/big-screen-devices.ts'
import { areaLevel, areaPoints, areaState } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { type Level, pointsOf, type Spot } from './big-screen.rules.ts'
import { type ScreenParams, resolveScreenParams, type ScreenFilter, sumsOf } from './big-screen.store.ts'
import { describeAreas, sumsByArea } from './screen-areas.store.ts'
import type { Online } from './screen-devices.store.ts'

type Params = ScreenFilter & Online & { siteId?: string | undefined; zoom?: number | undefined }
type Shown = { level: Level; points: AreaPoint[]; devices: AreaDevice[]; count: number }

/**
 * Devices on the map. Districts and sites show current counts. Single devices are read only for one site, or for a
 * district that the map can show in full.
 */
export async function areaDevices(db: Db, scope: Scope, request: Params) {
  const params = await resolveScreenParams(db, request)
  const { siteId, isOnline } = request
  const place = { ...params, filter: { ...params.filter, siteId } }
  const { devices, online } = await sumsOf(db, scope, place, {
    from: 'stat_now_live',
    figures: ['devices', 'online'],
  })
  const all = Number(isOnline === undefined ? devices : isOnline === 1 ? online : devices - online)
  const single = siteId !== undefined || (params.level === areaLevel.code.site && devices <= areaPoints)
  const { count, ...shown } = single
    ? await eachDevice(db, scope, place, request)
    : await pointsThere(db, scope, params, request)
  return { ...shown, allDeviceCount: all, hiddenCount: Math.max(0, all - count) }
}

/** Up to this zoom the districts of a city coincide, so the map of the country shows cities. */
const countryZoom = 5
function pointLevel({ level }: ScreenParams, zoom = countryZoom): Level {
  const { site, city, district, province } = areaLevel.code
  if (level === province && zoom <= countryZoom) return city
  return level === site ? site : district
}

async function pointsThere(db: Db, scope: Scope, params: ScreenParams, { isOnline, zoom }: Params): Promise<Shown> {
  const level = pointLevel(params, zoom)
  const figures = ['devices', 'online', 'ports', 'working_ports', 'fault_ports'] as const
  const found = await sumsByArea(db, scope, params, { from: 'stat_now_live', figures }, level)
  const described = await describeAreas(
    db,
    level,
    [...found.keys()].filter((code) => code !== ''),
  )
  let count = 0
  const spots = [...found].flatMap(([code, sums]): Spot[] => {
    const { name, centre } = described(code)
    const [on, off] = [Number(sums.online), Number(sums.devices - sums.online)]
    const asks = isOnline === undefined ? on + off : isOnline === 1 ? on : off
    if (centre === null || asks <= 0) return []
    count += asks
    const counted = {
      allDeviceCount: on + off,
      onLineDeviceNum: on,
      offLineDeviceNum: off,
      totalPortCount: Number(sums.ports),
      workingPortNum: Number(sums.working_ports),
      faultPortNum: Number(sums.fault_ports),
    }
    return [{ code, name, x: centre[0], y: centre[1], figures: counted }]
  })
  return { level, points: pointsOf(spots, params.level, zoom), devices: [], count }
}

async function eachDevice(db: Db, scope: Scope, { filter }: ScreenParams, { isOnline }: Params): Promise<Shown> {
  const { siteId, region, categoryId } = filter
  const site =
    siteId === undefined
      ? undefined
      : await db.selectFrom('site').select('organise_id').where('id', '=', siteId).executeTakeFirst()
  const own = scope.level > 0 ? scope.organiseId : undefined
  const organiseIds = [filter.organiseId, own, ...(siteId === undefined ? [] : [site?.organise_id ?? '0'])]
  const conditions = [
    sql`device.deleted_at is null`,
    sql`coalesce(device.lng, site.lng) is not null and coalesce(device.lat, site.lat) is not null`,
    ...organiseIds.flatMap((id) => (id === undefined ? [] : [sql`device.organise_id = ${id}`])),
    ...(siteId === undefined ? [] : [sql`device.site_id = ${siteId}`]),
    ...(region === undefined || siteId !== undefined ? [] : [sql`device.district_code = ${region}`]),
    ...(categoryId === undefined ? [] : [sql`device.category_id = ${categoryId}`]),
    ...(isOnline === undefined ? [] : [sql`device.online = ${isOnline === 1}`]),
  ]
  const { rows } = await sql<Row>`
    select device.id::text as id, device.device_no as "deviceNo", device.name as "deviceName", site.id::text as "siteId", site.name as "siteName",
      coalesce(device.lng, site.lng)::float8 as "positionX", coalesce(device.lat, site.lat)::float8 as "positionY",
      device.online, device.port_count::int as "totalPortCount", device.working_ports::int as "workingPortNum", device.fault_ports::int as "faultPortNum"
    from device left join site on site.id = device.site_id where ${sql.join(conditions, sql` and `)}
    order by device.id desc limit ${areaPoints}`.execute(db)
  const devices = rows.map(({ online, ...row }): AreaDevice => ({ ...row, state: stateOf(online, row) }))
  return { level: areaLevel.code.site, points: [], devices, count: devices.length }
}

type Row = Omit<AreaDevice, 'state'> & { online: boolean }
function stateOf(
  online: boolean,
  { faultPortNum, workingPortNum }: Pick<AreaDevice, 'faultPortNum' | 'workingPortNum'>,
) {
  if (!online) return areaState.code.offline
  if (faultPortNum > 0) return areaState.code.fault
  return workingPortNum > 0 ? areaState.code.working : areaState.code.free
}
