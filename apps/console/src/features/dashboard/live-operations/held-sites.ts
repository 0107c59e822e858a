import type { AlarmSite } from '@wattdeck/contract/dashboard/live-operations.ts'

type PinnedSites = {
  sites: AlarmSite[]
  /** Sites or alarms were added, removed or moved since. */
  moved: boolean
}
const idsOf = (sites: readonly AlarmSite[]) =>
  JSON.stringify(sites.map(({ siteId, alarms }) => [siteId, alarms.map(({ id }) => id)]))

/**
 * Keeps the order of the sites while the pointer is over them, with the current state of each alarm. Otherwise a button
 * could move away under the pointer, and a click would hit another alarm.
 */
export function heldSites(pinnedSites: readonly AlarmSite[], fresh: readonly AlarmSite[]): PinnedSites {
  const sites = new Map(fresh.map((site) => [site.siteId, site]))
  const alarms = new Map(fresh.flatMap((site) => site.alarms.map((alarm) => [alarm.id, alarm])))
  return {
    sites: pinnedSites.map((site) => ({
      ...(sites.get(site.siteId) ?? site),
      alarms: site.alarms.map((alarm) => alarms.get(alarm.id) ?? alarm),
    })),
    moved: idsOf(pinnedSites) !== idsOf(fresh),
  }
}
