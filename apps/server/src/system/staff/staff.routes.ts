import type { staff } from '@wattdeck/contract/system/staff.ts'
import type { Actor } from '../../kit/actor.ts'
import type { Db } from '../../kit/db.ts'
import type { Ctx, Handlers } from '../../kit/handlers.ts'
import type { Deps } from '../../kit/http.ts'
import { notify, tell } from '../../kit/outbox.ts'
import { hashPassword, storePassword } from '../../kit/passwords.ts'
import { conflict, forbidden, notFound } from '../../kit/refusal.ts'
import { assertHolds, assertOutranks, rightsOf } from '../../kit/rights.ts'
import type { Scope } from '../../kit/scope.ts'
import { endSessions } from '../../kit/sessions.ts'
import { newPassword } from '../../kit/tokens.ts'
import { chosenPlace } from '../place.store.ts'
import * as store from './staff.store.ts'

/** The person, if the caller may manage them: in scope, standing no higher, and not the caller where that would be a trick. */
async function managed(ctx: Pick<Ctx<never>, 'db' | 'scope' | 'actor'>, id: string) {
  const person = await store.findStaff(ctx.db, ctx.scope, id)
  if (person === undefined) throw notFound()
  if (id !== ctx.actor.userId) assertOutranks(ctx.actor, await rightsOf(ctx.db, ctx.scope, id))
  return person
}

const notSelf = (actor: Actor, id: string) => {
  if (actor.userId === id) throw conflict('不能对自己的账号执行该操作')
}

/** The roles asked for, if each is there, fits the organisation, and holds nothing that the caller lacks. */
async function grantable(db: Db, scope: Scope, actor: Actor, organiseId: string, roleIds: readonly string[]) {
  if (roleIds.length === 0) return
  const roles = await store.rolesWithRights(db, scope, { organiseId, ids: roleIds })
  if (roles.length !== new Set(roleIds).size) throw notFound()
  for (const role of roles) {
    if (role.top_level < actor.roleTopLevel) throw forbidden()
    assertHolds(actor, role)
  }
}

export function staffHandlers(deps: Deps): Handlers<typeof staff> {
  return {
    list: ({ db, scope, query }) => store.listStaff(db, scope, query),

    add: async ({ db, scope, actor, body }) => {
      const place = await chosenPlace(db, scope, actor, body.organiseId)
      if (
        body.departmentId !== undefined &&
        (await store.departmentIn(db, scope, body.departmentId, place.organise_id)) === undefined
      )
        throw notFound()
      await grantable(db, scope, actor, place.organise_id, body.roleIds ?? [])
      const initialPassword = newPassword()
      const id = await store.addStaff(db, scope, {
        place,
        userType: place.organise_id === actor.organiseId ? actor.userType : 1,
        employeeNo: body.employeeNo,
        name: body.name,
        loginName: body.loginName,
        phone: body.phone,
        email: body.email,
        departmentId: body.departmentId,
        passwordHash: await hashPassword(initialPassword),
        createdBy: actor.userName,
      })
      await store.setRoles(db, scope, { id, ...place }, body.roleIds ?? [])
      return { id, initialPassword }
    },

    edit: async (ctx) => {
      const { db, scope, body } = ctx
      const person = await managed(ctx, body.id)
      if (
        body.departmentId !== undefined &&
        (await store.departmentIn(db, scope, body.departmentId, person.organise_id)) === undefined
      )
        throw notFound()
      const { employeeNo, name, email, departmentId, phone } = body
      await store.editStaff(db, scope, body.id, { employeeNo, name, email, departmentId, phone })
      // Another department may mean another ceiling: nobody may end up with more than the caller holds, the caller least.
      assertHolds(ctx.actor, await rightsOf(db, scope, body.id))
      return null
    },

    toggle: async (ctx) => {
      const { db, scope, actor, body } = ctx
      for (const id of body.ids) {
        notSelf(actor, id)
        await managed(ctx, id)
      }
      const changed = await store.setStatus(db, scope, body.ids, body.status)
      if (body.status === 0) await endSessions(ctx, deps.sessions, body.ids)
      return { changed }
    },

    remove: async (ctx) => {
      const { db, scope, actor, body } = ctx
      for (const id of body.ids) {
        notSelf(actor, id)
        await managed(ctx, id)
      }
      await endSessions(ctx, deps.sessions, body.ids)
      return { changed: await store.removeStaff(db, scope, body.ids) }
    },

    resetPassword: async (ctx) => {
      const { db, actor, body } = ctx
      notSelf(actor, body.id)
      const person = await managed(ctx, body.id)
      const initialPassword = newPassword()
      await storePassword(db, person, await hashPassword(initialPassword), true)
      await endSessions(ctx, deps.sessions, [body.id])
      return { initialPassword }
    },

    assignRoles: async (ctx) => {
      const { db, scope, actor, body } = ctx
      notSelf(actor, body.id)
      const person = await managed(ctx, body.id)
      await grantable(db, scope, actor, person.organise_id, body.roleIds ?? [])
      await store.setRoles(db, scope, person, body.roleIds ?? [])
      await notify(
        db,
        { ...person, userId: person.id },
        { type: 0, title: '权限变更', body: '您的角色已调整，菜单和操作权限随之更新' },
      )
      await tell(db, person, person.id, { kind: 'rights' })
      return null
    },

    unlock: async (ctx) => {
      await managed(ctx, ctx.body.id)
      await store.unlock(ctx.db, ctx.scope, ctx.body.id)
      return null
    },

    quickLogin: async (ctx) => {
      const { db, scope, actor, body } = ctx
      notSelf(actor, body.id)
      const person = await managed(ctx, body.id)
      const theirs = await rightsOf(db, scope, body.id)
      // Platform administrators prove a second factor; a link would go around it. And a borrowed session lends nothing.
      if (theirs.roleTopLevel <= 1 || actor.actedBy !== null) throw forbidden()
      if (person.status !== 1) throw conflict('该员工已停用')
      return store.issueTicket(db, scope, person, actor.userId)
    },

    roleOptions: async ({ db, scope, actor, query }) => {
      const roles = await store.rolesWithRights(db, scope, { organiseId: query.organiseId ?? actor.organiseId })
      const offered = query.all === true ? roles : roles.filter((role) => mayGive(actor, role))
      return offered.map((role) => ({ id: role.id, name: role.name, userType: role.user_type }))
    },

    organiseOptions: ({ db, scope, query }) => store.organiseOptions(db, scope, query.keyword),
  }
}

function mayGive(actor: Actor, role: Parameters<typeof assertHolds>[1] & { top_level: number }): boolean {
  try {
    assertHolds(actor, role)
    return role.top_level >= actor.roleTopLevel
  } catch {
    return false
  }
}
