import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { organise, organiseList } from '@wattdeck/contract/system/organise.ts'
import { defaultOrganiseId, roleCode } from '@wattdeck/domain/roles.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { type Actor, placeOf } from '../../../kit/auth/actor.ts'
import { exportHandler } from '../../../kit/bulk/list-export.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { notify, publishToOrganisation, publishToPeopleOf } from '../../../kit/events/outbox.ts'
import { conflict, notFound } from '../../../kit/http/refusal.ts'
import { endSessions } from '../../../kit/auth/sessions.ts'
import { swapPicture } from '../../../kit/files/stored-files.ts'
import * as accounts from '../_shared/accounts.ts'
import { findAccount, listUsersWithSession } from '../_shared/accounts.store.ts'
import * as rights from '../_shared/grants.ts'
import * as grants from '../_shared/grants.store.ts'
import { assertPlatformAdmin } from '../_shared/platform-admin.ts'
import { templateGrants, userTypeAt } from '../_shared/template-grants.ts'
import { addTemplateRole } from '../_shared/template-roles.store.ts'
import type { Place } from '../../_shared/place.store.ts'
import { roleTemplates } from '../../../seed/role-templates.ts'
import { requireRegion } from '../../_shared/region-path.store.ts'
import * as store from './organise.store.ts'

type Asking = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>

/** An organisation, locked, for a change that only administrators of the platform may make. */
async function changeable({ db, actor }: Asking, id: string) {
  assertPlatformAdmin(actor)
  const row = await store.lockOrganise(db, id)
  if (row === undefined) throw notFound()
  return row
}

/** The platform is an organisation, too, which all others need: it cannot be disabled, removed or restricted. */
function notPlatform(id: string): void {
  if (id === defaultOrganiseId) throw conflict('不能对平台自身执行该操作')
}

/** The administrator account of an organisation. */
async function adminOf(ctx: Asking, id: string): Promise<string> {
  const { admin_user_id: admin } = await changeable(ctx, id)
  if (admin === null || (await findAccount(ctx.db, ctx.scope, admin)) === undefined)
    throw conflict('该机构没有管理员账号')
  return admin
}

type Fields = Omit<BodyOf<typeof organise.edit>, 'id'>

/** Columns from the form. An omitted field is emptied, except those that the console has only masked. */
async function columnsOf({ db }: Asking, fields: Fields) {
  await requireRegion(db, fields)
  return {
    name: fields.name,
    short_name: fields.shortName ?? null,
    type: fields.type,
    contact: fields.contact ?? null,
    province_code: fields.provinceCode ?? null,
    city_code: fields.cityCode ?? null,
    district_code: fields.districtCode ?? null,
    address: fields.address ?? null,
    public_account: fields.publicAccount ?? null,
    mini_program: fields.miniProgram ?? null,
    credit_code: fields.creditCode ?? null,
    licence_file_id: fields.licenceFileId ?? null,
    settlement_way: fields.settlementWay ?? 1,
    remark: fields.remark ?? null,
    ...(fields.phone === undefined ? {} : { phone: fields.phone }),
    ...(fields.legalPerson === undefined ? {} : { legal_person: fields.legalPerson }),
  }
}

/** A licence belongs to the platform, so its picture is stored at the place of the caller. */
const keepLicence = ({ db, actor }: Asking, from: string | null, to: string | null) =>
  swapPicture(db, actor, { from, to, place: placeOf(actor) })

/** Refreshes open lists of organisations. */
const publishChange = ({ db, actor }: Asking, id: string) =>
  publishToOrganisation(db, { ...placeOf(actor), organise_id: id }, { kind: 'changed', list: 'organise' })

type Ceiling = { all: rights.Catalogue; granted: rights.Granted; canUnmask: boolean }

/**
 * Adds the roles of a new organisation. The administrator role has the chosen rights; every other role has the rights of its template among
 * them. Returns the id of the administrator role.
 */
async function addRoles({ db, actor }: Asking, place: Place, { all, granted, canUnmask }: Ceiling): Promise<string> {
  const createdBy = actor.userName
  const [admin, ...others] = roleTemplates
  if (admin?.code !== roleCode.publicAccountManager)
    throw new Error('the first role template must be the administrator role')
  const roleId = await addTemplateRole(db, admin, { place, userType: 1, granted, canUnmask, createdBy })
  if (roleId === undefined) throw new Error('the administrator role was not created')
  const ceiling = rights.pick(all, granted)
  for (const template of others) {
    const userType = userTypeAt(template, place)
    const templateRights = templateGrants(template, ceiling)
    if (userType !== undefined && templateRights !== undefined)
      await addTemplateRole(db, template, { place, userType, granted: templateRights, createdBy })
  }
  return roleId
}

/** The default rights in the form of a new organisation. */
const proposeRights = (actor: Actor, all: rights.Catalogue) => {
  const [admin] = roleTemplates
  const own = rights.grantableBy(actor, all)
  return (admin && templateGrants(admin, own)) ?? { menuIds: [], resourceIds: [] }
}

