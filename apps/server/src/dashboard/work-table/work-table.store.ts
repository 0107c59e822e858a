import { adjustmentStatus } from '@wattdeck/contract/member/balance-adjustment.ts'
import { passwordPolicy } from '@wattdeck/domain/password.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db.ts'
import type { Scope } from '../../kit/scope.ts'

export const readOrganise = (db: Db, _scope: Scope, id: string) =>
  db
    .selectFrom('organise')
    .select(['name', sql<1 | 2 | 3>`basic_service_status`.as('basicServiceStatus')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** The log is cut by month; 31 days need two parts of it at most. */
export const recentLogins = (db: Db, _scope: Scope, userId: string) =>
  db
    .selectFrom('audit_log')
    .select(['at', 'content as does'])
    .select([sql<string | null>`host(ip)`.as('ip'), sql<boolean>`result = 1`.as('success')])
    .where('user_id', '=', userId)
    .where('kind', '=', 'login')
    .where('at', '>=', sql<string>`now() - interval '31 days'`)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(5)
    .execute()

export const staffToDo = (db: Db, _scope: Scope) =>
  db
    .selectFrom('user_account')
    .select([
      sql<number>`count(*) filter (where locked_until > now())::int`.as('locked'),
      sql<number>`count(*) filter (where password_changed_at
        < now() - make_interval(days => ${sql.lit(passwordPolicy.maxAgeDays)}))::int`.as('oldPasswords'),
    ])
    .where('deleted_at', 'is', null)
    .where('status', '=', 1)
    .executeTakeFirstOrThrow()

/** Changes of balances that wait for this person: what they asked for themselves waits for others. */
export async function adjustmentsToDecide(db: Db, scope: Scope, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('balance_adjustment')
    .select(sql<number>`count(*)::int`.as('count'))
    // Written out: the index of what waits is for this status only.
    .where('status', '=', sql.lit(adjustmentStatus.code.waiting))
    .where('created_by_id', '<>', userId)
    .$if(scope.level > 0, (query) => query.where('organise_id', '=', scope.organiseId))
    .executeTakeFirstOrThrow()
  return count
}
