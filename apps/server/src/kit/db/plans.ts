import { sql } from 'kysely'
import type { Db } from './db.ts'

/**
 * For a job that runs every second: each connection plans the statements of this transaction once. Planning over all
 * partitions takes many times longer than reading the few waiting rows.
 */
export async function useGenericPlans(db: Db): Promise<void> {
  await sql`set local plan_cache_mode = force_generic_plan`.execute(db)
}
