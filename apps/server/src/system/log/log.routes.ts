import type { log } from '@wattdeck/contract/system/log.ts'
import type { Handlers } from '../../kit/handlers.ts'
import { notFound } from '../../kit/refusal.ts'
import { changesForReading, placeOfAddress } from './log.rules.ts'
import { listLog, readEntry } from './log.store.ts'

export const logHandlers: Handlers<typeof log> = {
  list: async ({ db, scope, query }) => {
    const found = await listLog(db, scope, query)
    return { ...found, rows: found.rows.map((row) => Object.assign(row, { place: placeOfAddress(row.ip) })) }
  },

  detail: async ({ db, scope, params }) => {
    const entry = await readEntry(db, scope, params.id)
    if (entry === undefined) throw notFound()
    return { ...entry, place: placeOfAddress(entry.ip), changes: changesForReading(entry.changes) }
  },
}
