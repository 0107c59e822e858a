import { looksPersonal } from '@wattdeck/contract/kit/view-problem.ts'
import type { Actor } from '../../../kit/auth/actor.ts'
import type { Db } from '../../../kit/db/db.ts'
import { tellFactorChanged } from '../../../kit/auth/factor-notice.ts'
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

/** Who may do what to the account of another, for every screen that looks after accounts. */
type Asking = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
type Doing = Asking & Pick<Ctx<never>, 'afterCommit' | 'enqueue'>

/** The person, if the caller may manage them: in scope, standing no higher, and not the caller where that would be a trick. */
export async function managed({ db, scope, actor }: Asking, id: string) {
  const person = orNotFound(await store.findAccount(db, scope, id))
  if (id !== actor.userId) assertOutranks(actor, await rightsOf(db, scope, id))
  return person
}

export const notSelf = (actor: Actor, id: string) => {
  if (actor.userId === id) throw conflict('不能对自己的账号执行该操作')
}

type RoleWithRights = Awaited<ReturnType<typeof store.rolesWithRights>>[number]

function assertMayGive(actor: Actor, role: RoleWithRights): void {
  if (role.top_level < actor.roleTopLevel) throw forbidden()
  assertHolds(actor, role)
}

/** The roles asked for, if each is there, fits the organisation, and holds nothing that the caller lacks. */
export async function grantable(db: Db, actor: Actor, organiseId: string, roleIds: readonly string[]) {
  if (roleIds.length === 0) return []
  const roles = await store.rolesWithRights(db, { organiseId, ids: roleIds })
  if (roles.length !== new Set(roleIds).size) throw notFound()
  for (const role of roles) assertMayGive(actor, role)
  return roles
}

/** The roles of an organisation that the caller may hand out; `all`: every role they see. */
export async function rolesToGive(db: Db, actor: Actor, organiseId: string, all = false) {
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

/** Makes an account whose roles have been found grantable. Its first password is shown once and kept nowhere. */
export async function openAccount({ db, actor }: Asking, person: store.NewAccount, roleIds: readonly string[]) {
  const initialPassword = newPassword()
  const passwordHash = await hashPassword(initialPassword)
  const id = await store.addAccount(db, { ...person, passwordHash, createdBy: actor.userName })
  await store.setRoles(db, { id, ...person.place }, roleIds)
  await recordCredential(db, { id, ...person.place }, 'account', actor.userId)
  return { id, initialPassword }
}

/** Open lists of accounts read themselves again: once for each organisation that was changed in. */
export async function tellChanged(db: Db, places: readonly Place[]): Promise<void> {
  for (const place of new Map(places.map((one) => [one.organise_id, one])).values())
    await publishToOrganisation(db, place, { kind: 'changed', list: 'staff' })
}

/** Switches accounts of others on or off, all or none. Who is switched off is logged out. */
export async function switchAccounts(ctx: Doing, sessions: SessionStore, ids: readonly string[], status: number) {
  const people: Place[] = []
  for (const id of ids) {
    notSelf(ctx.actor, id)
    people.push(await managed(ctx, id))
  }
  const changed = await store.setAccountStatus(ctx.db, ids, status)
  if (status === 0) await endSessions(ctx, sessions, ids)
  await tellChanged(ctx.db, people)
  return { changed }
}

/** Removes accounts of others, all or none, and answers where they stood. */
export async function closeAccounts(ctx: Doing, sessions: SessionStore, ids: readonly string[]): Promise<Place[]> {
  const people: Place[] = []
  for (const id of new Set(ids)) {
    notSelf(ctx.actor, id)
    people.push(await managed(ctx, id))
  }
  await endSessions(ctx, sessions, ids)
  await store.removeAccounts(ctx.db, ids)
  return people
}

/** Who took part in resetting the second factor of an account sets neither its password nor its phone for a day. */
async function assertLeftFactorAlone({ db, actor }: Doing, id: string): Promise<void> {
  if (await store.hasResetFactor(db, id, actor.userId))
    throw conflict('您24小时内参与过该账号的二次验证重置，须由其他人处理')
}

/** A new first password for somebody else; whoever used the old one is logged out. */
export async function resetPassword(ctx: Doing, sessions: SessionStore, id: string) {
  notSelf(ctx.actor, id)
  const person = await managed(ctx, id)
  await assertLeftFactorAlone(ctx, id)
  const initialPassword = newPassword()
  await storePassword(ctx.db, person, await hashPassword(initialPassword), true)
  await recordCredential(ctx.db, person, 'password', ctx.actor.userId)
  await endSessions(ctx, sessions, [id])
  await tellFactorChanged(ctx, person, '密码', [person.phone])
  return { initialPassword }
}

type PhoneChange = { id: string; phone: string; reason: string }

/** Another phone for somebody else: codes that are on their way are worthless, sessions end, both phones are told. */
export async function changePhone(
  ctx: Doing & Pick<Ctx<never>, 'setAuditDetail'>,
  sessions: SessionStore,
  { id, phone, reason }: PhoneChange,
) {
  const { db } = ctx
  notSelf(ctx.actor, id)
  const person = await managed(ctx, id)
  // The reason stands in the log for everybody who reads it.
  if (looksPersonal(reason)) throw invalid('原因中请勿填写手机号等个人信息', 'reason')
  if (person.phone === phone) throw invalid('新手机号不能与当前手机号相同', 'phone')
  await assertLeftFactorAlone(ctx, id)
  await store.setPhone(db, id, phone)
  await recordCredential(db, person, 'phone', ctx.actor.userId)
  await dropCodes(db, id)
  await endSessions(ctx, sessions, [id])
  await tellFactorChanged(ctx, person, '手机号', [person.phone, phone])
  await tellChanged(db, [person])
  ctx.setAuditDetail(`账号${person.login_name}，原因：${reason}`)
  return null
}

/** A link that logs in as somebody else once. */
export async function quickLogin(ctx: Asking, id: string) {
  const { db, scope, actor } = ctx
  notSelf(actor, id)
  const person = await managed(ctx, id)
  const theirs = await rightsOf(db, scope, id)
  // Platform administrators prove a second factor; a link would go around it. And a borrowed session lends nothing.
  if (theirs.roleTopLevel <= 1 || actor.actedBy !== null) throw forbidden()
  if (person.status !== 1) throw conflict('该账号已停用')
  return store.issueTicket(db, person, actor.userId)
}
