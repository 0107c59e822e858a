import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import type { UpItem } from '@wattdeck/contract/events/device-bus.ts'
import type { DevicePatch, PortPatch } from '@wattdeck/contract/product/device-live.ts'
import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import { type Db, inScope, commit } from '../../kit/db/db.ts'
import type { DeviceUpdate } from '../../kit/events/device-watch.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import { wakeParked } from './command.store.ts'
import { processCommandResults } from './command-results.ts'
import { raise } from './alarms/alarm-signal.store.ts'
import { signalsOf } from './alarms/alarm-signals.ts'
import { type Change, type DeviceState, startChange, takeIn } from './device-state.ts'
import type { Incoming } from './envelope.ts'
import * as store from './ingest.store.ts'
import { writeRecords } from './record.store.ts'

export type Ingested = { news: DeviceUpdate[]; unknown: Incoming[] }

export type TariffAsked = { deviceId: string; modelNo: number | undefined }
type ChargeItem = Pick<UpItem, 'id' | 'd' | 'o' | 'e' | 'r'>

/** What tariffs and charging do with messages, in the transaction that stores them. The worker passes them in. */
export type IngestEffects = {
  /** Devices asked for their prices, or named others than they have confirmed. */
  tariffsAsked: (db: Db, asked: readonly TariffAsked[]) => Promise<void>
  /** Devices reported a start or an end. `isNew` is false for a message that was stored before. */
  chargeEvents: (db: Db, items: readonly ChargeItem[], isNew: (item: ChargeItem) => boolean) => Promise<void>
  /** Devices reported energy and power. */
  chargeReports: (db: Db, items: readonly ChargeItem[]) => Promise<void>
}

/**
 * Stores messages, all or none: the message itself in the journal, what a bill is computed from in the records, and its
 * meaning in the state of devices and ports. Repeating it changes nothing. `json` holds the same messages as they came
 * from the stream, a list of envelopes.
 */
export type Ingest = (items: readonly Incoming[], nowMs: number, json?: string) => Promise<Ingested>

export const ingestInto =
  (pool: pg.Pool, effects: IngestEffects): Ingest =>
  (items, nowMs, json = JSON.stringify([{ items }])) =>
    inScope(pool, systemScope, 'record', async ({ db }) => {
      const ids = [...new Set(items.map((item) => item.d))]
      const states = await store.lockStates(db, ids)
      const known = items.filter((item) => states.has(item.d))
      const changes = foldAll(states, known, nowMs)
      const asks = tariffAsks(known)
      // An answer that came after a question settles it, so the question is applied first.
      await effects.tariffsAsked(db, asks.beforeAnswer)
      const [patches] = await Promise.all([
        store.writePorts(db, changes),
        store.writeStates(db, changes),
        store.writeMessages(db, json, [...states.keys()]),
        // A repeated message was an event of a charge when its record was new.
        writeRecords(db, known, states).then((added) =>
          effects.chargeEvents(db, known, ({ id, r }) => r === undefined || added.has(id)),
        ),
        store.writeHappenings(db, changes),
        writeDevices(db, changes, states),
        processCommandResults(db, known, states),
        effects.chargeReports(db, known),
        raise(db, signalsOf(changes, known)),
      ])
      await effects.tariffsAsked(db, asks.afterwards)
      await wakeParked(db, cameOnline(changes))
      return commit({ news: newsOf(changes, patches), unknown: items.filter((item) => !states.has(item.d)) })
    })

function foldAll(states: ReadonlyMap<string, store.Locked>, items: readonly Incoming[], nowMs: number): Change[] {
  const changes = new Map<string, Change>()
  for (const item of items) {
    const state = states.get(item.d)
    if (state === undefined) continue
    const change = changes.get(item.d) ?? startChange(state)
    changes.set(item.d, change)
    takeIn(change, item, item.gateway, nowMs)
  }
  // Rows are written in the order of their key, so that two writers never wait for each other in a circle.
  return [...changes.values()].toSorted((one, other) =>
    Number(BigInt(one.state.deviceId) - BigInt(other.state.deviceId)),
  )
}

/** Who asked for prices, parted by whether the device still answered a command after it had asked. */
function tariffAsks(items: readonly Incoming[]) {
  const answeredAt = new Map<string, number>()
  for (const [at, { d, e }] of items.entries()) if (e.kind === 'commandResult') answeredAt.set(d, at)
  const [beforeAnswer, afterwards]: [TariffAsked[], TariffAsked[]] = [[], []]
  for (const [at, { d, e }] of items.entries()) {
    const event = e as DeviceEvent
    if (event.kind !== 'tariffAsked') continue
    const isBefore = at < (answeredAt.get(d) ?? -1)
    ;(isBefore ? beforeAnswer : afterwards).push({ deviceId: d, modelNo: event.modelNo })
  }
  return { beforeAnswer, afterwards }
}

const cameOnline = (changes: readonly Change[]): string[] =>
  changes
    .filter(({ happenings }) => happenings.some(({ kind }) => kind === 'online'))
    .map(({ state }) => state.deviceId)

/** Most messages change nothing that lists filter by, and then the device itself is left alone. */
async function writeDevices(db: Db, changes: readonly Change[], states: ReadonlyMap<string, store.Locked>) {
  const changed = changes.filter(({ state }) => {
    const before = states.get(state.deviceId)
    return before?.online !== state.online || before.counts.join() !== portCounts(state).join()
  })
  if (changed.length > 0)
    await store.writeDevices(
      db,
      changed.map(({ state }) => ({ id: state.deviceId, online: state.online, counts: portCounts(state) })),
    )
  await store.writeRegistrations(db, changes)
}

const statuses = Object.values(plugStatus.rows)
  .map((row) => row.code)
  .filter((code) => code > 0)
/** How many ports are free, working, faulty and so on, in the order of the codes. */
const portCounts = ({ plugs }: Pick<DeviceState, 'plugs'>): number[] =>
  statuses.map((code) => plugs.filter((status) => status === code).length)

function newsOf(changes: readonly Change[], patches: ReadonlyMap<string, PortPatch[]>): DeviceUpdate[] {
  return changes.map(({ state }) => ({
    organiseId: state.organiseId,
    agentId: state.agentId,
    siteId: state.siteId,
    patch: patchOf(state, patches.get(state.deviceId) ?? []),
  }))
}

export const patchOf = (state: DeviceState, ports: PortPatch[]): DevicePatch => ({
  id: state.deviceId,
  online: state.online,
  lastSeenAt: state.lastSeenMs === 0 ? null : shanghaiText(state.lastSeenMs),
  csq: state.csq,
  temperatureC: state.temperatureC,
  voltageDv: state.voltageDv,
  ports,
})

const eightHoursMs = 8 * 3_600_000
const shanghaiText = (ms: number) => new Date(ms + eightHoursMs).toISOString().slice(0, 19).replace('T', ' ')

/** What cannot be taken in is kept, with the reason, until a person decides. */
export const buryAll = (pool: pg.Pool, letters: readonly { item: Incoming; reason: string }[]): Promise<void> =>
  inScope(pool, systemScope, 'record', async ({ db }) => {
    for (const { item, reason } of letters) {
      const { f, ...content } = item
      await sql`insert into device_dead_letter (id, wire, reason, content, frame)
        values (${item.id}, ${item.d}, ${reason.slice(0, 500)}, ${JSON.stringify(content)}, decode(${f ?? null}, 'base64'))
        on conflict (id) do nothing`.execute(db)
    }
    return commit(undefined)
  })
