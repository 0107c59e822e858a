import { whitelistFunder } from '@wattdeck/contract/member/whitelist-codes.ts'
import type { Funder } from '@wattdeck/domain/tariff/benefit.ts'

/** Who bears a granted discount of a charge at a site; `agentId` is the agent that granted it. */
export function funderOf(granted: { funder: number; agentId: string | null }, siteId: string | null): Funder {
  const { organise, agent } = whitelistFunder.code
  if (granted.funder === organise) return { who: 'organise', id: '0', weight: 1 }
  if (granted.funder === agent && granted.agentId !== null) return { who: 'agent', id: granted.agentId, weight: 1 }
  return { who: 'site', id: siteId ?? '0', weight: 1 }
}