function organiseHandlers(deps: Deps): Handlers<typeof organise> {
  return {
    list: ({ db, scope, query }) => listQuery(db, scope, organiseList, store.organiseSource, query),

    add: async (ctx) => {
      const { db, actor, body } = ctx
      assertPlatformAdmin(actor)
      const { adminName, adminLoginName, adminPhone, menuIds, resourceIds, canUnmask, test = false, ...fields } = body
      const all = await grants.loadCatalogue(db)
      const none = { menuIds: [], resourceIds: [] }
      const { added } = rights.grantChanges(actor, all, none, { menuIds, resourceIds, canUnmask })
      const columns = await columnsOf(ctx, fields)
      await keepLicence(ctx, null, columns.licence_file_id)
      const id = await store.addOrganise(db, { ...columns, test, created_by: actor.userName })
      const place = { organise_id: id, agent_id: null, site_id: null }
      const roleId = await addRoles(ctx, place, { all, granted: added, canUnmask })
      const admin = { place, userType: 1, name: adminName, loginName: adminLoginName, phone: adminPhone }
      const person = { ...admin, employeeNo: adminLoginName }
      const { id: userId, initialPassword } = await accounts.openAccount(ctx, person, [roleId])
      await store.changeOrganise(db, id, { admin_user_id: userId })
      await publishChange(ctx, id)
      return { id, initialPassword }
    },

    edit: async (ctx) => {
      const { id, ...fields } = ctx.body
      const before = await changeable(ctx, id)
      const columns = await columnsOf(ctx, fields)
      await keepLicence(ctx, before.licence_file_id, columns.licence_file_id)
      await store.changeOrganise(ctx.db, id, columns)
      await publishChange(ctx, id)
      return null
    },

    toggle: async (ctx) => {
      const { db, body } = ctx
      await changeable(ctx, body.id)
      notPlatform(body.id)
      if (!(await store.setOrganiseStatus(db, body.id, body.status))) throw conflict('机构状态已变更，请刷新后重试')
      if (body.status === enabledStatus.code.disabled)
        await endSessions(ctx, deps.sessions, await listUsersWithSession(db, { organise_id: body.id, agent_id: null }))
      await publishChange(ctx, body.id)
      return null
    },

    remove: async (ctx) => {
      const { db, scope, body } = ctx
      const { name, admin_user_id: admin } = await changeable(ctx, body.id)
      notPlatform(body.id)
      const { agents, sites, people } = await store.belongings(db, { id: body.id, admin })
      if (agents + sites + people > 0)
        throw conflict(`机构「${name}」下还有 ${agents} 个代理商、${sites} 个站点、${people} 个账号，不能删除`)
      if (admin !== null && (await findAccount(db, scope, admin)) !== undefined)
        await accounts.closeAccounts(ctx, deps.sessions, [admin])
      await store.removeOrganise(db, body.id)
      await publishChange(ctx, body.id)
      return null
    },

    resetPassword: async (ctx) => accounts.resetPassword(ctx, deps.sessions, await adminOf(ctx, ctx.body.id)),

    quickLogin: async (ctx) => accounts.quickLogin(ctx, await adminOf(ctx, ctx.body.id)),

    privilege: async ({ db, actor, query }) => {
      assertPlatformAdmin(actor)
      const all = await grants.loadCatalogue(db)
      const role = query.id === undefined ? undefined : await store.readAdminRole(db, query.id)
      if (query.id !== undefined && role === undefined) throw notFound()
      const granted = role === undefined ? proposeRights(actor, all) : await grants.grantsOf(db, role.id)
      return rights.privilegeOf(actor, all, { granted, canUnmask: role?.can_unmask ?? false })
    },

    savePrivilege: async (ctx) => {
      const { db, scope, actor, body } = ctx
      const { admin_user_id: admin } = await changeable(ctx, body.id)
      notPlatform(body.id)
      const role = await store.lockAdminRole(db, body.id)
      if (role === undefined) throw conflict('该机构没有管理员角色')
      const [all, granted] = await Promise.all([grants.loadCatalogue(db), grants.grantsOf(db, role.id)])
      rights.assertAbove(actor, role, all, granted)
      const { added } = rights.grantChanges(actor, all, granted, body)
      await grants.addGrants(db, role, added)
      // The ceiling: rights that the administrator lacks are removed from every role of the organisation.
      const ceilingRights = { menuIds: body.menuIds ?? [], resourceIds: body.resourceIds ?? [] }
      await grants.removeFromAll(
        db,
        body.id,
        rights.without(rights.idsOf(rights.decidableRights(actor, all)), ceilingRights),
      )
      if (body.canUnmask) await grants.setUnmask(db, role.id, true)
      else await grants.removeUnmaskFromAll(db, body.id)
      await publishToPeopleOf(db, body.id, { kind: 'rights' })
      const person = admin === null ? undefined : await findAccount(db, scope, admin)
      const notice = { type: 0, title: '权限变更', body: '平台已调整本机构的菜单授权，各角色的权限随之更新' } as const
      if (person !== undefined) await notify(db, { ...person, userId: person.id }, notice)
      return null
    },

    exportList: exportHandler(store.organiseExport),
  }
}

export const organiseFeature = defineFeature(organise, organiseHandlers, { exports: [store.organiseExport] })
