import { alarmKind, causeDimension } from '@wattdeck/contract/product/alarm-codes.ts'
import { popupType } from '@wattdeck/contract/auth/notification.ts'
import { commonCauses, type Fleet } from '@wattdeck/domain/common-cause.ts'
import type { Db } from '../../../kit/db/db.ts'
import { notifyAll } from '../../../kit/events/outbox.ts'
import { readersOf } from './alarm-notice.store.ts'
import { rulesInForce } from './alarm-rule.store.ts'
import * as store from './incident.store.ts'

const fewestDevices = 3
/** What several devices can have for one reason. Smoke in two places is two fires. */
const grouped = [
  alarmKind.code.offline,
  alarmKind.code.portFault,
  alarmKind.code.overTemperature,
  alarmKind.code.powerLoss,
]
/** Of two that explain the same, the one that is checked more easily is believed. */
const { site, carrier, gateway, firmware, type, batch } = store.dimensionOf
const believed = [site, carrier, gateway, firmware, type, batch]

/**
 * How many devices there are of each kind hardly changes, and to count them reads every device of the organisation: done
 * only while devices fail together, and at most every ten minutes.
 */
const fleets = new Map<string, { countedMs: number; fleet: Fleet }>()
const countedForMs = 600_000

async function knownFleet(db: Db, organiseId: string): Promise<Fleet> {
  const known = fleets.get(organiseId)
  if (known !== undefined && Date.now() - known.countedMs < countedForMs) return known.fleet
  const fleet = await store.fleetOf(db, organiseId)
  fleets.set(organiseId, { countedMs: Date.now(), fleet })
  return fleet
}

/** Groups what fails together by what it has in common. Returns whether incidents of the organisation have changed. */
export async function groupAlarms(db: Db, organiseId: string): Promise<boolean> {
  const ended = await store.endIncidents(db, organiseId)
  const grown = await store.joinIncidents(db, organiseId)
  let changed = ended || grown
  for (const burst of await store.bursts(db, organiseId, fewestDevices, grouped)) {
    const failing = await store.failingDevices(db, burst)
    const fleet = await knownFleet(db, organiseId)
    for (const cause of commonCauses(failing, fleet, believed.map(String))) {
      const dimension = Number(cause.dimension)
      const label = await store.addIncident(db, { ...burst, ...cause, dimension })
      await tellOfIncident(db, burst, `${wordOf(dimension)}「${label}」`, cause.ids.length, cause.fleet)
      changed = true
    }
  }
  return changed
}

const wordOf = (dimension: number) =>
  causeDimension.options.find(({ value }) => value === dimension)?.label ?? String(dimension)

/** To the organisation's own people: an incident counts devices of all its agents. */
async function tellOfIncident(db: Db, { organiseId, kind }: store.Burst, what: string, devices: number, fleet: number) {
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
