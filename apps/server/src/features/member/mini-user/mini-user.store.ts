import type { Db } from '../../../kit/db/db.ts'
import { lockRow } from '../../../kit/db/rows.ts'

/** A member in scope, locked for the change that follows. */
export const findMember = (db: Db, id: string) => lockRow(db, 'member', id, ['id', 'organise_id', 'nickname'])
