import { commandFlow, commandStatus, maxWaitHours, whenOffline } from '@wattdeck/contract/product/device-command.ts'
import type { DeviceCommand } from '@wattdeck/device-protocol/message.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { followPushes } from './tariff-confirm.store.ts'

/** SQL condition: commands young enough to be open. Older partitions are not scanned. */
export const alive = (table = 'device_command'): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${table}.id`)} >= app.message_id(now() - make_interval(hours => ${sql.lit(maxWaitHours + 1)}))`

export type NewCommand = {
  deviceId: string
  command: DeviceCommand
  whenOffline: number
  livesS: number
  by: { userId: string | null; name: string }
  job?: { id: string; seq: number } | undefined
  codeId?: string | undefined
  /** The platform has executed the command itself, because the protocol has none for it. */
  doneAlready?: boolean | undefined
}

/** Enqueues a command in the caller's scope and transaction (outbox); a worker sends it after the commit. */
export async function enqueueCommand(db: Db, request: NewCommand): Promise<string | undefined> {
  const { deviceId, command, by, job, livesS, doneAlready = false } = request
  const portNo = 'port' in command && command.port !== 'auto' ? command.port : null
  const { rows } = await sql<{ id: string }>`
    insert into device_command (organise_id, agent_id, site_id, device_id, kind, port_no, content, status, ended_at, when_offline, expires_at,
      job_id, job_seq, code_id, user_id, issued_by)
    select organise_id, agent_id, site_id, id, ${command.kind}, ${portNo}::smallint, ${JSON.stringify(command)}::jsonb,
      ${doneAlready ? commandStatus.code.done : commandStatus.code.queued}::smallint, case when ${doneAlready} then now() end,
      ${request.whenOffline}::smallint, now() + make_interval(secs => ${livesS}), ${job?.id ?? null}::bigint, ${job?.seq ?? null}::int,
      ${request.codeId ?? null}::bigint, ${by.userId}::bigint, ${by.name}
    from device where id = ${deviceId} and deleted_at is null returning id`.execute(db)
  return rows[0]?.id
}

/** Supersedes the last command of a job row that is retried. Returns the status of that command. */
export async function supersede(db: Db, jobId: string, seq: number): Promise<number | undefined> {
  const { rows } = await sql<{ status: number }>`update device_command set superseded = true
    where job_id = ${jobId} and job_seq = ${seq} and not superseded returning status`.execute(db)
  return rows[0]?.status
}

/** Cancels commands of a job that were not sent yet. */
export async function cancelOfJob(db: Db, jobId: string): Promise<void> {
  await db
    .updateTable('device_command')
    .set({ status: commandFlow.to('cancel'), reason: 'cancelled', ended_at: sql<string>`now()` })
    .where('job_id', '=', jobId)
    .where('superseded', '=', false)
    .where('status', '=', sql<number>`any(${commandFlow.from('cancel')})`)
    .execute()
}

/** By device: how many commands it was sent, and the gateway that it is connected to. */
export type DeviceStates = Map<string, { count: number; gateway: number }>

/**
 * Locks the states of the devices of commands. Whoever changes several commands holds these locks, as the storage of device
 * messages does, which answers them. Locks in another order wait for each other in a circle.
 */
export async function lockDevices(db: Db, of: readonly { deviceId: string }[]): Promise<DeviceStates> {
  const deviceIds = [...new Set(of.map(({ deviceId }) => deviceId))]
  const { rows } = await sql<{ id: string; count: string; gateway: number | null }>`
    select device_id as id, command_count as count, gateway from device_state
    where device_id = any(${deviceIds}::bigint[]) order by device_id for update`.execute(db)
  return new Map(rows.map(({ id, count, gateway }) => [id, { count: Number(count), gateway: gateway ?? 0 }]))
}

export type End = {
  id: string
  deviceId: string
  reason?: string | null | undefined
  result?: object | null | undefined
  answerId?: string | null | undefined
}
type Ended = {
  id: string
  kind: string
  deviceId: string
  portNo: number | null
  reason: string | null
  codeId: string | null
}
type Ending = 'succeed' | 'refuse' | 'fail' | 'timeOut'

/** Ends commands whose status allows it. Missing commands and commands of another device are ignored. */
export async function endCommands(db: Db, ending: Ending, ends: readonly End[]): Promise<Ended[]> {
  if (ends.length === 0) return []
  const ids = ends.map(({ id }) => id)
  const { rows } = await sql<Ended>`
    update device_command c set status = ${commandFlow.to(ending)}::smallint, ended_at = now(), reason = u.reason,
      result = u.result::jsonb, answer_id = u.answer
    from unnest(${ids}::bigint[], ${ends.map(({ deviceId }) => deviceId)}::bigint[], ${ends.map(({ reason }) => reason ?? null)}::text[],
      ${ends.map(({ result }) => (result == null ? null : JSON.stringify(result)))}::text[],
      ${ends.map(({ answerId }) => answerId ?? null)}::bigint[]) as u (id, device_id, reason, result, answer)
    where c.id = u.id and c.id = any(${ids}::bigint[]) and c.device_id = u.device_id and c.status = any(${commandFlow.from(ending)}::smallint[])
    returning c.id, c.kind, c.device_id as "deviceId", c.port_no as "portNo", c.reason, c.code_id as "codeId"`.execute(
    db,
  )
  await followAttributes(
    db,
    rows.filter(({ kind }) => kind === 'writeAttributes').map(({ id }) => id),
  )
  await followPushes(
    db,
    rows.filter(({ kind }) => kind === 'setTariff').map(({ id }) => id),
  )
  return rows
}

/** Sets the status of written attributes by the result of their command. */
async function followAttributes(db: Db, commandIds: readonly string[]): Promise<void> {
  if (commandIds.length === 0) return
  const { done } = commandStatus.code
  await sql`update device_attribute a set desired_status = case when c.status = ${done} then 2 else 3 end, reason = c.reason
    from device_command c where c.id = any(${commandIds}::bigint[]) and a.device_id = c.device_id and a.command_id = c.id and a.desired_status = 1`.execute(
    db,
  )
}

/** Handles commands that were not sent, because the device has no connection: parks those that may wait, fails the rest. */
export async function parkOrFail(db: Db, ids: readonly string[], reason: string): Promise<void> {
  if (ids.length === 0) return
  await sql`update device_command set status = ${commandFlow.to('park')}::smallint, sent_at = null, answer_by = null
    where id = any(${ids}::bigint[]) and status = any(${commandFlow.from('park')}::smallint[]) and when_offline = ${whenOffline.code.wait}
      and expires_at > now()`.execute(db)
  const { rows } = await sql<{ id: string; deviceId: string }>`select id, device_id as "deviceId" from device_command
    where id = any(${ids}::bigint[]) and status = any(${[commandStatus.code.queued, commandStatus.code.sent]}::smallint[])`.execute(
    db,
  )
  await endCommands(
    db,
    'fail',
    rows.map((row) => ({ ...row, reason })),
  )
}

/** Enqueues the parked commands of devices that came online. */
export async function wakeParked(db: Db, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return
  const woken = await sql`update device_command set status = ${commandFlow.to('wake')}::smallint
    where device_id = any(${deviceIds}::bigint[]) and status = ${sql.lit(commandStatus.code.parked)} and ${alive()}`.execute(
    db,
  )
  if ((woken.numAffectedRows ?? 0n) > 0n) await sql`select pg_notify('device_command', '')`.execute(db)
}
