import type { NatsConnection } from '@nats-io/transport-node'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { inScope, commit } from '../../kit/db/db.ts'
import { type DeviceUpdate, deviceSubject } from '../../kit/events/device-watch.ts'
import { startPeriodicJob } from '../../kit/jobs/every.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import { raise } from './alarms/alarm-signal.store.ts'
import { offline } from './alarms/alarm-signals.ts'
import { patchOf } from './ingest.jobs.ts'
import { lockStates } from './ingest.store.ts'

const everyMs = 1000
const most = 2000

/** Marks devices without messages for too long as offline. Several workers share them. */
export function watchSilence(pool: pg.Pool, bus: NatsConnection, prefix: string, log: Logger): () => Promise<void> {
  const round = async () => {
    const { looked, news: updates } = await lookForSilence(pool)
    for (const one of updates) bus.publish(deviceSubject(prefix, one.patch.id), JSON.stringify(one))
    return looked === most
  }
  return startPeriodicJob({ name: 'silence', everyMs, round, log })
}

/** Checks devices whose check is due. Most have sent messages meanwhile and get a later check. */
const lookForSilence = (pool: pg.Pool): Promise<{ looked: number; news: DeviceUpdate[] }> =>
  inScope(pool, systemScope, 'record', async ({ db }) => {
    const { rows } = await sql<{ id: string; silent: boolean }>`
      with due as (select device_id from device_state where check_at <= now() order by check_at limit ${most} for update skip locked)
      update device_state s set check_at = case when online_until > now() then online_until end
      from due where s.device_id = due.device_id returning s.device_id as id, s.check_at is null as silent`.execute(db)
    const silent = rows.filter((row) => row.silent).map((row) => row.id)
    if (silent.length === 0) return commit({ looked: rows.length, news: [] })
    await sql`update device set online = false where id = any(${silent}::bigint[]) and online`.execute(db)
    await sql`insert into device_event (id, part, device_id, organise_id, agent_id, site_id, kind, detail, at)
      select app.message_id(online_until), 0, device_id, organise_id, agent_id, site_id, 'offline', '{"reason": "silence"}', now()
      from device_state where device_id = any(${silent}::bigint[])`.execute(db)
    await raise(
      db,
      silent.map((id) => offline(id, Date.now())),
    )
    const states = await lockStates(db, silent)
    const updates = [...states.values()].map((state) => ({
      organiseId: state.organiseId,
      agentId: state.agentId,
      siteId: state.siteId,
      patch: patchOf(state, []),
    }))
    return commit({ looked: rows.length, news: updates })
  })
