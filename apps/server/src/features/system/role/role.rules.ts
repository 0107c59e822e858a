import { defaultOrganiseId, roleCode } from '@wattdeck/domain/roles.ts'
import { invalid } from '../../../kit/http/refusal.ts'
import type { Catalogue } from '../_shared/grants.ts'
import { lowestTypeAt } from '../_shared/role-standing.ts'
import type { Place } from '../../_shared/place.store.ts'

const seen = { 1: '本机构', 2: '本代理商及下级', 3: '本站点', 4: '按归属' }
export const dataScopeOf = (organiseId: string, userType: 1 | 2 | 3 | 4) =>
  organiseId === defaultOrganiseId ? '平台全部' : seen[userType]

/** A role of an agent or a site is for users there, so its user type cannot be wider. */
export function assertFits(place: Place, userType: number): void {
  if (userType < lowestTypeAt(place)) throw invalid('用户类型须与角色的归属相符', 'userType')
}

export function assertCode(organiseId: string, code: string): void {
  if (code === roleCode.platformAdmin && organiseId !== defaultOrganiseId)
    throw invalid('角色编码 ADMIN 仅限平台使用', 'code')
}

/** An audit role reads and exports; the console offers no other action for it. */
export const grantable = (role: { audit_only: boolean }, all: Catalogue): Catalogue =>
  role.audit_only ? { ...all, resources: all.resources.filter((resource) => resource.action === 'export') } : all
