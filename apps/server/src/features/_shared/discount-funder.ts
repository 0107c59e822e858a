import { whitelistFunder } from '@wattdeck/contract/member/whitelist-codes.ts'
import type { Ctx } from '../../kit/http/handlers.ts'
import { invalid } from '../../kit/http/refusal.ts'
import type { Place } from './place.store.ts'

/** People below the organisation grant discounts only at the cost of their own agent or site. */
export function assertFunder({ scope }: Pick<Ctx<never>, 'scope'>, funder: number, place: Place): void {
  const { organise, agent, site } = whitelistFunder.code
  if (funder === organise && scope.level > 1) throw invalid('只有机构人员可以选择由机构承担', 'funder')
  if (funder === agent && place.agent_id === null) throw invalid('适用范围没有代理商，不能由代理商承担', 'funder')
  if (funder !== site && scope.level > 2) throw invalid('只能由站点承担', 'funder')
}
