import type { UpItem } from '@wattdeck/contract/events/device-bus.ts'
import { deadLetterFlow } from '@wattdeck/contract/product/device-codes.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import { inScope, commit } from '../../kit/db/db.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import type { Ingest } from './ingest.jobs.ts'
import type { Incoming } from './envelope.ts'

/** Replays a dead letter that staff approved. If it still fails, it becomes a dead letter again with the new reason. */
export async function replayLetter(pool: pg.Pool, ingest: Ingest, letterId: string): Promise<void> {
  const letter = await readLetter(pool, letterId)
  if (letter === undefined) return
  const reason = await ingest([letter], Date.now()).then(
    ({ unknown }) => (unknown.length > 0 ? 'the device is not known, or was removed' : undefined),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (reason !== undefined)
    await inScope(pool, systemScope, 'record', async ({ db }) => {
      await sql`update device_dead_letter set status = ${deadLetterFlow.to('fail')}, reason = ${reason.slice(0, 500)}, failed_at = now()
        where id = ${letterId} and status = any(${deadLetterFlow.from('fail')}::smallint[])`.execute(db)
      return commit(undefined)
    })
}

const readLetter = (pool: pg.Pool, letterId: string): Promise<Incoming | undefined> =>
  inScope(pool, systemScope, 'read', async ({ db }) => {
    const { rows } = await sql<{ content: UpItem & { gateway: number }; frame: string | null }>`
      select content, encode(frame, 'base64') as frame from device_dead_letter where id = ${letterId} and status = 2`.execute(
      db,
    )
    const [row] = rows
    return commit(row && { ...row.content, f: row.frame ?? undefined })
  })
