import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { filterText } from '@wattdeck/contract/kit/list-filter.ts'
import { looksPersonal, viewProblem } from '@wattdeck/contract/kit/view-problem.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { Actor } from '../../../kit/auth/actor.ts'
import { forbidden, invalid } from '../../../kit/http/refusal.ts'

const isList = (route: AnyRoute) => 'pageNum' in ((route.query as { shape?: object }).shape ?? {})
const lists = new Map(allRoutes.filter(({ route }) => isList(route)).map(({ route }) => [route.path, route]))

/** The filter as it is kept: written the one way that the list reads it, without personal values. */
export function keptQuery(actor: Actor, listKey: string, text: string): string {
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

/** With those at one's own agent or site anybody; with the whole organisation only its own people, no installer. */
export const mayShare = (actor: Actor) => !isOfOrganise(actor) || actor.userType === 1

/** Who administers the organisation: its own person who may edit roles. Clears away what others have shared. */
export const mayClear = (actor: Actor) =>
  isOfOrganise(actor) && actor.userType === 1 && actor.grants.includes(`${menuKey.role}:edit`)
