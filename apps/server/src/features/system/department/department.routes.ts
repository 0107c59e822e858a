import { department, departmentList } from '@wattdeck/contract/system/department.ts'
import type { DepartmentNode } from '@wattdeck/contract/system/department-tree.ts'
import { isSuperAdmin } from '@wattdeck/domain/roles.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { loadMenus } from '../../../kit/auth/menus.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict, forbidden, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { assertHolds } from '../../../kit/auth/rights.ts'
import { liveMenuIds } from '../_shared/live-menus.ts'
import { chosenPlace, organiseExists, type Place } from '../../_shared/place.store.ts'
import * as menus from './department-menu.store.ts'
import * as store from './department.store.ts'

type Asking = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>

/** A department whose parent is invisible to the caller is placed at the top. */
function departmentTree(rows: readonly Omit<DepartmentNode, 'children'>[]): DepartmentNode[] {
  const nodes = new Map<string, DepartmentNode>(rows.map((row) => [row.id, { ...row, children: [] }]))
  const top: DepartmentNode[] = []
  for (const node of nodes.values()) (nodes.get(node.parentId ?? '')?.children ?? top).push(node)
  return top
}

async function findParent({ db }: Asking, organiseId: string, parentId: string) {
  const parent = await store.findDepartment(db, parentId)
  if (parent?.organise_id !== organiseId) throw notFound()
  return parent
}

const isOfOrganise = (place: Place) => place.agent_id === null && place.site_id === null
const isSamePlace = (one: Place, other: Place) => one.agent_id === other.agent_id && one.site_id === other.site_id

/** Prevents a caller from granting menus that they do not hold by lifting a ceiling. */
async function assertMayLiftCeiling({ db, actor }: Asking, departmentId: string): Promise<void> {
  if (isSuperAdmin(actor)) return
  const { menuIds, outOfSight } = await menus.menusWithoutCeiling(db, departmentId)
  if (outOfSight) throw forbidden()
  const all = await loadMenus(db)
  const live = liveMenuIds(all)
  const lifted = all.filter((menu) => live.has(menu.id) && menuIds.includes(menu.id))
  assertHolds(actor, { menuKeys: lifted.map((menu) => menu.menuKey), grants: [], unmask: false })
}

async function assertMayMove(ctx: Asking, own: Place & { id: string }, parentId: string | null): Promise<void> {
  const { db } = ctx
  await store.lockTree(db, own.organise_id)
  if (parentId !== null) {
    const parent = await findParent(ctx, own.organise_id, parentId)
    if (await store.isAtOrBelow(db, parentId, own.id)) throw conflict('上级部门不能是本部门或其下级部门')
    // Otherwise part of the tree could be invisible to the check for cycles.
    if (!isOfOrganise(parent) && !isSamePlace(parent, own)) throw conflict('上级部门不属于同一代理商或站点')
  }
  if (!(await menus.hasMenus(db, own.id))) await assertMayLiftCeiling(ctx, own.id)
}

/** Refreshes open lists of departments. */
const publishChange = (db: Db, place: Place) =>
  publishToOrganisation(db, place, { kind: 'changed', list: 'department' })

const departmentHandlers: Handlers<typeof department> = {
  tree: async ({ db, params: { organiseId } }) => {
    if (!(await organiseExists(db, organiseId))) throw notFound()
    return departmentTree(await store.departmentsOf(db, organiseId))
  },

  list: ({ db, scope, query }) => listQuery(db, scope, departmentList, store.departmentSource, query),

  add: async (ctx) => {
    const { db, actor, body } = ctx
    const chosen = await chosenPlace(db, actor, { organiseId: body.organiseId })
    const parent = body.parentId === undefined ? undefined : await findParent(ctx, chosen.organise_id, body.parentId)
    const { organise_id, agent_id, site_id } = parent === undefined || isOfOrganise(parent) ? chosen : parent
    const place = { organise_id, agent_id, site_id }
    const draft = { ...body, parentId: body.parentId ?? null, createdBy: actor.userName }
    const id = await store.addDepartment(db, place, draft)
    if (id === undefined) throw conflict('部门编码已存在')
    await publishChange(db, place)
    return { id }
  },

  edit: async (ctx) => {
    const { db, body } = ctx
    const parentId = body.parentId ?? null
    const own = orNotFound(await store.findDepartment(db, body.id))
    if (parentId !== own.parent_id) await assertMayMove(ctx, own, parentId)
    if (await store.codeTaken(db, own, body.code)) throw conflict('部门编码已存在')
    if (!(await store.editDepartment(db, body.id, { ...body, parentId }))) throw notFound()
    await publishChange(db, own)
    return null
  },

  remove: async ({ db, body }) => {
    const own = orNotFound(await store.findDepartment(db, body.id))
    const uses = await store.departmentUses(db, body.id)
    if (uses.below) throw conflict('请先删除下级部门')
    if (uses.staff) throw conflict('部门下还有员工，不能删除')
    if (!(await store.removeDepartment(db, body.id))) throw notFound()
    await publishChange(db, own)
    return null
  },

  saveMenus: async (ctx) => {
    const { db, actor, body } = ctx
    const requestedIds = new Set(body.menuIds)
    const own = orNotFound(await store.findDepartment(db, body.departmentId))
    await store.lockTree(db, own.organise_id)
    const chosen = (await loadMenus(db)).filter((menu) => requestedIds.has(menu.id))
    if (chosen.length !== requestedIds.size) throw notFound()
    assertHolds(actor, { menuKeys: chosen.map((menu) => menu.menuKey), grants: [], unmask: false })
    // No menu at all means no ceiling.
    if (requestedIds.size === 0 && (await menus.hasMenus(db, own.id))) await assertMayLiftCeiling(ctx, own.id)
    await menus.setMenus(db, own, [...requestedIds])
    return null
  },
}

export const departmentFeature = defineFeature(department, departmentHandlers)
