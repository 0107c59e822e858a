import { staff } from '@wattdeck/contract/system/staff.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { notify, publishLive } from '../../../kit/events/outbox.ts'
import { notFound } from '../../../kit/http/refusal.ts'
import { assertHolds, rightsOf } from '../../../kit/auth/rights.ts'
import * as accounts from '../_shared/accounts.ts'
import { setRoles } from '../_shared/accounts.store.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import { factorResetHandlers } from './factor-reset.ts'
import * as store from './staff.store.ts'

function staffHandlers(deps: Deps): Handlers<typeof staff> {
  return {
    list: ({ db, scope, query }) => store.listStaff(db, scope, query),

    add: async (ctx) => {
      const { db, actor, body } = ctx
      const place = await chosenPlace(db, actor, { organiseId: body.organiseId })
      if (
        body.departmentId !== undefined &&
        (await store.departmentIn(db, body.departmentId, place.organise_id)) === undefined
      )
        throw notFound()
      const { employeeNo, name, loginName, phone, email, departmentId, roleIds = [] } = body
      await accounts.requireGrantableRoles(db, actor, place.organise_id, roleIds)
      const userType = place.organise_id === actor.organiseId ? actor.userType : 1
      const person = { place, userType, employeeNo, name, loginName, phone, email, departmentId }
      const account = await accounts.openAccount(ctx, person, roleIds)
      await accounts.publishAccountChange(db, [place])
      return account
    },

    edit: async (ctx) => {
      const { db, scope, body } = ctx
      const person = await accounts.requireManageable(ctx, body.id)
      if (
        body.departmentId !== undefined &&
        (await store.departmentIn(db, body.departmentId, person.organise_id)) === undefined
      )
        throw notFound()
      const { employeeNo, name, email, departmentId } = body
      await store.editStaff(db, body.id, { employeeNo, name, email, departmentId })
      // Another department may mean another ceiling: no user, least of all the caller, may end up with more than the caller holds.
      assertHolds(ctx.actor, await rightsOf(db, scope, body.id))
      await accounts.publishAccountChange(db, [person])
      return null
    },

    toggle: (ctx) => accounts.switchAccounts(ctx, deps.sessions, ctx.body.ids, ctx.body.status),

    remove: async (ctx) => {
      const people = await accounts.closeAccounts(ctx, deps.sessions, ctx.body.ids)
      await accounts.publishAccountChange(ctx.db, people)
      return { changed: people.length }
    },

    resetPassword: (ctx) => accounts.resetPassword(ctx, deps.sessions, ctx.body.id),

    changePhone: (ctx) => accounts.changePhone(ctx, deps.sessions, ctx.body),

    assignRoles: async (ctx) => {
      const { db, actor, body } = ctx
      accounts.assertNotSelf(actor, body.id)
      const person = await accounts.requireManageable(ctx, body.id)
      await accounts.requireGrantableRoles(db, actor, person.organise_id, body.roleIds ?? [])
      await setRoles(db, person, body.roleIds ?? [])
      await notify(
        db,
        { ...person, userId: person.id },
        { type: 0, title: '权限变更', body: '您的角色已调整，菜单和操作权限随之更新' },
      )
      await publishLive(db, person, person.id, { kind: 'rights' })
      await accounts.publishAccountChange(db, [person])
      return null
    },

    unlock: async (ctx) => {
      const person = await accounts.requireManageable(ctx, ctx.body.id)
      await store.unlock(ctx.db, ctx.body.id)
      await accounts.publishAccountChange(ctx.db, [person])
      return null
    },

    ...factorResetHandlers(deps),

    quickLogin: (ctx) => accounts.quickLogin(ctx, ctx.body.id),

    roleOptions: ({ db, actor, query }) =>
      accounts.listGrantableRoles(db, actor, query.organiseId ?? actor.organiseId, query.all),
  }
}

export const staffFeature = defineFeature(staff, staffHandlers)
