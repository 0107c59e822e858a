import type { Access } from '@wattdeck/contract/kit/route.ts'
import type pg from 'pg'
import type { Actor } from './actor.ts'
import { inScope, commit } from '../db/db.ts'
import { actorOf, type FoundPerson, mayEnter, personColumns } from './session-store.ts'
import { systemScope } from '../db/system-scope.ts'

/**
 * The person for whom a job runs, with the rights and the scope they have now, not those of when they asked. Undefined
 * when they, their organisation or their agent have been disabled or removed since.
 */
export async function loadJobActor(pool: pg.Pool, userId: string): Promise<Actor | undefined> {
  const found = await inScope(pool, systemScope, 'read', async ({ client }) => {
    const { rows } = await client.query<FoundPerson>({
      name: 'acting.find',
      text: `select ${personColumns} from user_account person join organise on organise.id = person.organise_id
        where person.id = $1 and ${mayEnter('person')}`,
      values: [userId],
    })
    return commit(rows[0])
  })
  return found && actorOf({ ...found, session_id: '0', stage: 'full', acted_by: null, stale: false })
}

export function mayAct(actor: Actor, access: Access): boolean {
  if (typeof access === 'string') return access !== 'signed'
  if (access.platform === true && actor.scope.level !== 0) return false
  const menus = typeof access.menu === 'string' ? [access.menu] : access.menu
  const held = menus.filter((menu) => actor.menuKeys.includes(menu))
  return access.action === undefined
    ? held.length > 0
    : held.some((menu) => actor.grants.includes(`${menu}:${access.action}`))
}
