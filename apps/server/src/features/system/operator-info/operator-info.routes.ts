import { enabledStatus, userType } from '@wattdeck/contract/common.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { agentDepthMax, operatorInfo, operatorList, shareText } from '@wattdeck/contract/system/operator-info.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import { exportHandler } from '../../../kit/bulk/list-export.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { withNewAgentScope } from '../../../kit/auth/new-agent.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict, invalid, notFound } from '../../../kit/http/refusal.ts'
import { endSessions } from '../../../kit/auth/sessions.ts'
import { sha256 } from '../../../kit/auth/tokens.ts'
import * as accounts from '../_shared/accounts.ts'
import { findAccount, listUsersWithSession } from '../_shared/accounts.store.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import { requireRegion } from '../../_shared/region-path.store.ts'
import * as store from './operator-info.store.ts'

type Asking = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>

/** A user of an agent manages the agents below it; the agent itself is managed from above. */
function notOwn({ actor }: Asking, id: string): void {
  if (actor.agentId === id) throw conflict('本级运营商由上级维护，不能修改')
}

/** An agent below the caller, locked. */
async function changeable(ctx: Asking, id: string) {
  const agent = await store.lockAgent(ctx.db, ctx.scope, id)
  if (agent === undefined) throw notFound()
  notOwn(ctx, id)
  return agent
}

type Fields = Omit<BodyOf<typeof operatorInfo.edit>, 'id'>

/** Columns from the form. An omitted field is emptied, except the phone, which the form has only masked. */
async function columnsOf({ db }: Asking, fields: Fields) {
  await requireRegion(db, fields)
  return {
    name: fields.name,
    type: fields.type,
    contact: fields.contact ?? null,
    province_code: fields.provinceCode ?? null,
    city_code: fields.cityCode ?? null,
    district_code: fields.districtCode ?? null,
    address: fields.address ?? null,
    remark: fields.remark ?? null,
    ...(fields.phone === undefined ? {} : { phone: fields.phone }),
  }
}

const inBp = (percent: number) => Math.round(percent * 100)

/** An agent cannot pass on a larger share than its own. */
function assertShare(shareBp: number, parent: { share_bp: number } | undefined): void {
  if (parent !== undefined && shareBp > parent.share_bp)
    throw invalid(`分成比例不能高于上级代理商的${shareText(parent.share_bp)}`, 'sharePercent')
}

/** The parent of a new agent, locked so that its share and status hold until the commit; undefined at the top. */
async function parentFor({ db, scope }: Asking, id: string | null) {
  if (id === null) return undefined
  const parent = await store.lockAgent(db, scope, id)
  if (parent === undefined) throw notFound()
  if (parent.status !== enabledStatus.code.enabled) throw conflict('上级代理商已停用')
  if (parent.depth >= agentDepthMax) throw conflict(`代理商最多${agentDepthMax}级`)
  return parent
}

/** Refreshes open lists of operators. Events are stored at the caller's place, as row-level security requires. */
const publishChange = ({ db, actor }: Asking, organise_id: string) =>
  publishToOrganisation(db, { ...placeOf(actor), organise_id }, { kind: 'changed', list: 'operatorInfo' })

