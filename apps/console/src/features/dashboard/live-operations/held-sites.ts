import type { AlarmSite } from '@wattdeck/contract/dashboard/live-operations.ts'

type Held = {
  sites: AlarmSite[]
  /** Sites or alarms have come, gone or moved since. */
  moved: boolean
}
const idsOf = (sites: readonly AlarmSite[]) =>
  JSON.stringify(sites.map(({ siteId, alarms }) => [siteId, alarms.map(({ id }) => id)]))

/**
 * Sites that stay where they are while a pointer rests on them, each alarm as it is now: a button must not slip away under
 * the pointer and leave that of another alarm in its place.
 */
export function heldSites(held: readonly AlarmSite[], fresh: readonly AlarmSite[]): Held {
  const sites = new Map(fresh.map((site) => [site.siteId, site]))
  const alarms = new Map(fresh.flatMap((site) => site.alarms.map((alarm) => [alarm.id, alarm])))
  return {
    sites: held.map((site) => ({
      ...(sites.get(site.siteId) ?? site),
      alarms: site.alarms.map((alarm) => alarms.get(alarm.id) ?? alarm),
    })),
    moved: idsOf(held) !== idsOf(fresh),
  }
}
