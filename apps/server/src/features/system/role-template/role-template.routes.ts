// No store: roles are written by _shared/template-roles.store.ts, as those of a new organisation are.
import { roleTemplate, type RoleTemplate as Offer } from '@wattdeck/contract/system/role-template.ts'
import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'
import { roleTemplates, type RoleTemplate } from '../../../seed/role-templates.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, forbidden, notFound } from '../../../kit/http/refusal.ts'
import { chosenPlace, type Place } from '../../_shared/place.store.ts'
import { type Catalogue, type Granted, grantableBy, pick } from '../_shared/grants.ts'
import { grantsOf, loadCatalogue } from '../_shared/grants.store.ts'
import { mayCreateRole } from '../_shared/role-standing.ts'
import { templateGrants, userTypeAt } from '../_shared/template-grants.ts'
import * as store from '../_shared/template-roles.store.ts'

type Asking = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
type Candidate = {
  template: RoleTemplate
  userType: 1 | 2 | 3 | 4
  granted: Granted | undefined
  problem: string | null
}

/**
 * The rights that the caller may grant at a place: those that both the caller and the administrators of the organisation hold. Undefined
 * for an organisation without an administrator role, which has no ceiling.
 */
async function readOffer({ db, scope, actor }: Asking, place: Place, all: Catalogue): Promise<Catalogue | undefined> {
  const own = grantableBy(actor, all)
  if (place.organise_id === defaultOrganiseId) return own
  const ceiling = await store.adminRole(db, place.organise_id).executeTakeFirst()
  if (ceiling !== undefined) return pick(own, await grantsOf(db, ceiling.id))
  return scope.level === 0 ? undefined : own
}

async function listCandidates(ctx: Asking, place: Place, all: Catalogue): Promise<Candidate[]> {
  const offered = await readOffer(ctx, place, all)
  const existing = await store.standingsAt(ctx.db, place)
  return roleTemplates.flatMap((template) => {
    const userType = userTypeAt(template, place)
    if (userType === undefined || !mayCreateRole(ctx.actor, place.organise_id, userType)) return []
    const granted = offered && templateGrants(template, offered)
    return [{ template, userType, granted, problem: problemOf(template, existing, offered !== undefined, granted) }]
  })
}

type Standing = { code: string; top_level: number; name: string }
function problemOf(
  { code, name }: RoleTemplate,
  existing: readonly Standing[],
  hasCeiling: boolean,
  granted: Granted | undefined,
): string | null {
  if (existing.some((role) => role.code === code && role.top_level > 0)) return '已有该角色'
  if (existing.some((role) => role.name === name)) return '已有同名角色'
  if (!hasCeiling) return '该机构没有管理员角色'
  return granted === undefined ? '没有可授予的菜单' : null
}

function offerOf({ template, userType, granted, problem }: Candidate, { menus }: Catalogue): Offer {
  const ids = new Set(granted?.menuIds)
  const pages = menus.filter((menu) => ids.has(menu.id) && menu.route !== null).map((menu) => menu.title)
  const { code, name, note } = template
  return { code, name, note, userType, pages, problem }
}

const roleTemplateHandlers: Handlers<typeof roleTemplate> = {
  list: async (ctx) => {
    const place = await chosenPlace(ctx.db, ctx.actor, ctx.query)
    const all = await loadCatalogue(ctx.db)
    return (await listCandidates(ctx, place, all)).map((candidate) => offerOf(candidate, all))
  },

  add: async (ctx) => {
    const { db, actor, body } = ctx
    const place = await chosenPlace(db, actor, body)
    // The lock serialises this with a concurrent change of the ceiling.
    await store.adminRole(db, place.organise_id).forUpdate().execute()
    const offered = await listCandidates(ctx, place, await loadCatalogue(db))
    const chosen = [...new Set(body.codes)].map((code) => {
      if (!roleTemplates.some((template) => template.code === code)) throw notFound()
      return offered.find(({ template }) => template.code === code) ?? refuse()
    })
    const ids: string[] = []
    for (const { template, userType, granted, problem } of chosen) {
      if (problem !== null || granted === undefined) throw conflict(`「${template.name}」：${problem ?? ''}`)
      const id = await store.addTemplateRole(db, template, { place, userType, granted, createdBy: actor.userName })
      if (id === undefined) throw conflict(`「${template.name}」：已有同名角色`)
      ids.push(id)
    }
    ctx.setAuditDetail(chosen.map(({ template }) => template.name).join('、'))
    await publishToOrganisation(db, place, { kind: 'changed', list: 'role' })
    return { ids }
  },
}

/** The template is for the platform, or for users above the caller. */
function refuse(): never {
  throw forbidden()
}

export const roleTemplateFeature = defineFeature(roleTemplate, roleTemplateHandlers)
