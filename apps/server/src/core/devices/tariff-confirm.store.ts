import { commandStatus } from '@wattdeck/contract/product/device-command.ts'
import { pushState } from '@wattdeck/contract/product/tariff-push.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'

const { sent, confirmed, failed } = pushState.code

/** Sets the state of a tariff push by the result of its command. A late answer still counts. */
export async function followPushes(db: Db, commandIds: readonly string[]): Promise<void> {
  if (commandIds.length === 0) return
  const { done } = commandStatus.code
  await sql`update tariff_push push set state = case when c.status = ${done} then ${confirmed}::smallint else ${failed}::smallint end,
      reason = case when c.status = ${done} then null else coalesce(c.reason, 'unknown') end,
      confirmed_at = case when c.status = ${done} then now() end, updated_at = now()
    from device_command c where c.id = any(${commandIds}::bigint[]) and push.device_id = c.device_id and push.command_id = c.id
      and push.state = any(${[sent, failed]}::smallint[])`.execute(db)
}
