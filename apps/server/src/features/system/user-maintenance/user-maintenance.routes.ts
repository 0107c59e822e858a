import { userType } from '@wattdeck/contract/common.ts'
import { type Account, accountList, userMaintenance } from '@wattdeck/contract/system/user-maintenance.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { notify, publishLive } from '../../../kit/events/outbox.ts'
import { invalid } from '../../../kit/http/refusal.ts'
import * as accounts from '../_shared/accounts.ts'
import { setRoles } from '../_shared/accounts.store.ts'
import { chosenPlace, type Place } from '../../_shared/place.store.ts'
import * as store from './user-maintenance.store.ts'

type Asking = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>

/** Requires a place that fits the type. The type limits the roles, the place limits the visible data. */
function assertFits(type: Account['userType'], { agent_id, site_id }: Place): void {
  const { organise, agent, site, installer } = userType.code
  if (type === organise && (agent_id ?? site_id) !== null) throw invalid('机构用户不能归属代理商或站点', 'userType')
  if (type === agent && agent_id === null) throw invalid('请选择所属代理商', 'agentId')
  if (type === site && site_id === null) throw invalid('请选择所属站点', 'siteId')
  if ((type === agent || type === installer) && site_id !== null)
    throw invalid(`${userType.show(type).label}用户不能归属站点`, 'userType')
}

/** Requires roles that are grantable, as for staff, and made for this type of user. */
async function fittingRoles({ db, actor }: Asking, organiseId: string, type: number, ids: readonly string[]) {
  const roles = await accounts.requireGrantableRoles(db, actor, organiseId, ids)
  if (roles.some((role) => role.user_type !== type)) throw invalid('请选择与用户类型一致的角色', 'roleIds')
  return roles.map((role) => role.id)
}

/** The account of another user whom the caller may manage. */
function another(ctx: Asking, id: string) {
  accounts.assertNotSelf(ctx.actor, id)
  return accounts.requireManageable(ctx, id)
}

const sameIds = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && new Set([...one, ...other]).size === one.length

function userMaintenanceHandlers(deps: Deps): Handlers<typeof userMaintenance> {
  return {
    list: ({ db, scope, query }) => listQuery(db, scope, accountList, store.accountSource, query),

    roleOptions: async ({ db, actor, query }) => {
      const roles = await accounts.listGrantableRoles(db, actor, query.organiseId ?? actor.organiseId)
      return roles.filter((role) => role.userType === query.userType).map(({ id, name }) => ({ id, name }))
    },

    add: async (ctx) => {
      const { db, actor, body } = ctx
      const { organiseId, agentId, siteId, roleIds = [], ...person } = body
      const place = await chosenPlace(db, actor, { organiseId, agentId, siteId })
      assertFits(person.userType, place)
      const roles = await fittingRoles(ctx, place.organise_id, person.userType, roleIds)
      const account = await accounts.openAccount(ctx, { ...person, place, employeeNo: person.loginName }, roles)
      await accounts.publishAccountChange(db, [place])
      return account
    },

    edit: async (ctx) => {
      const { db, body } = ctx
      const person = await another(ctx, body.id)
      const roles = await fittingRoles(ctx, person.organise_id, person.user_type, body.roleIds ?? [])
      await store.rename(db, body.id, body.name)
      if (!sameIds(await store.roleIdsOf(db, body.id), roles)) {
        await setRoles(db, person, roles)
        const text = '您的角色已调整，菜单和操作权限随之更新'
        await notify(db, { ...person, userId: person.id }, { type: 0, title: '权限变更', body: text })
        await publishLive(db, person, person.id, { kind: 'rights' })
      }
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
  }
}

export const userMaintenanceFeature = defineFeature(userMaintenance, userMaintenanceHandlers)