function operatorInfoHandlers(deps: Deps): Handlers<typeof operatorInfo> {
  return {
    list: ({ db, scope, query }) => listQuery(db, scope, operatorList, store.operatorSource, query),

    children: async ({ db, scope, actor, query: { organiseId, parentAgentId } }) => {
      if (scope.level === 0 && organiseId === undefined && parentAgentId === undefined)
        throw invalid('请先选择机构', 'organiseId')
      return store.branch(db, scope, { organiseId, parentAgentId, own: actor.agentId })
    },

    roleOptions: async ({ db, actor, query }) => {
      const roles = await accounts.listGrantableRoles(db, actor, query.organiseId ?? actor.organiseId)
      return roles.filter((role) => role.userType === userType.code.agent).map(({ id, name }) => ({ id, name }))
    },

    add: async (ctx) => {
      const { db, scope, actor, body } = ctx
      const { organiseId, parentAgentId, sharePercent = 0, roleId, ...rest } = body
      const { adminName, adminLoginName, adminPhone, ...fields } = rest
      if (scope.level === 0 && organiseId === undefined && parentAgentId === undefined)
        throw invalid('请选择所属机构', 'organiseId')
      const { organise_id, agent_id } = await chosenPlace(db, actor, { organiseId, agentId: parentAgentId })
      const parent = await parentFor(ctx, agent_id)
      const share_bp = inBp(sharePercent)
      assertShare(share_bp, parent)
      const [role] = await accounts.requireGrantableRoles(db, actor, organise_id, [roleId])
      if (role?.user_type !== userType.code.agent) throw invalid('请选择用户类型为代理商的角色', 'roleId')
      const columns = await columnsOf(ctx, fields)
      const above = { organise_id, parent_agent_id: agent_id, depth: (parent?.depth ?? 0) + 1 }
      const id = await store.addAgent(db, { ...columns, ...above, share_bp, created_by: actor.userName })
      const place = { organise_id, agent_id: id, site_id: null }
      const admin = { place, userType: userType.code.agent, name: adminName, loginName: adminLoginName }
      const person = { ...admin, phone: adminPhone, employeeNo: adminLoginName }
      const account = await withNewAgentScope(db, scope, id, (wider) =>
        accounts.openAccount({ ...ctx, scope: wider }, person, [roleId]),
      )
      await store.changeAgent(db, id, { admin_user_id: account.id })
      await publishChange(ctx, organise_id)
      // A session caches the agents below its user, so the next request of the creator must load the new agent.
      ctx.afterCommit(() => deps.sessions.forget([sha256(ctx.request.token)]))
      return { id, initialPassword: account.initialPassword }
    },

    edit: async (ctx) => {
      const { id, ...fields } = ctx.body
      const { organise_id } = await changeable(ctx, id)
      await store.changeAgent(ctx.db, id, await columnsOf(ctx, fields))
      await publishChange(ctx, organise_id)
      return null
    },

    setShare: async (ctx) => {
      const { db, scope, body } = ctx
      const share_bp = inBp(body.sharePercent)
      const agent = await store.readAgent(db, scope, body.id)
      if (agent === undefined) throw notFound()
      notOwn(ctx, body.id)
      const parent =
        agent.parent_agent_id === null ? undefined : await store.lockAgent(db, scope, agent.parent_agent_id)
      if (agent.parent_agent_id !== null && parent === undefined) throw notFound()
      await changeable(ctx, body.id)
      assertShare(share_bp, parent)
      const below = await store.largestShareBelow(db, scope, body.id)
      if (below !== undefined && below.share_bp > share_bp)
        throw invalid(`下级代理商「${below.name}」的分成比例为${shareText(below.share_bp)}，不能低于它`, 'sharePercent')
      await store.changeAgent(db, body.id, { share_bp })
      await publishChange(ctx, agent.organise_id)
      return null
    },

    toggle: async (ctx) => {
      const { db, body } = ctx
      const { organise_id } = await changeable(ctx, body.id)
      if (!(await store.setAgentStatus(db, body.id, body.status))) throw conflict('运营商状态已变更，请刷新后重试')
      if (body.status === enabledStatus.code.disabled)
        await endSessions(ctx, deps.sessions, await listUsersWithSession(db, { organise_id, agent_id: body.id }))
      await publishChange(ctx, organise_id)
      return null
    },

    remove: async (ctx) => {
      const { db, scope, body } = ctx
      const { name, organise_id, admin_user_id: admin } = await changeable(ctx, body.id)
      const { agents, sites, people } = await store.belongings(db, { id: body.id, admin })
      if (agents + sites + people > 0)
        throw conflict(`运营商「${name}」下还有 ${agents} 个下级、${sites} 个站点、${people} 个账号，不能删除`)
      if (admin !== null && (await findAccount(db, scope, admin)) !== undefined)
        await accounts.closeAccounts(ctx, deps.sessions, [admin])
      await store.removeAgent(db, body.id)
      await publishChange(ctx, organise_id)
      return null
    },

    resetPassword: async (ctx) => {
      const { admin_user_id: admin } = await changeable(ctx, ctx.body.id)
      if (admin === null || (await findAccount(ctx.db, ctx.scope, admin)) === undefined)
        throw conflict('该运营商没有管理员账号')
      return accounts.resetPassword(ctx, deps.sessions, admin)
    },

    exportList: exportHandler(store.operatorExport),
  }
}

export const operatorInfoFeature = defineFeature(operatorInfo, operatorInfoHandlers, {
  exports: [store.operatorExport],
})
