import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { Staff, staff } from '@wattdeck/contract/system/staff.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { clearGuesses, guessKey } from '../../../kit/auth/guesses.ts'
import { byId, containing, isUnfiltered, pageOf } from '../../../kit/db/paging.ts'
import { dropRecoveryCodes } from '../../../kit/auth/recovery-codes.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { people } from '../_shared/accounts.store.ts'
import type { Place } from '../../_shared/place.store.ts'

export const factorResetStatus = { pending: 0, approved: 1, declined: 2 } as const

const hasFactor = `(user_account.totp_secret is not null
  or exists (select from passkey where passkey.user_id = user_account.id))`

type Filter = QueryOf<typeof staff.list>

export async function listStaff(db: Db, scope: Scope, filter: Filter) {
  const matching = people(db, scope)
    .$if(filter.organiseId !== undefined, (query) =>
      query.where('user_account.organise_id', '=', filter.organiseId ?? ''),
    )
    .$if(filter.staffId !== undefined, (query) => query.where('user_account.id', '=', filter.staffId ?? ''))
    .$if(filter.status !== undefined, (query) => query.where('user_account.status', '=', filter.status ?? 1))
    .$if(filter.departmentId !== undefined, (query) =>
      query.where('user_account.department_id', '=', filter.departmentId ?? ''),
    )
    .$if(filter.roleId !== undefined, (query) =>
      query.where((row) =>
        row.exists(
          row
            .selectFrom('user_role')
            .select('user_role.user_id')
            .whereRef('user_role.user_id', '=', 'user_account.id')
            .where('user_role.role_id', '=', filter.roleId ?? ''),
        ),
      ),
    )
    .$if(filter.keyword !== undefined, (query) =>
      query.where((row) =>
        row.or([
          row('user_account.name', 'like', containing(filter.keyword ?? '')),
          row('user_account.login_name', 'like', containing(filter.keyword ?? '')),
          // Only the whole phone matches: a search by parts would reveal masked digits one by one.
          row('user_account.phone', '=', filter.keyword ?? ''),
        ]),
      ),
    )
  const page = await pageOf(db, matching, filter, {
    key: byId('user_account.id'),
    unfiltered: isUnfiltered(filter),
    columns: (query) =>
      query
        .leftJoin('organise', 'organise.id', 'user_account.organise_id')
        .leftJoin('department', 'department.id', 'user_account.department_id')
        .select([
          'user_account.id',
          'user_account.employee_no as employeeNo',
          'user_account.name',
          'user_account.login_name as loginName',
          'user_account.phone',
          'user_account.email',
          'user_account.organise_id as organiseId',
          'organise.name as organiseName',
          'user_account.department_id as departmentId',
          'department.name as departmentName',
          'user_account.user_type as userType',
          'user_account.status',
          'user_account.last_login_at as lastLoginAt',
          'user_account.created_by as createdBy',
          'user_account.created_at as createdAt',
          'user_account.updated_at as updatedAt',
          sql<boolean>`coalesce(user_account.locked_until > now(), false)`.as('locked'),
          sql<boolean>`${sql.raw(hasFactor)}`.as('hasFactor'),
          sql<
            Staff['roles']
          >`coalesce((select jsonb_agg(jsonb_build_object('id', role.id::text, 'name', role.name) order by role.id)
          from user_role join role on role.id = user_role.role_id where user_role.user_id = user_account.id), '[]')`.as(
            'roles',
          ),
        ]),
  })
  const resets = await pendingResets(
    db,
    page.rows.map(({ id }) => id),
  )
  return { ...page, rows: page.rows.map((row) => ({ ...row, factorReset: resets.get(row.id) ?? null })) as Staff[] }
}

/** By user. A separate statement: as a part of the list it would cost more to plan than the rest of it. */
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
      // The console has it only masked, so an omitted one stays unchanged.
      ...(edit.email === undefined ? {} : { email: edit.email }),
    })
    .where('id', '=', id)
    .execute()
}

export async function unlock(db: Db, id: string): Promise<void> {
  await db.updateTable('user_account').set({ locked_until: null }).where('id', '=', id).execute()
  await clearGuesses(db, guessKey.password(id), guessKey.secondFactor(id))
}

export async function isFactorBound(db: Db, id: string): Promise<boolean> {
  const { bound } = await db
    .selectFrom('user_account')
    .select(sql<boolean>`${sql.raw(hasFactor)}`.as('bound'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return bound
}

/** The pending request, locked for the decision. */
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

/** Removes every second factor from an account; its next login binds a new one. */
export async function dropFactors(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('user_account')
    .set({ totp_secret: null, totp_since: null, totp_last_step: null, must_bind_factor: true })
    .where('id', '=', userId)
    .execute()
  await db.deleteFrom('passkey').where('user_id', '=', userId).execute()
  await dropRecoveryCodes(db, userId)
}
