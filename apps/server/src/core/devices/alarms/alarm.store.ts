import type { AlarmRule } from '@wattdeck/contract/product/alarm-center.ts'
import { type AlarmKindCode, alarmFlow, alarmKind, alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { type Finding, healthySince, type ReportedSignal, type Verdict } from './alarm-judge.ts'

const atOnce = 5000

/**
 * Organisations with due signals, alarms to close or alarms without a notification; with grouping, also those whose
 * incidents may change. Organisations in back-off are excluded before the limit, so that their backlog hides no other.
 */
export async function organisesDue(db: Db, resting: readonly string[], grouping: boolean) {
  const { rows } = await sql<{ id: string }>`
    select distinct organise_id as id from (
      (
        select d.organise_id
        from alarm_signal s
        join device d on d.id = s.device_id
        where s.due_at <= now()
          and d.organise_id <> all(${resting}::bigint[])
        order by s.due_at, s.id
        limit ${atOnce}
      )
      union all
      (
        select organise_id
        from alarm
        where status < 3
          and close_at <= now()
          and organise_id <> all(${resting}::bigint[])
        order by close_at
        limit ${atOnce}
      )
      union all
      select organise_id from alarm where status < 3 and told_at is null and organise_id <> all(${resting}::bigint[])
      union all
      select organise_id from incident where ${grouping} and status = 1 and organise_id <> all(${resting}::bigint[])
      union all
      select organise_id
      from alarm
      where ${grouping}
        and status < 3
        and incident_id is null
        and created_at > now() - interval '30 minutes'
        and organise_id <> all(${resting}::bigint[])
    ) as due`.execute(db)
  return rows.map(({ id }) => id)
}

/** Due signals with the state of their devices. Signals of removed devices raise no alarm. */
export async function dueSignals(db: Db, organiseId: string): Promise<ReportedSignal[]> {
  const { rows } = await sql<ReportedSignal>`
    select s.id, s.device_id as "deviceId", d.organise_id as "organiseId", s.port_no as "portNo", s.kind, s.sick,
      (extract(epoch from s.at) * 1000)::float8 as "atMs", s.detail, d.online and d.deleted_at is null as online,
      d.status = 0 or d.deleted_at is not null as stopped,
      coalesce((extract(epoch from coalesce(t.online_until, s.at)) * 1000)::float8, 0) as "offlineSinceMs",
      case when s.kind = ${alarmKind.code.shortOrders}::smallint then array(
        select (other.detail ->> 'durationS')::int from alarm_signal other
        where other.device_id = s.device_id and other.kind = s.kind and other.port_no = s.port_no and other.key is not null
          and other.at > s.at - interval '1 hour' and other.at <= s.at) else '{}' end as "durationsS"
    from (
      select own.*
      from alarm_signal own
      join device on device.id = own.device_id
      where own.due_at <= now()
        and device.organise_id = ${organiseId}
      order by own.due_at, own.id
      limit ${atOnce}
    ) s
    join device d on d.id = s.device_id
    left join device_state t on t.device_id = s.device_id
    order by s.at, s.id`.execute(db)
  return rows
}

export async function settleSignals(
  db: Db,
  judged: readonly { signal: ReportedSignal; verdict: Verdict }[],
): Promise<void> {
  const rowsToKeep = judged.filter(({ verdict }) => verdict.keepUntilMs !== undefined)
  const rowsToDelete = judged.filter(({ verdict }) => verdict.keepUntilMs === undefined)
  await sql`delete from alarm_signal where id = any(${rowsToDelete.map(({ signal }) => signal.id)}::bigint[])`.execute(
    db,
  )
  if (rowsToKeep.length > 0)
    await sql`update alarm_signal s set due_at = to_timestamp(u.due)
      from unnest(${rowsToKeep.map(({ signal }) => signal.id)}::bigint[],
        ${rowsToKeep.map(({ verdict }) => (verdict.keepUntilMs ?? 0) / 1000)}::float8[]) as u (id, due) where s.id = u.id`.execute(
      db,
    )
}

/** An alarm that was newly raised. */
export type Raised = {
  id: string
  organise_id: string
  agent_id: string | null
  site_id: string | null
  deviceId: string
  deviceNo: string
  portNo: number
  kind: AlarmKindCode
  detail: Record<string, unknown>
}
type RuleOf = (deviceId: string, kind: AlarmKindCode) => AlarmRule | undefined

/**
 * Raises an alarm per sick finding, or counts it on the open alarm. A finding that is not newer than the open or closed
 * alarm is a duplicate and raises nothing.
 */
export async function raiseAlarms(db: Db, findings: readonly Finding[], ruleOf: RuleOf) {
  const sick = findings.filter(({ times }) => times > 0)
  if (sick.length === 0) return []
  const column = <V>(of: (finding: Finding, rule: AlarmRule | undefined) => V): V[] =>
    sick.map((finding) => of(finding, ruleOf(finding.deviceId, finding.kind)))
  const { rows } = await sql<Raised & { fresh: boolean }>`
    insert into alarm as a (organise_id, agent_id, site_id, device_id, device_no, port_no, kind, severity, count, first_at,
      last_at, healthy_since, close_at, detail)
    select d.organise_id, d.agent_id, d.site_id, d.id, d.device_no, u.port_no, u.kind, u.severity, u.times,
      to_timestamp(u.first), to_timestamp(u.last), to_timestamp(u.healthy),
      to_timestamp(u.healthy) + make_interval(mins => u.hold), u.detail::jsonb
    from unnest(${column((f) => f.deviceId)}::bigint[], ${column((f) => f.portNo)}::smallint[], ${column((f) => f.kind)}::smallint[],
      ${column((_, rule) => rule?.severity ?? 3)}::smallint[], ${column((f) => f.times)}::int[],
      ${column((f) => f.firstMs / 1000)}::float8[], ${column((f) => f.lastMs / 1000)}::float8[],
      ${column((f) => secondsOf(healthySince(f)))}::float8[], ${column((_, rule) => rule?.holdDownMin ?? 0)}::int[],
      ${column((f) => JSON.stringify(f.detail))}::text[])
      as u (device_id, port_no, kind, severity, times, first, last, healthy, hold, detail)
    join device d on d.id = u.device_id and d.deleted_at is null
    where not exists (select from alarm old where old.device_id = u.device_id and old.kind = u.kind and old.port_no = u.port_no
      and old.status = ${alarmStatus.code.closed}::smallint and old.last_at >= to_timestamp(u.last))
    on conflict (device_id, port_no, kind) where status < 3 do update set count = a.count + excluded.count,
      last_at = excluded.last_at, healthy_since = excluded.healthy_since, close_at = excluded.close_at, detail = excluded.detail
    where excluded.last_at > a.last_at
    returning a.id, a.organise_id, a.agent_id, a.site_id, a.device_id as "deviceId", a.device_no as "deviceNo",
      a.port_no as "portNo", a.kind, a.detail, a.xmax = 0 as fresh`.execute(db)
  return rows.filter(({ fresh }) => fresh)
}

const secondsOf = (ms: number | undefined) => (ms === undefined ? null : ms / 1000)

/** Starts the hold-down of alarms whose findings are healthy. */
export async function healAlarms(db: Db, findings: readonly Finding[], ruleOf: RuleOf): Promise<void> {
  const well = findings.filter(({ times, healthyMs }) => times === 0 && healthyMs > 0)
  if (well.length === 0) return
  await sql`update alarm a set healthy_since = to_timestamp(u.healthy), close_at = to_timestamp(u.healthy) + make_interval(mins => u.hold)
    from unnest(${well.map((f) => f.deviceId)}::bigint[], ${well.map((f) => f.portNo)}::smallint[],
      ${well.map((f) => f.kind)}::smallint[], ${well.map((f) => f.healthyMs / 1000)}::float8[],
      ${well.map((f) => ruleOf(f.deviceId, f.kind)?.holdDownMin ?? 0)}::int[]) as u (device_id, port_no, kind, healthy, hold)
    where a.device_id = u.device_id and a.port_no = u.port_no and a.kind = u.kind and a.status < 3
      and a.healthy_since is null and to_timestamp(u.healthy) > a.last_at`.execute(db)
}

export type Closing = {
  id: string
  kind: AlarmKindCode
  online: boolean
  plug: number | null
}

/** Alarms whose hold-down is over, with the current state of their devices. */
export async function alarmsToClose(db: Db, organiseId: string): Promise<Closing[]> {
  const { rows } = await sql<Closing>`
    select a.id, a.kind, d.online, p.status as plug
    from alarm a join device d on d.id = a.device_id
    left join port p on p.device_id = a.device_id and p.port_no = a.port_no
    where a.organise_id = ${organiseId} and a.status < 3 and a.close_at <= now()
    order by a.close_at limit ${atOnce} for update of a skip locked`.execute(db)
  return rows
}

export async function closeAlarms(db: Db, ids: readonly string[]): Promise<void> {
  await sql`update alarm set status = ${alarmFlow.to('close')}, closed_at = now(), closed_by = '系统',
      close_reason = '设备已恢复正常', close_at = null
    where id = any(${ids}::bigint[]) and status = any(${alarmFlow.from('close')}::smallint[])`.execute(db)
}

/** Cancels the hold-down of alarms that are still sick; the next healthy signal starts it again. */
export async function reopenWatch(db: Db, ids: readonly string[]): Promise<void> {
  await sql`update alarm set healthy_since = null, close_at = null where id = any(${ids}::bigint[])`.execute(db)
}

/** Postpones the check of alarms of offline devices, whose health is unknown. */
export async function lookLater(db: Db, ids: readonly string[]): Promise<void> {
  await sql`update alarm set close_at = now() + interval '5 minutes' where id = any(${ids}::bigint[])`.execute(db)
}
