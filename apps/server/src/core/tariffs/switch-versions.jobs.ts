import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { inScope, commit } from '../../kit/db/db.ts'
import { publishToOrganisation } from '../../kit/events/outbox.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import { findTariff } from './tariff.store.ts'
import { putInForce } from './tariff-version.store.ts'

const most = 100

/**
 * Activates versions whose effective time is reached. Each is activated in its own transaction, which also replaces the
 * previous version, so that a charge always finds one in force. The lock on the tariff prevents a double activation.
 */
export async function switchVersions(pool: pg.Pool, log: Logger): Promise<void> {
  const due = await inScope(pool, systemScope, 'read', async ({ db }) => {
    const { rows } = await sql<{ id: string; tariffId: string }>`select id, tariff_id as "tariffId" from tariff_version
      where state = 1 and effective_at <= now() order by effective_at limit ${most}`.execute(db)
    return commit(rows)
  })
  for (const { id, tariffId } of due)
    await inScope(pool, systemScope, 'record', async ({ db }) => {
      const tariff = await findTariff(db, tariffId)
      if (tariff === undefined) return commit(undefined)
      const { rows } = await sql<{ state: number }>`select state from tariff_version where id = ${id}`.execute(db)
      // Withdrawn, or activated by another worker, while this one waited for the lock on the tariff.
      if (rows[0]?.state !== 1) return commit(undefined)
      await putInForce(db, tariffId, id)
      await publishToOrganisation(db, tariff, { kind: 'changed', list: 'consumptionStandard' })
      return commit(undefined)
    }).catch((error: unknown) => log.error({ err: error, id }, 'tariff version not activated; will retry'))
}
