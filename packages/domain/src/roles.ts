/** Who may select and see which data: spec §6, one function a line. */
export type Standing = { userType: number; roleTopLevel: number }

export const roleCode = {
  publicAccountManager: 'GZHGLJS',
  operatorUser: 'YYSYHJS',
  siteUser: 'ZDYHJS',
  platformAdmin: 'ADMIN',
  unionPayAccount: 'YLZH',
  simCardUser: 'SIMCARD',
  investor: 'LHYYTZR',
  testUser: 'SCWX',
} as const
/** Not in the specification, which identifies installers only by their user type. */
export const installerRoleCode = 'INSTALLER'

export const superAdminMenuId = '1'
export const defaultOrganiseId = '1'

export const canSelectOrganise = (who: Standing) => who.userType <= 1 && who.roleTopLevel <= 1
export const canSelectAgent = (who: Standing) => who.userType <= 1
export const canSelectSite = (who: Standing) => who.userType <= 2
export const isSuperAdmin = (who: Pick<Standing, 'roleTopLevel'>) => who.roleTopLevel === 0
export const isAdmin = (who: Standing) => who.userType <= 1 && who.roleTopLevel <= 1

export type UnionPayVariant = 'none' | 'manager' | 'operator' | 'site' | 'plain'

/** Union-pay users have the role YLZH; their other role determines the variant. */
export function unionPayVariant(roleCodes: readonly string[]): UnionPayVariant {
  if (!roleCodes.includes(roleCode.unionPayAccount)) return 'none'
  if (roleCodes.includes(roleCode.publicAccountManager)) return 'manager'
  if (roleCodes.includes(roleCode.operatorUser)) return 'operator'
  if (roleCodes.includes(roleCode.siteUser)) return 'site'
  return 'plain'
}

/** For YLZH plus the operator or site role the last menu entry is removed. */
export function menuForRoles<T>(entries: readonly T[], roleCodes: readonly string[]): readonly T[] {
  const variant = unionPayVariant(roleCodes)
  return variant === 'operator' || variant === 'site' ? entries.slice(0, -1) : entries
}

const standaloneAgentDepartments = new Set(['222', '424'])
export const standaloneAgentAllowed = (departmentId: string) => standaloneAgentDepartments.has(departmentId)

/** The Leanchong organisation differs between the production origin and every other. */
export const leanchongOrganiseId = (
  pageOrigin: string,
  setting: { productionOrigin: string; productionId: string; testId: string },
) => (pageOrigin === setting.productionOrigin ? setting.productionId : setting.testId)

export const cloudMerchantFinanceAuthority = (memberRoleName: string | null) => memberRoleName === 'BRAND'

/** The server decides the unmask permission of each user; a failed call means no permission. */
export async function unmaskPermission(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask()
  } catch {
    return false
  }
}
