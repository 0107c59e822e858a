import type { Access } from '@wattdeck/contract/kit/route.ts'
import type pg from 'pg'
import type { Actor } from './actor.ts'
import { inScope, commit } from '../db/db.ts'
import { actorOf, type PersonRow, isActivePersonSql, personColumns } from './session-store.ts'
import { systemScope } from '../db/system-scope.ts'

/**
 * Loads the person for whom a job runs, with their current rights and scope, not those at the time of the request. Returns
 * undefined when they, their organisation or their agent have been disabled or removed since.
 */
export async function loadJobActor(pool: pg.Pool, userId: string): Promise<Actor | undefined> {
  const person = await inScope(pool, systemScope, 'read', async ({ client }) => {
    const { rows } = await client.query<PersonRow>({
      name: 'acting.find',
      text: `select ${personColumns} from user_account person join organise on organise.id = person.organise_id
        where person.id = $1 and ${isActivePersonSql('person')}`,
      values: [userId],
    })
    return commit(rows[0])
  })
  return person && actorOf({ ...person, session_id: '0', stage: 'full', acted_by: null, stale: false })
}

export function mayAct(actor: Actor, access: Access): boolean {
  if (typeof access === 'string') return access !== 'signed'
  if (access.platform === true && actor.scope.level !== 0) return false
  const menus = typeof access.menu === 'string' ? [access.menu] : access.menu
  const grantedMenus = menus.filter((menu) => actor.menuKeys.includes(menu))
  return access.action === undefined
    ? grantedMenus.length > 0
    : grantedMenus.some((menu) => actor.grants.includes(`${menu}:${access.action}`))
}
