import type { PortCounts, Site } from '@wattdeck/contract/system/site.ts'
import { sql } from 'kysely'
import { sitesNow } from '../../../core/statistics/stat-now.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Source } from '../../../kit/db/list-query.ts'
import { regionOf } from '../../_shared/region-path.store.ts'

/** Source of every query for sites. */
export const siteSource: Source = {
  table: 'site',
  where: sql<boolean>`site.deleted_at is null`,
  computed: {
    agentName: sql`(select agent.name from agent where agent.id = site.agent_id)`,
    regionName: regionOf('site'),
    deviceCount: sql`(select count(*)::int from device
      where device.organise_id = site.organise_id and device.site_id = site.id and device.deleted_at is null)`,
    tariffName: sql`(select tariff.name from tariff where tariff.id = site.tariff_id)`,
    lng: sql`site.lng::float8`,
    lat: sql`site.lat::float8`,
    insuredUntil: sql`site.insured_until::text`,
    pictureIds: sql`site.picture_ids::text[]`,
  },
  fill: {
    ports: (rows: Site[], db) =>
      portCounts(
        db,
        rows.map(({ id }) => id),
      ),
  },
}

async function portCounts(db: Db, ids: readonly string[]): Promise<PortCounts[]> {
  const sums = await sitesNow(db, ids, ['free_ports', 'working_ports', 'fault_ports'])
  return ids.map((id) => {
    const { free_ports = 0n, working_ports = 0n, fault_ports = 0n } = sums.get(id) ?? {}
    return { free: Number(free_ports), working: Number(working_ports), fault: Number(fault_ports) }
  })
}
