import { sql } from 'kysely'
import type { Db } from './db.ts'

/**
 * For a round that runs every second: a connection plans each statement of this transaction once. Planning a statement
 * over all partitions takes many times longer than reading the few rows that wait.
 */
export async function keepPlans(db: Db): Promise<void> {
  await sql`set local plan_cache_mode = force_generic_plan`.execute(db)
}
