import type { CommandFailure, ConnectionEvent } from '@wattdeck/contract/events/device-bus.ts'
import { alarmKind } from '@wattdeck/contract/product/alarm-codes.ts'
import { wireScale } from '@wattdeck/device-protocol/attribute-scale.ts'
import type { CommandResultEvent, DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { raise } from './alarms/alarm-signal.store.ts'
import { noticeSwap } from './code-swap.store.ts'
import { type End, endCommands, parkOrFail } from './command.store.ts'
import type { Incoming } from './envelope.ts'

type Owner = { organiseId: string; agentId: string | null; siteId: string | null }
type Result = { id: string; messageId: string }

/** Failures after which it is unknown whether the device executed the command. */
const unknown: ReadonlySet<CommandFailure> = new Set(['lineLost', 'noAnswer'])
const isNumber = (id: string | undefined): id is string => id !== undefined && /^[1-9]\d{0,18}$/.test(id)

/** Applies command results of gateways and devices, in the transaction that stores their messages. */
export async function processCommandResults(
  db: Db,
  items: readonly Incoming[],
  owners: ReadonlyMap<string, Owner>,
): Promise<void> {
  const frames: Result[] = []
  const [succeeded, refused, failed, timedOut]: [End[], End[], End[], End[]] = [[], [], [], []]
  const absent: string[] = []
  const read: { item: Incoming; event: CommandResultEvent }[] = []
  for (const item of items) {
    const event = item.e as ConnectionEvent | DeviceEvent
    if (event.kind === 'command') frames.push({ id: event.commandId, messageId: item.id })
    else if (event.kind === 'commandFailed') {
      const end = { id: event.commandId, deviceId: item.d, reason: event.reason }
      if (event.reason === 'absent') absent.push(end.id)
      else (unknown.has(event.reason) ? timedOut : failed).push(end)
    } else if (event.kind === 'commandResult' && isNumber(event.commandId)) {
      const end = { id: event.commandId, deviceId: item.d, answerId: item.id }
      const { port, orderNo, attributes, waitingPorts, restartNeeded, refusal } = event
      const result = { port, orderNo, attributes, waitingPorts, restartNeeded }
      if (event.ok) succeeded.push({ ...end, result })
      else refused.push({ ...end, result, reason: refusal?.name ?? 'unknown' })
      if (event.ok && attributes !== undefined) read.push({ item, event })
    }
  }
  await keepFrames(db, frames)
  await endCommands(db, 'succeed', succeeded)
  await lookForSwaps(db, await endCommands(db, 'refuse', refused))
  await endCommands(db, 'fail', failed)
  await endCommands(db, 'timeOut', timedOut)
  await parkOrFail(db, absent, 'absent')
  await keepReported(db, read, owners)
}

/** Checks starts by code at an unplugged port: the code may be stuck on another device. */
async function lookForSwaps(db: Db, refused: Awaited<ReturnType<typeof endCommands>>): Promise<void> {
  const atMs = Date.now()
  for (const { id, deviceId, portNo, reason, codeId } of refused) {
    if (codeId === null || reason !== 'unplugged') continue
    const suspicion = await noticeSwap(db, { codeId, deviceId, refusal: reason, atMs })
    if (suspicion !== undefined)
      await raise(db, [
        { deviceId, portNo, kind: alarmKind.code.codeSwap, sick: true, atMs, key: id, detail: { codeId } },
      ])
  }
}

async function keepFrames(db: Db, frames: readonly Result[]): Promise<void> {
  if (frames.length === 0) return
  const ids = frames.map(({ id }) => id)
  await sql`update device_command c set frame_id = u.message
    from unnest(${ids}::bigint[], ${frames.map(({ messageId }) => messageId)}::bigint[]) as u (id, message)
    where c.id = u.id and c.id = any(${ids}::bigint[]) and c.frame_id is null`.execute(db)
}

/** Stores the attribute values that a device reports. An older report does not overwrite a newer one. */
async function keepReported(
  db: Db,
  read: readonly { item: Incoming; event: CommandResultEvent }[],
  owners: ReadonlyMap<string, Owner>,
): Promise<void> {
  // The last report per attribute wins, because one statement must not update a row twice.
  const values = new Map(
    read.flatMap(({ item, event }) =>
      Object.entries(event.attributes ?? {}).map(([identifier, raw]): [string, Reported] => [
        `${item.d} ${identifier}`,
        { item, identifier, value: String(raw / wireScale(identifier)) },
      ]),
    ),
  )
  if (values.size === 0) return
  const rows = [...values.values()].filter(({ identifier }) => /^[a-z][A-Za-z\d]{1,39}$/.test(identifier))
  const owner = ({ item }: Reported) => owners.get(item.d)
  await sql`insert into device_attribute (device_id, identifier, organise_id, agent_id, site_id, reported, reported_at)
    select u.device_id, u.identifier, u.organise_id, u.agent_id, u.site_id, u.value, app.message_time(u.message)
    from unnest(${rows.map(({ item }) => item.d)}::bigint[], ${rows.map(({ identifier }) => identifier)}::text[],
      ${rows.map((row) => owner(row)?.organiseId)}::bigint[], ${rows.map((row) => owner(row)?.agentId ?? null)}::bigint[],
      ${rows.map((row) => owner(row)?.siteId ?? null)}::bigint[], ${rows.map(({ value }) => value)}::numeric[],
      ${rows.map(({ item }) => item.id)}::bigint[])
      as u (device_id, identifier, organise_id, agent_id, site_id, value, message)
    on conflict (device_id, identifier) do update set reported = excluded.reported, reported_at = excluded.reported_at
      where device_attribute.reported_at is null or device_attribute.reported_at <= excluded.reported_at`.execute(db)
}
type Reported = { item: Incoming; identifier: string; value: string }
