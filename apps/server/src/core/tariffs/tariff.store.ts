import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'

const columns = [
  'id',
  'organise_id',
  'agent_id',
  'site_id',
  'name',
  'billing_type',
  'status',
  'versions',
  'version_id',
] as const
const tariffQuery = (db: Db, id: string) =>
  db
    .selectFrom('tariff')
    .select(columns)
    .select(sql<string[]>`device_type_ids::text[]`.as('device_type_ids'))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)

export type Tariff = NonNullable<Awaited<ReturnType<typeof readTariff>>>
export const readTariff = (db: Db, id: string) => tariffQuery(db, id).executeTakeFirst()
/** A tariff in the caller's scope, locked for a change. */
export const findTariff = (db: Db, id: string) => tariffQuery(db, id).forUpdate().executeTakeFirst()
