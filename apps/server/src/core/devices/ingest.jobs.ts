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
import { type Change, type DeviceState, startChange, applyMessage } from './device-state.ts'
import type { Incoming } from './envelope.ts'
import * as store from './ingest.store.ts'
import { writeRecords } from './record.store.ts'

export type Ingested = { news: DeviceUpdate[]; unknown: Incoming[] }

export type TariffRequest = { deviceId: string; modelNo: number | undefined }
type ChargeItem = Pick<UpItem, 'id' | 'd' | 'o' | 'e' | 'r'>

/** Effects of tariffs and charging, run in the transaction that stores the messages. The worker injects them. */
export type IngestEffects = {
  /** Devices requested their prices, or named a model number that they have not confirmed. */
  tariffsAsked: (db: Db, asked: readonly TariffRequest[]) => Promise<void>
  /** Devices reported a start or an end. `isNew` is false for a message that was stored before. */
  chargeEvents: (db: Db, items: readonly ChargeItem[], isNew: (item: ChargeItem) => boolean) => Promise<void>
  /** Devices reported energy and power. */
  chargeReports: (db: Db, items: readonly ChargeItem[]) => Promise<void>
}

/**
 * Stores messages, all or none: the message in the journal, data for bills in the records, and its effects in the state of
 * devices and ports. It is idempotent. `json` contains the same messages in their raw form, as a list of envelopes.
 */
export type Ingest = (items: readonly Incoming[], nowMs: number, json?: string) => Promise<Ingested>

export const ingestInto =
  (pool: pg.Pool, effects: IngestEffects): Ingest =>
  (items, nowMs, json = JSON.stringify([{ items }])) =>
    inScope(pool, systemScope, 'record', async ({ db }) => {
      const ids = [...new Set(items.map((item) => item.d))]
      const states = await store.lockStates(db, ids)
      const knownItems = items.filter((item) => states.has(item.d))
      const changes = foldAll(states, knownItems, nowMs)
      const asks = tariffAsks(knownItems)
      // An answer after a request settles the request, so requests before an answer are applied first.
      await effects.tariffsAsked(db, asks.beforeAnswer)
      const [patches] = await Promise.all([
        store.writePorts(db, changes),
        store.writeStates(db, changes),
        store.writeMessages(db, json, [...states.keys()]),
        // A message with a record is a charge event only if its record is new.
        writeRecords(db, knownItems, states).then((added) =>
          effects.chargeEvents(db, knownItems, ({ id, r }) => r === undefined || added.has(id)),
        ),
        store.writeHappenings(db, changes),
        writeDevices(db, changes, states),
        processCommandResults(db, knownItems, states),
        effects.chargeReports(db, knownItems),
        raise(db, signalsOf(changes, knownItems)),
      ])
      await effects.tariffsAsked(db, asks.afterwards)
      await wakeParked(db, cameOnline(changes))
      return commit({ news: updatesOf(changes, patches), unknown: items.filter((item) => !states.has(item.d)) })
    })

function foldAll(states: ReadonlyMap<string, store.Locked>, items: readonly Incoming[], nowMs: number): Change[] {
  const changes = new Map<string, Change>()
  for (const item of items) {
    const state = states.get(item.d)
    if (state === undefined) continue
    const change = changes.get(item.d) ?? startChange(state)
    changes.set(item.d, change)
    applyMessage(change, item, item.gateway, nowMs)
  }
  // Rows are written in key order to avoid deadlocks.
  return [...changes.values()].toSorted((one, other) =>
    Number(BigInt(one.state.deviceId) - BigInt(other.state.deviceId)),
  )
}

/** Splits price requests by whether a command result of the same device follows in the batch. */
function tariffAsks(items: readonly Incoming[]) {
  const answeredAt = new Map<string, number>()
  for (const [at, { d, e }] of items.entries()) if (e.kind === 'commandResult') answeredAt.set(d, at)
  const [beforeAnswer, afterwards]: [TariffRequest[], TariffRequest[]] = [[], []]
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

/** Updates the device row only if online or port counts changed, which most messages do not change. */
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
/** Number of ports per status, in the order of the codes. */
const portCounts = ({ plugs }: Pick<DeviceState, 'plugs'>): number[] =>
  statuses.map((code) => plugs.filter((status) => status === code).length)

function updatesOf(changes: readonly Change[], patches: ReadonlyMap<string, PortPatch[]>): DeviceUpdate[] {
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

/** Stores messages that cannot be processed as dead letters with the reason, until staff decide. */
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
