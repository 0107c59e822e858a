import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { filterText } from '@wattdeck/contract/kit/list-filter.ts'
import { looksPersonal, viewProblem } from '@wattdeck/contract/kit/view-problem.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { Actor } from '../../../kit/auth/actor.ts'
import { forbidden, invalid } from '../../../kit/http/refusal.ts'

const isList = (route: AnyRoute) => 'pageNum' in ((route.query as { shape?: object }).shape ?? {})
const lists = new Map(allRoutes.filter(({ route }) => isList(route)).map(({ route }) => [route.path, route]))

/** Validates a filter and normalises it to the form that the list reads. Personal values are rejected. */
export function normaliseQuery(actor: Actor, listKey: string, text: string): string {
  const route = lists.get(listKey)
  if (route === undefined) throw invalid('列表不存在')
  if (!mayRead(actor, route)) throw forbidden()
  const problem = viewProblem(route.query, text)
  if (problem !== undefined) throw invalid(problem)
  return filterText(route.query, new URLSearchParams(text))
}

const mayRead = (actor: Actor, { access }: AnyRoute) =>
  access === 'anyone' ||
  (typeof access === 'object' && [access.menu].flat().some((key) => actor.menuKeys.includes(key)))

export function assertName(name: string): void {
  if (looksPersonal(name)) throw invalid('视图名称不能含有手机号等个人信息')
}

const isOfOrganise = ({ agentId, siteId }: Actor) => agentId === null && siteId === null

/**
 * Users of an agent or a site may share at their own place. Only staff of the organisation may share with all of it,
 * not installers.
 */
export const mayShare = (actor: Actor) => !isOfOrganise(actor) || actor.userType === 1

/** An administrator of the organisation, with the right to edit roles, may remove the shared views of others. */
export const mayClear = (actor: Actor) =>
  isOfOrganise(actor) && actor.userType === 1 && actor.grants.includes(`${menuKey.role}:edit`)
