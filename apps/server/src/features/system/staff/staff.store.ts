import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type Staff, type staff, staffList } from '@wattdeck/contract/system/staff.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { forgetGuesses, guessKey } from '../../../kit/auth/guesses.ts'
import { ifGiven, listQuery, type Source } from '../../../kit/db/list-query.ts'
import { containing } from '../../../kit/db/paging.ts'
import { dropRecoveryCodes } from '../../../kit/auth/recovery-codes.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { peopleSource } from '../_shared/accounts.store.ts'
import type { Place } from '../../_shared/place.store.ts'

export const factorResetStatus = { pending: 0, approved: 1, declined: 2 } as const

const hasFactor = `(user_account.totp_secret is not null
  or exists (select from passkey where passkey.user_id = user_account.id))`

type Filter = QueryOf<typeof staff.list>

// A phone is found whole only: a search by parts would give masked digits away one by one.
const named = (keyword: string) => sql<boolean>`(user_account.name like ${containing(keyword)}
  or user_account.login_name like ${containing(keyword)} or user_account.phone = ${keyword})`

const staffSource: Source = {
  ...peopleSource,
  computed: {
    ...peopleSource.computed,
    departmentName: sql`(select department.name from department where department.id = user_account.department_id)`,
    hasFactor: sql`${sql.raw(hasFactor)}`,
  },
  fill: {
    factorReset: async (rows: Staff[], db) => {
      const ids = rows.map(({ id }) => id)
      const resets = await pendingResets(db, ids)
      return ids.map((id) => resets.get(id) ?? null)
    },
  },
  own: ({ keyword, departmentId, roleId }: Filter) => [
    ...ifGiven(departmentId, (id) => sql<boolean>`user_account.department_id = ${id}`),
    ...ifGiven(
      roleId,
      (id) => sql<boolean>`exists (
      select from user_role where user_role.user_id = user_account.id and user_role.role_id = ${id})`,
    ),
    ...ifGiven(keyword, named),
  ],
}

export const listStaff = (db: Db, scope: Scope, filter: Filter) => listQuery(db, scope, staffList, staffSource, filter)

/** By person. A statement of its own: as a part of the list it would cost more than the rest of it to plan. */
async function pendingResets(db: Db, userIds: readonly string[]): Promise<Map<string, Staff['factorReset']>> {
  const { rows } = await sql<NonNullable<Staff['factorReset']> & { userId: string }>`
    select factor_reset.user_id as "userId", factor_reset.reason, coalesce(asker.name, '平台管理员') as "askedBy",
      factor_reset.created_at as "createdAt"
    from factor_reset left join user_account asker on asker.id = factor_reset.asked_by
    where factor_reset.user_id = any(${userIds}) and factor_reset.status = ${sql.lit(factorResetStatus.pending)}`.execute(
    db,
  )
  return new Map(rows.map(({ userId, ...reset }) => [userId, reset]))
}

export const departmentIn = (db: Db, id: string, organiseId: string) =>
  db.selectFrom('department').select('id').where('id', '=', id).where('organise_id', '=', organiseId).executeTakeFirst()

type Edit = {
  employeeNo: string
  name: string
  email: string | undefined
  departmentId: string | undefined
}

export async function editStaff(db: Db, id: string, edit: Edit): Promise<void> {
  await db
    .updateTable('user_account')
    .set({
      employee_no: edit.employeeNo,
      name: edit.name,
      department_id: edit.departmentId ?? null,
      // The console knows it only masked, so leaving it out leaves it as it is.
      ...(edit.email === undefined ? {} : { email: edit.email }),
    })
    .where('id', '=', id)
    .execute()
}

export async function unlock(db: Db, id: string): Promise<void> {
  await db.updateTable('user_account').set({ locked_until: null }).where('id', '=', id).execute()
  await forgetGuesses(db, guessKey.password(id), guessKey.secondFactor(id))
}

export async function isFactorBound(db: Db, id: string): Promise<boolean> {
  const { bound } = await db
    .selectFrom('user_account')
    .select(sql<boolean>`${sql.raw(hasFactor)}`.as('bound'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return bound
}

/** The request that waits for a decision, locked for it. */
export const findFactorReset = (db: Db, userId: string) =>
  db
    .selectFrom('factor_reset')
    .select(['id', 'asked_by'])
    .where('user_id', '=', userId)
    .where('status', '=', factorResetStatus.pending)
    .forUpdate()
    .executeTakeFirst()

export async function addFactorReset(
  db: Db,
  person: Place & { id: string },
  { askedBy, reason }: { askedBy: string; reason: string },
): Promise<void> {
  const { id, organise_id, agent_id, site_id } = person
  await db
    .insertInto('factor_reset')
    .values({ organise_id, agent_id, site_id, user_id: id, reason, asked_by: askedBy })
    .execute()
}

export async function decideFactorReset(
  db: Db,
  id: string,
  { status, decidedBy }: { status: number; decidedBy: string },
): Promise<void> {
  await db
    .updateTable('factor_reset')
    .set({ status, decided_by: decidedBy, decided_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
}

/** Takes every second factor from an account; its next login binds a new one. */
export async function dropFactors(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('user_account')
    .set({ totp_secret: null, totp_since: null, totp_last_step: null, must_bind_factor: true })
    .where('id', '=', userId)
    .execute()
  await db.deleteFrom('passkey').where('user_id', '=', userId).execute()
  await dropRecoveryCodes(db, userId)
}
