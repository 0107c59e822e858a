import { whenOffline } from '@wattdeck/contract/product/device-command.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Raised } from './alarm.store.ts'
import { enqueueCommand } from '../command.store.ts'

const livesS = 60

/**
 * Tries to recover a device automatically if the rule allows it: restarts the device, or only queries it while a port is
 * charging. For an offline device the command fails, and the attempt shows it.
 */
export async function attemptRecovery(db: Db, alarm: Raised): Promise<void> {
  const { id, organise_id, agent_id, site_id, deviceId } = alarm
  const { rows } = await sql<{
    busy: boolean
  }>`select working_ports > 0 as busy from device where id = ${deviceId}`.execute(db)
  const commandId = await enqueueCommand(db, {
    deviceId,
    command: { kind: rows[0]?.busy === false ? 'restart' : 'query' },
    whenOffline: whenOffline.code.fail,
    livesS,
    by: { userId: null, name: '系统' },
  })
  await db
    .insertInto('alarm_attempt')
    .values({ organise_id, agent_id, site_id, alarm_id: id, command_id: commandId ?? null })
    .execute()
}
