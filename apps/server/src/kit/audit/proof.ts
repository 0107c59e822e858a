import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type pg from 'pg'
import { inScope, commit } from '../db/db.ts'
import { systemScope } from '../db/system-scope.ts'

export type ProofBreak = { organise_id?: string; seq?: number; what: string; ref?: string }
/** Result of one slice of a proof. A slice that is locked by another run reads nothing and has no more. */
type ProofSlice = { more: boolean; read: number; breaks: ProofBreak[] }
type ProofResult = { read: number; breaks: ProofBreak[] }

/** Old rows are proven again within this many nights. */
export const reproofNights = 30
export const proofSlice = 2000

const mostBreaks = 100
const sliceMs = 60_000

/** Proves slice after slice until nothing is left, `most` rows were read or a break was found. */
export async function proveInSlices(
  pool: pg.Pool,
  prove: RawBuilder<unknown>,
  most: number,
  isOver: () => boolean,
): Promise<ProofResult> {
  const result: ProofResult = { read: 0, breaks: [] }
  for (let more = true; more && result.read < most && !isOver();) {
    const slice = await inScope(
      pool,
      systemScope,
      'record',
      async ({ db }) => {
        const { rows } = await sql<{ slice: ProofSlice }>`select ${prove} as slice`.execute(db)
        return commit(rows[0]?.slice ?? { more: false, read: 0, breaks: [] })
      },
      sliceMs,
    )
    result.read += slice.read
    result.breaks.push(...slice.breaks.slice(0, mostBreaks))
    more = slice.more
  }
  return result
}
