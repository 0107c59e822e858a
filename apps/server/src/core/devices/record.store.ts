import type { UpItem } from '@wattdeck/contract/events/device-bus.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { portOf } from './ingest.store.ts'

type Owner = { organiseId: string; agentId: string | null; siteId: string | null }
type Recorded = { item: UpItem; key: string; at: number; owner: Owner | undefined }

/**
 * Stores the records that bills depend on, each once. Returns the ids of the messages with a new record. All others are
 * repetitions of the device or the stream and must have no effect.
 */
export async function writeRecords(
  db: Db,
  items: readonly UpItem[],
  owners: ReadonlyMap<string, Owner>,
): Promise<Set<string>> {
  const records = items.flatMap((item) =>
    item.r === undefined ? [] : [{ item, key: item.r.key, at: item.r.at, owner: owners.get(item.d) }],
  )
  const [named, nameless] = [
    records.filter(({ item }) => item.r?.isNameless !== true),
    records.filter(({ item }) => item.r?.isNameless === true),
  ]
  const added = await Promise.all([
    named.length === 0 ? [] : insert(db, named, sql`to_timestamp(u.at)`, sql`true`),
    nameless.length === 0 ? [] : insert(db, firstOfEach(nameless), received, sql`not ${isRepeat}`),
  ])
  return new Set(added.flat())
}

const received = sql`app.message_time(u.message_id)`

/** A bill without number and time is deduplicated by its figures for three days, as long as a device may repeat it. */
const isRepeat = sql`exists (
  select from device_record earlier
  where earlier.device_id = u.device_id
    and earlier.record_key = u.record_key
    and earlier.recorded_at > ${received} - interval '3 days'
)`

const firstOfEach = (records: readonly Recorded[]): Recorded[] =>
  [...Map.groupBy(records, ({ item, key }) => `${item.d} ${key}`).values()].flatMap(([first]) => first ?? [])

const column = <V>(records: readonly Recorded[], of: (record: Recorded) => V): V[] => records.map(of)

async function insert(
  db: Db,
  records: readonly Recorded[],
  recordedAt: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ messageId: string }>`
    insert into device_record (
      device_id, record_key, recorded_at, organise_id, agent_id, site_id, message_id, kind, port_no, content, received_at
    )
    select
      u.device_id, u.record_key, ${recordedAt}, u.organise_id, u.agent_id, u.site_id, u.message_id, u.kind, u.port_no,
      u.content::jsonb, ${received}
    from unnest(
      ${column(records, ({ item }) => item.d)}::bigint[],
      ${column(records, ({ key }) => key)}::text[],
      ${column(records, ({ at }) => at)}::float8[],
      ${column(records, ({ owner }) => owner?.organiseId)}::bigint[],
      ${column(records, ({ owner }) => owner?.agentId ?? null)}::bigint[],
      ${column(records, ({ owner }) => owner?.siteId ?? null)}::bigint[],
      ${column(records, ({ item }) => item.id)}::bigint[],
      ${column(records, ({ item }) => item.e.kind)}::text[],
      ${column(records, ({ item }) => portOf(item))}::smallint[],
      ${column(records, ({ item }) => JSON.stringify(item.e))}::text[]
    ) as u (device_id, record_key, at, organise_id, agent_id, site_id, message_id, kind, port_no, content)
    where ${condition}
    on conflict do nothing
    returning message_id as "messageId"`.execute(db)
  return rows.map(({ messageId }) => messageId)
}
