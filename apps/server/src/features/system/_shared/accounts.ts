import { looksPersonal } from '@wattdeck/contract/kit/view-problem.ts'
import type { Actor } from '../../../kit/auth/actor.ts'
import type { Db } from '../../../kit/db/db.ts'
import { notifyFactorChanged } from '../../../kit/auth/factor-notice.ts'
import type { Ctx } from '../../../kit/http/handlers.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { hashPassword, storePassword } from '../../../kit/auth/passwords.ts'
import { conflict, forbidden, invalid, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { assertHolds, assertOutranks, rightsOf } from '../../../kit/auth/rights.ts'
import type { SessionStore } from '../../../kit/auth/session-store.ts'
import { endSessions } from '../../../kit/auth/sessions.ts'
import { dropCodes } from '../../../kit/auth/sms-codes.ts'
import { newPassword } from '../../../kit/auth/tokens.ts'
import { recordCredential } from '../../../kit/auth/two-people.ts'
import * as store from './accounts.store.ts'
import type { Place } from '../../_shared/place.store.ts'

/** Rules for changing the account of another user, for every screen that manages accounts. */
type Asking = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
type Doing = Asking & Pick<Ctx<never>, 'afterCommit' | 'enqueue'>

/** The account, if it is in scope and not above the caller. Routes that exclude the caller's own account call assertNotSelf as well. */
export async function requireManageable({ db, scope, actor }: Asking, id: string) {
  const person = orNotFound(await store.findAccount(db, scope, id))
  if (id !== actor.userId) assertOutranks(actor, await rightsOf(db, scope, id))
  return person
}

export const assertNotSelf = (actor: Actor, id: string) => {
  if (actor.userId === id) throw conflict('不能对自己的账号执行该操作')
}

type RoleWithRights = Awaited<ReturnType<typeof store.rolesWithRights>>[number]

function assertMayGive(actor: Actor, role: RoleWithRights): void {
  if (role.top_level < actor.roleTopLevel) throw forbidden()
  assertHolds(actor, role)
}

/** The requested roles, if each exists in the organisation and grants nothing that the caller lacks. */
export async function requireGrantableRoles(db: Db, actor: Actor, organiseId: string, roleIds: readonly string[]) {
  if (roleIds.length === 0) return []
  const roles = await store.rolesWithRights(db, { organiseId, ids: roleIds })
  if (roles.length !== new Set(roleIds).size) throw notFound()
  for (const role of roles) assertMayGive(actor, role)
  return roles
}

/** The roles of an organisation that the caller may grant; `all`: every role they see. */
export async function listGrantableRoles(db: Db, actor: Actor, organiseId: string, all = false) {
  const roles = await store.rolesWithRights(db, { organiseId })
  const offered = all ? roles : roles.filter((role) => mayGive(actor, role))
  return offered.map((role) => ({ id: role.id, name: role.name, userType: role.user_type }))
}

function mayGive(actor: Actor, role: RoleWithRights): boolean {
  try {
    assertMayGive(actor, role)
    return true
  } catch {
    return false
  }
}

/** Creates an account with roles that are already checked. Its first password is shown once and stored only as a hash. */
export async function openAccount({ db, actor }: Asking, person: store.NewAccount, roleIds: readonly string[]) {
  const initialPassword = newPassword()
  const passwordHash = await hashPassword(initialPassword)
  const id = await store.addAccount(db, { ...person, passwordHash, createdBy: actor.userName })
  await store.setRoles(db, { id, ...person.place }, roleIds)
  await recordCredential(db, { id, ...person.place }, 'account', actor.userId)
  return { id, initialPassword }
}

/** Refreshes open lists of accounts, once for each changed organisation. */
export async function publishAccountChange(db: Db, places: readonly Place[]): Promise<void> {
  for (const place of new Map(places.map((one) => [one.organise_id, one])).values())
    await publishToOrganisation(db, place, { kind: 'changed', list: 'staff' })
}

/** Enables or disables accounts of other users, all or none. A disabled user is logged out. */
export async function switchAccounts(ctx: Doing, sessions: SessionStore, ids: readonly string[], status: number) {
  const people: Place[] = []
  for (const id of ids) {
    assertNotSelf(ctx.actor, id)
    people.push(await requireManageable(ctx, id))
  }
  const changed = await store.setAccountStatus(ctx.db, ids, status)
  if (status === 0) await endSessions(ctx, sessions, ids)
  await publishAccountChange(ctx.db, people)
  return { changed }
}

/** Removes accounts of other users, all or none, and returns their places. */
export async function closeAccounts(ctx: Doing, sessions: SessionStore, ids: readonly string[]): Promise<Place[]> {
  const people: Place[] = []
  for (const id of new Set(ids)) {
    assertNotSelf(ctx.actor, id)
    people.push(await requireManageable(ctx, id))
  }
  await endSessions(ctx, sessions, ids)
  await store.removeAccounts(ctx.db, ids)
  return people
}

/** A user who took part in resetting the second factor of an account cannot change its password or phone for 24 hours. */
async function assertNoFactorReset({ db, actor }: Doing, id: string): Promise<void> {
  if (await store.hasResetFactor(db, id, actor.userId))
    throw conflict('您24小时内参与过该账号的二次验证重置，须由其他人处理')
}

/** Sets a new first password for another user, and ends their sessions. */
export async function resetPassword(ctx: Doing, sessions: SessionStore, id: string) {
  assertNotSelf(ctx.actor, id)
  const person = await requireManageable(ctx, id)
  await assertNoFactorReset(ctx, id)
  const initialPassword = newPassword()
  await storePassword(ctx.db, person, await hashPassword(initialPassword), true)
  await recordCredential(ctx.db, person, 'password', ctx.actor.userId)
  await endSessions(ctx, sessions, [id])
  await notifyFactorChanged(ctx, person, '密码', [person.phone])
  return { initialPassword }
}

type PhoneChange = { id: string; phone: string; reason: string }

/** Changes the phone of another user: pending codes become invalid, sessions end, and both phones are notified. */
export async function changePhone(
  ctx: Doing & Pick<Ctx<never>, 'setAuditDetail'>,
  sessions: SessionStore,
  { id, phone, reason }: PhoneChange,
) {
  const { db } = ctx
  assertNotSelf(ctx.actor, id)
  const person = await requireManageable(ctx, id)
  // Every reader of the log sees the reason.
  if (looksPersonal(reason)) throw invalid('原因中请勿填写手机号等个人信息', 'reason')
  if (person.phone === phone) throw invalid('新手机号不能与当前手机号相同', 'phone')
  await assertNoFactorReset(ctx, id)
  await store.setPhone(db, id, phone)
  await recordCredential(db, person, 'phone', ctx.actor.userId)
  await dropCodes(db, id)
  await endSessions(ctx, sessions, [id])
  await notifyFactorChanged(ctx, person, '手机号', [person.phone, phone])
  await publishAccountChange(db, [person])
  ctx.setAuditDetail(`账号${person.login_name}，原因：${reason}`)
  return null
}

/** Issues a link that logs in as another user once. */
export async function quickLogin(ctx: Asking, id: string) {
  const { db, scope, actor } = ctx
  assertNotSelf(actor, id)
  const person = await requireManageable(ctx, id)
  const theirs = await rightsOf(db, scope, id)
  // Platform administrators prove a second factor, which a link would bypass. A session from such a link cannot issue another one.
  if (theirs.roleTopLevel <= 1 || actor.actedBy !== null) throw forbidden()
  if (person.status !== 1) throw conflict('该账号已停用')
  return store.issueTicket(db, person, actor.userId)
}
