import { type AlarmKindCode, causeDimension, incidentFlow } from '@wattdeck/contract/product/alarm-codes.ts'
import type { Fleet } from '@wattdeck/domain/common-cause.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

export const dimensionOf = causeDimension.code

/** The traits of a device, as rows `(dimension, value)`; `d` is the device and `s` its state. */
const traits = sql`(values (${dimensionOf.site}::smallint, d.site_id::text), (${dimensionOf.carrier}::smallint, app.sim_carrier(d.iccid)),
  (${dimensionOf.firmware}::smallint, d.software_version), (${dimensionOf.type}::smallint, d.device_type_id::text),
  (${dimensionOf.batch}::smallint, d.installed_at::date::text), (${dimensionOf.gateway}::smallint, s.gateway::text)) as trait (dimension, value)`

/** An alarm younger than this may belong to a current incident. */
const recent = sql.raw(`interval '30 minutes'`)

/** Adds new alarms to open incidents whose trait their device shares. Returns whether an incident grew. */
export async function joinIncidents(db: Db, organiseId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with joining as (
      select distinct on (a.id) a.id, i.id as incident_id from incident i
      join alarm a on a.organise_id = i.organise_id and a.kind = i.kind and a.incident_id is null and a.status < 3
        and a.created_at > i.started_at - ${recent}
      join device d on d.id = a.device_id join device_state s on s.device_id = d.id
      join lateral ${traits} on trait.dimension = i.dimension and trait.value = i.value
      where i.organise_id = ${organiseId} and i.status = 1 and i.grown_at > now() - ${recent} order by a.id, i.id
    )
    update alarm set incident_id = joining.incident_id from joining where alarm.id = joining.id
    returning alarm.incident_id as id`.execute(db)
  await recount(db, [...new Set(rows.map(({ id }) => id))])
  return rows.length > 0
}

const recount = (db: Db, ids: readonly string[]) =>
  sql`update incident i set devices = now.devices, fleet = greatest(i.fleet, now.devices), grown_at = now()
    from (select incident_id, count(distinct device_id)::int as devices from alarm where incident_id = any(${ids}::bigint[])
      group by incident_id) now where i.id = now.incident_id`.execute(db)

export type Burst = { organiseId: string; kind: AlarmKindCode }

/**
 * Kinds of alarms of several devices that are recent and ungrouped. A burst must pause for 15 seconds or last two minutes
 * (debounce): an earlier decision would rest on the first few devices only.
 */
export async function bursts(
  db: Db,
  organiseId: string,
  fewest: number,
  kinds: readonly AlarmKindCode[],
): Promise<Burst[]> {
  const { rows } = await sql<Burst>`
    select organise_id as "organiseId", kind from alarm
    where organise_id = ${organiseId} and status < 3 and incident_id is null and created_at > now() - ${recent}
      and kind = any(${kinds}::smallint[])
    group by organise_id, kind
    having count(distinct device_id) >= ${fewest}
      and (max(created_at) < now() - interval '15 seconds' or min(created_at) < now() - interval '2 minutes')
    limit 50`.execute(db)
  return rows
}

type TraitRow = { id: string; dimension: number; value: string | null }

/** The devices of a burst with their traits; a device with several alarms counts once. */
export async function failingDevices(db: Db, { organiseId, kind }: Burst) {
  const { rows } = await sql<TraitRow>`
    select d.id, trait.dimension, trait.value from (
      select distinct device_id from alarm where organise_id = ${organiseId} and kind = ${kind} and status < 3
        and incident_id is null and created_at > now() - ${recent}) failing
    join device d on d.id = failing.device_id join device_state s on s.device_id = d.id cross join lateral ${traits}`.execute(
    db,
  )
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => ({
    id,
    traits: Object.fromEntries(own.map(({ dimension, value }) => [String(dimension), value])),
  }))
}

/** Number of devices of an organisation per trait. Devices that never connected are excluded. */
export async function fleetOf(db: Db, organiseId: string): Promise<Fleet> {
  const { rows } = await sql<{ dimension: number; value: string; devices: number; total: number }>`
    with spoken as (select d.*, s.gateway from device d join device_state s on s.device_id = d.id
      where d.organise_id = ${organiseId} and d.deleted_at is null and s.last_seen_at is not null)
    select trait.dimension, trait.value, count(*)::int as devices, (select count(*)::int from spoken) as total
    from spoken d cross join lateral (select d.gateway) s cross join lateral ${traits}
    where trait.value is not null group by 1, 2`.execute(db)
  const counts = new Map<string, Map<string, number>>()
  for (const { dimension, value, devices } of rows) {
    const values = counts.get(String(dimension)) ?? new Map<string, number>()
    counts.set(String(dimension), values.set(value, devices))
  }
  return { total: rows[0]?.total ?? 0, counts }
}

type NewIncident = Burst & { dimension: number; value: string; ids: readonly string[]; fleet: number }

/** Labels sites and models by name, other traits by value. An incident of a site belongs to that site. */
export async function addIncident(db: Db, incident: NewIncident): Promise<string> {
  const { organiseId, kind, dimension, value, ids, fleet } = incident
  const siteId = dimension === dimensionOf.site ? value : null
  const { rows } = await sql<{ id: string; label: string }>`
    insert into incident (organise_id, agent_id, site_id, kind, dimension, value, label, devices, fleet, started_at)
    select ${organiseId}::bigint, (select agent_id from site where id = ${siteId}::bigint), ${siteId}::bigint, ${kind}::smallint, ${dimension}::smallint, ${value}::text,
      coalesce((select name from site where id = ${siteId}::bigint),
        (select name from device_type where id = ${dimension === dimensionOf.type ? value : null}::bigint), ${value}::text),
      ${ids.length}::int, ${fleet}::int, (select min(first_at) from alarm where device_id = any(${ids}::bigint[]) and kind = ${kind} and status < 3)
    on conflict (organise_id, kind, dimension, value) where status = 1 do update set grown_at = now()
    returning id, label`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an incident was not stored')
  await sql`update alarm set incident_id = ${row.id} where device_id = any(${ids}::bigint[]) and kind = ${kind}
    and organise_id = ${organiseId} and status < 3 and incident_id is null`.execute(db)
  await recount(db, [row.id])
  return row.label
}

/** Ends incidents without open alarms. */
export async function endIncidents(db: Db, organiseId: string): Promise<boolean> {
  const { rows } = await sql`
    update incident i set status = ${incidentFlow.to('end')}, ended_at = now()
    where i.organise_id = ${organiseId} and i.status in (${sql.join(incidentFlow.from('end').map((status) => sql.lit(status)))})
      and not exists (select from alarm a where a.incident_id = i.id and a.status < 3)
    returning i.id`.execute(db)
  return rows.length > 0
}
