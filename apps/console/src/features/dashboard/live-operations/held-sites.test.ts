import type { AlarmSite } from '@wattdeck/contract/dashboard/live-operations.ts'
import { describe, expect, it } from 'vitest'
import { heldSites } from './held-sites.ts'

const alarm = (id: string, status = 1) => ({ id, status })
const site = (siteId: string, alarms: object[], count = alarms.length) =>
  ({ siteId, siteName: siteId, severity: 1, count, alarms }) as unknown as AlarmSite
const shown = (pinnedSites: AlarmSite[], fresh: AlarmSite[]) => {
  const { sites, moved } = heldSites(pinnedSites, fresh)
  return {
    sites: sites.map(({ siteId, count, alarms }) => [siteId, count, alarms.map(({ id, status }) => id + status)]),
    moved,
  }
}

describe('sites under the pointer', () => {
  it('show the current state of an alarm', () => {
    expect(shown([site('a', [alarm('1'), alarm('2')])], [site('a', [alarm('1', 2), alarm('2')])])).toEqual({
      sites: [['a', 2, ['12', '21']]],
      moved: false,
    })
  })

  it('keep their order and alarms when others are added, removed or moved', () => {
    const pinnedSites = [site('a', [alarm('1'), alarm('2')]), site('b', [alarm('3')])]
    expect(shown(pinnedSites, [site('c', [alarm('9')]), site('b', [alarm('3')]), site('a', [alarm('2')], 1)])).toEqual({
      sites: [
        ['a', 1, ['11', '21']],
        ['b', 1, ['31']],
      ],
      moved: true,
    })
    expect(shown(pinnedSites, [])).toMatchObject({
      sites: [
        ['a', 2, ['11', '21']],
        ['b', 1, ['31']],
      ],
      moved: true,
    })
  })
})
