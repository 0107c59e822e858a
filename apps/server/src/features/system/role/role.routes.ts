import { role, roleList } from '@wattdeck/contract/system/role.ts'
import { isSuperAdmin } from '@wattdeck/domain/roles.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { setStatus } from '../../../kit/http/set-status.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { notifyAll, publishLiveToMany, publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict, forbidden, orNotFound } from '../../../kit/http/refusal.ts'
import * as rights from '../_shared/grants.ts'
import * as grants from '../_shared/grants.store.ts'
import * as standing from '../_shared/role-standing.ts'
import { chosenPlace, type Place } from '../../_shared/place.store.ts'
import * as rules from './role.rules.ts'
import * as store from './role.store.ts'
import { rowExists, updateRow } from '../../../kit/db/rows.ts'

type Asking = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>

/** The role with its grants, if the caller holds all of them and does not stand below it. */
async function outranked({ db, actor }: Asking, id: string) {
  const found = orNotFound(await store.lockRole(db, id))
  const [all, granted] = await Promise.all([grants.loadCatalogue(db), grants.grantsOf(db, id)])
  rights.assertAbove(actor, found, all, granted)
  return { found, all, granted }
}

/** Only a super admin changes a role of their own. */
async function manageable(ctx: Asking, id: string) {
  const { db, actor } = ctx
  const managed = await outranked(ctx, id)
  if (!isSuperAdmin(actor) && (await rowExists(db, 'user_role', { user_id: actor.userId, role_id: id })))
    throw forbidden()
  return managed
}

async function notifyMembers({ db }: Asking, changed: store.RoleRow): Promise<void> {
  const notice = { type: 0, title: '权限变更', body: `您的角色「${changed.name}」的权限已更新` } as const
  const members = await store.membersOf(db, changed.id)
  await notifyAll(db, members, notice)
  await publishLiveToMany(db, members, () => ({ kind: 'rights' }))
}

/** Refreshes open lists of roles. */
const publishChange = (db: Db, place: Place) => publishToOrganisation(db, place, { kind: 'changed', list: 'role' })

const roleHandlers: Handlers<typeof role> = {
  list: ({ db, scope, query }) => listQuery(db, scope, roleList, store.roleSource, query),

  privilege: async ({ db, actor, params }) => {
    const found = orNotFound(await store.readRole(db, params.roleId))
    const [all, granted] = await Promise.all([grants.loadCatalogue(db), grants.grantsOf(db, params.roleId)])
    return rights.privilegeOf(actor, rules.grantable(found, all), { granted, canUnmask: found.can_unmask })
  },

  savePrivilege: async (ctx) => {
    const { db, actor, body } = ctx
    const { found, all, granted } = await manageable(ctx, body.roleId)
    const { added, removed } = rights.grantChanges(actor, all, granted, body)
    if (rights.isEmpty(added) && rights.isEmpty(removed) && body.canUnmask === found.can_unmask) return null
    await grants.removeGrants(db, found.id, removed)
    await grants.addGrants(db, found, added)
    if (body.canUnmask !== found.can_unmask) await grants.setUnmask(db, found.id, body.canUnmask)
    await notifyMembers(ctx, found)
    await publishChange(db, found)
    return null
  },

  add: async ({ db, actor, body }) => {
    const place = await chosenPlace(db, actor, body)
    standing.assertMayCreateRole(actor, place.organise_id, body.userType)
    rules.assertFits(place, body.userType)
    rules.assertCode(place.organise_id, body.code)
    const { name, code, userType, auditOnly = false } = body
    const topLevel = standing.topLevelOf(place.organise_id, userType)
    const values = { ...place, name, code, userType, topLevel, auditOnly, canUnmask: false }
    const id = await store.addRole(db, values, actor.userName)
    if (id === undefined) throw conflict('角色名称已存在')
    await publishChange(db, place)
    return { id }
  },

  edit: async (ctx) => {
    const { db, body } = ctx
    const { found } = await manageable(ctx, body.id)
    if (body.code !== found.code) rules.assertCode(found.organise_id, body.code)
    if (await store.nameTaken(db, found, body.name)) throw conflict('角色名称已存在')
    await updateRow(db, 'role', body.id, { name: body.name, code: body.code })
    await publishChange(db, found)
    return null
  },

  copy: async (ctx) => {
    const { db, actor, body } = ctx
    const { found: source, all, granted } = await outranked(ctx, body.id)
    const { organise_id, agent_id, site_id, user_type: userType, can_unmask: canUnmask, audit_only: auditOnly } = source
    standing.assertMayCreateRole(actor, organise_id, userType)
    rules.assertCode(organise_id, body.code)
    const place = { organise_id, agent_id, site_id }
    const topLevel = standing.topLevelOf(organise_id, userType)
    const values = { ...place, name: body.name, code: body.code, userType, topLevel, auditOnly, canUnmask }
    const id = await store.addRole(db, values, actor.userName)
    if (id === undefined) throw conflict('角色名称已存在')
    await grants.addGrants(db, { id, ...place }, rights.idsOf(rights.pick(rights.decidableRights(actor, all), granted)))
    await publishChange(db, place)
    return { id }
  },

  toggle: async (ctx) => {
    const { db, body } = ctx
    const { found } = await manageable(ctx, body.id)
    if (found.top_level === 0 && body.status === 0) throw conflict('超级管理员角色不能停用')
    await setStatus(db, 'role', body, '角色')
    await publishChange(db, found)
    return null
  },

  remove: async (ctx) => {
    const { db, body } = ctx
    const { found } = await manageable(ctx, body.id)
    if ((await store.membersOf(db, body.id)).length > 0) throw conflict('角色下还有成员，不能删除')
    await store.removeRole(db, body.id)
    await publishChange(db, found)
    return null
  },

  members: async ({ db, params, query }) => {
    orNotFound(await store.readRole(db, params.roleId))
    return store.memberPage(db, params.roleId, query)
  },
}

export const roleFeature = defineFeature(role, roleHandlers)
