import { memberChannel } from '@wattdeck/contract/member/member-row.ts'
import type { miniUser } from '@wattdeck/contract/member/mini-user.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { listApps, listMembers } from '../_shared/member-list.store.ts'

const channel = memberChannel.code.miniProgram

export const listMiniUsers = (db: Db, scope: Scope, filter: QueryOf<typeof miniUser.list> & Paging) =>
  listMembers(db, scope, channel, filter)

export const listMiniApps = (db: Db, scope: Scope) => listApps(db, scope, channel)

/** A member in scope, locked for the change that follows. */
export const findMember = (db: Db, id: string) =>
  db.selectFrom('member').select(['id', 'organise_id', 'nickname']).where('id', '=', id).forUpdate().executeTakeFirst()

/** Whether it was another until now. */
export async function setStatus(db: Db, id: string, status: 0 | 1): Promise<boolean> {
  const changed = await db
    .updateTable('member')
    .set({ status })
    .where('id', '=', id)
    .where('status', '<>', status)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}
