import { alarmKind, causeDimension } from '@wattdeck/contract/product/alarm-codes.ts'
import { popupType } from '@wattdeck/contract/auth/notification.ts'
import { commonCauses, type Fleet } from '@wattdeck/domain/common-cause.ts'
import type { Db } from '../../../kit/db/db.ts'
import { notifyAll } from '../../../kit/events/outbox.ts'
import { readersOf } from './alarm-notice.store.ts'
import { rulesInForce } from './alarm-rule.store.ts'
import * as store from './incident.store.ts'

const fewestDevices = 3
/** Kinds that can share a cause. Smoke cannot: smoke at two devices is two fires. */
const grouped = [
  alarmKind.code.offline,
  alarmKind.code.portFault,
  alarmKind.code.overTemperature,
  alarmKind.code.powerLoss,
]
/** Order of preference between causes that explain the same devices, easiest to check first. */
const { site, carrier, gateway, firmware, type, batch } = store.dimensionOf
const believed = [site, carrier, gateway, firmware, type, batch]

/**
 * Cache of device counts per trait. They rarely change, and counting reads every device of the organisation. So they are
 * counted only during a burst, at most every ten minutes.
 */
const fleets = new Map<string, { countedMs: number; fleet: Fleet }>()
const countedForMs = 600_000

async function cachedFleet(db: Db, organiseId: string): Promise<Fleet> {
  const cached = fleets.get(organiseId)
  if (cached !== undefined && Date.now() - cached.countedMs < countedForMs) return cached.fleet
  const fleet = await store.fleetOf(db, organiseId)
  fleets.set(organiseId, { countedMs: Date.now(), fleet })
  return fleet
}

/** Groups simultaneous failures by a common trait. Returns whether incidents of the organisation changed. */
export async function groupAlarms(db: Db, organiseId: string): Promise<boolean> {
  const ended = await store.endIncidents(db, organiseId)
  const grown = await store.joinIncidents(db, organiseId)
  let changed = ended || grown
  for (const burst of await store.bursts(db, organiseId, fewestDevices, grouped)) {
    const failing = await store.failingDevices(db, burst)
    const fleet = await cachedFleet(db, organiseId)
    for (const cause of commonCauses(failing, fleet, believed.map(String))) {
      const dimension = Number(cause.dimension)
      const label = await store.addIncident(db, { ...burst, ...cause, dimension })
      await notifyIncident(db, burst, `${wordOf(dimension)}「${label}」`, cause.ids.length, cause.fleet)
      changed = true
    }
  }
  return changed
}

const wordOf = (dimension: number) =>
  causeDimension.options.find(({ value }) => value === dimension)?.label ?? String(dimension)

/** Notifies only users of the organisation itself, because an incident counts devices of all agents. */
async function notifyIncident(db: Db, { organiseId, kind }: store.Burst, what: string, devices: number, fleet: number) {
  const ruleOf = await rulesInForce(db, [organiseId])
  const readers = (await readersOf(db, organiseId)).filter(
    ({ userType, agent_id, site_id }) =>
      agent_id === null && site_id === null && ruleOf(organiseId, kind)?.notifyTypes.includes(userType) === true,
  )
  await notifyAll(db, readers, {
    type: popupType.code.platformWarning,
    title: '共因事件',
    body: `${what}下 ${fleet} 台设备中有 ${devices} 台${alarmKind.show(kind).label}，可能是同一原因`,
    route: '/product/alarmCenter?tab=incidents',
  })
}
