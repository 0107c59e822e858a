import { jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { deviceBus, type Envelope, partitionOf } from '@wattdeck/contract/events/device-bus.ts'
import { messageReplay } from '@wattdeck/contract/product/message-replay.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { loadJobActor, mayAct } from '../../../kit/auth/job-actor.ts'
import { appendAudit, workerEntry } from '../../../kit/audit/audit.ts'
import { type Db, inScope, commit } from '../../../kit/db/db.ts'
import { startPeriodicJob } from '../../../kit/jobs/every.ts'
import { systemScope } from '../../../kit/db/system-scope.ts'
import { compareReplay } from './message-replay.comparison.ts'
import { openReplay, type ReplayParams } from './message-replay.opening.ts'
import { aliasing, type Alias, dueMs, laneGateway, newId, replayItem } from './message-replay.rules.ts'
import * as steps from './message-replay.steps.ts'
import { readReplay } from './message-replay.store.ts'

const everyMs = 250
/** Size of one envelope, as a gateway would send it, and a pause so that messages of live devices get through. */
const most = 100
const pauseMs = 20
/** A sent message that has not arrived after this time met a fault; it waits as a dead letter. */
const arrivalMs = 30_000

type Parts = { pool: pg.Pool; bus: NatsConnection; prefix: string; secretKeys: readonly string[]; log: Logger }
type Means = Parts & { alias: Alias }

/**
 * Replays messages, each at its due time. Several workers share the replays by lease: after a crash another worker resumes, and resent
 * messages get the same ids.
 */
export function watchReplays(parts: Parts): () => Promise<void> {
  const { log } = parts
  const means = { ...parts, alias: aliasing(parts.secretKeys) }
  const busy = new Set<Promise<void>>()
  let stopped = false
  const look = async () => {
    const due = await inScope(parts.pool, systemScope, 'record', async ({ db }) => {
      await steps.beginNext(db)
      return commit(await steps.takeDue(db))
    })
    for (const replay of due) {
      const work = goOn(means, replay, () => stopped).catch((error: unknown) =>
        log.error({ err: error, replay: replay.id }, 'message replay interrupted; will resume'),
      )
      busy.add(work)
      void work.finally(() => busy.delete(work))
    }
  }
  const stopLooking = startPeriodicJob({ name: 'replays', everyMs, round: look, log })
  return async () => {
    stopped = true
    await stopLooking()
    await Promise.all(busy)
  }
}

const writing = <T>({ pool }: Parts, work: (db: Db) => Promise<T>): Promise<T> =>
  inScope(pool, systemScope, 'record', async ({ db }) => commit(await work(db)))

/** Sends all due messages. A replay that is not due yet, or not settled, is picked up again later. */
async function goOn(means: Means, replay: steps.Running, isStopped: () => boolean): Promise<void> {
  for (let now = replay; ;) {
    if (!(await stillMay(means, now)))
      return writing(means, (db) => steps.endReplay(db, now.id, 'stop', '发起人已没有权限'))
    const sent = await sendDue(means, now)
    if (sent === undefined || isStopped()) return undefined
    now = sent
    await new Promise((resume) => setTimeout(resume, pauseMs))
  }
}

/** The requester must still have the right, and still see both devices. */
async function stillMay({ pool }: Parts, { id, userId }: steps.Running): Promise<boolean> {
  if (userId === null) return true
  const actor = await loadJobActor(pool, userId)
  if (actor === undefined || !mayAct(actor, messageReplay.start.access)) return false
  return inScope(pool, actor.scope, 'read', async ({ db }) => commit((await readReplay(db, id)) !== undefined))
}

/** Undefined when there is nothing more to do for now. */
async function sendDue(means: Means, replay: steps.Running): Promise<steps.Running | undefined> {
  const next = await inScope(means.pool, systemScope, 'read', async ({ db }) =>
    commit(await steps.readNext(db, replay, most)),
  )
  if (next.length === 0) return settle(means, replay)
  const target = { ...replay, replayId: replay.id, deviceId: replay.targetDeviceId }
  const due = next.filter(({ id }, place) => dueMs(newId(replay, id, replay.done + place)) <= Date.now())
  const items = due.map((recorded, place) => replayItem(recorded, replay.done + place, target, means.alias))
  const last = due.at(-1)
  if (last === undefined) {
    const atMs = dueMs(newId(replay, next[0]?.id ?? '', replay.done))
    return writing(means, (db) => steps.sleepUntil(db, replay.id, atMs)).then(() => undefined)
  }
  const lastId = items.at(-1)?.id ?? ''
  if (!(await writing(means, (db) => steps.recordLastId(db, replay, lastId)))) return undefined
  await publish(means, replay, { gateway: laneGateway(replay.lane), items })
  const sent = { count: due.length, position: last.id }
  await writing(means, (db) => steps.recordSent(db, replay, sent))
  return { ...replay, done: replay.done + sent.count, position: sent.position, lastId }
}

async function publish({ bus, prefix }: Parts, { id, done, targetDeviceId }: steps.Running, envelope: Envelope) {
  const subject = deviceBus.up(prefix, partitionOf(targetDeviceId))
  // Includes the count: after a pause more may be due from the same position, and the stream deduplicates by this id.
  const msgID = `replay-${id}-${done}-${envelope.items.length}`
  await jetstream(bus).publish(subject, JSON.stringify(envelope), { msgID, timeout: 3000 })
}

/** All messages are sent; the replay ends when all have arrived. */
async function settle(means: Means, replay: steps.Running): Promise<undefined> {
  const overdue = replay.lastId === null || Date.now() - dueMs(replay.lastId) > arrivalMs
  await writing(means, async (db) => {
    if (overdue || (await steps.hasAllArrived(db, replay))) await steps.endReplay(db, replay.id, 'finish', null)
    else await steps.sleepUntil(db, replay.id, Date.now() + everyMs)
  })
  return undefined
}

/** For the command line, which has no logged-in user: the log names the command. */
export const openByCommand = (pool: pg.Pool, params: Omit<ReplayParams, 'userId' | 'createdBy'>): Promise<string> =>
  inScope(pool, systemScope, 'write', async ({ db, client }) => {
    const { id, total, source, target } = await openReplay(db, {
      ...params,
      userId: null,
      createdBy: '命令行',
    })
    const content = `重放设备报文：${source.device_no} → ${target.device_no}，${total}条`
    const entry = { organise_id: source.organise_id, module: '设备管理', content, path: 'npm run replay' }
    await appendAudit(client, workerEntry({ ...entry, kind: 'control', user_name: '命令行' }))
    return commit(id)
  })

export const followByCommand = (pool: pg.Pool, id: string) =>
  inScope(pool, systemScope, 'read', async ({ db }) => commit(await readReplay(db, id)))
export const compareByCommand = (pool: pg.Pool, id: string) =>
  inScope(pool, systemScope, 'read', async ({ db }) => commit(await compareReplay(db, id)))
