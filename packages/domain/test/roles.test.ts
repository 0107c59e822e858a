import { describe, expect, it, vi } from 'vitest'
import * as roles from '../src/roles.ts'

const userTypes = [1, 2, 3, 4]
const topLevels = [0, 1, 2, 3]
const everyone = userTypes.flatMap((userType) => topLevels.map((roleTopLevel) => ({ userType, roleTopLevel })))
const whoMay = (rule: (who: roles.Standing) => boolean) =>
  everyone.filter(rule).map(({ userType, roleTopLevel }) => `${userType}/${roleTopLevel}`)

describe('selection rights by user type / role top level', () => {
  it('[role.select-organise] user type 1 with top level 0 or 1', () => {
    expect(whoMay(roles.canSelectOrganise)).toEqual(['1/0', '1/1'])
  })

  it('[role.select-agent] user type 1 with any top level', () => {
    expect(whoMay(roles.canSelectAgent)).toEqual(['1/0', '1/1', '1/2', '1/3'])
  })

  it('[role.select-site] user types 1 and 2 with any top level', () => {
    expect(whoMay(roles.canSelectSite)).toEqual(['1/0', '1/1', '1/2', '1/3', '2/0', '2/1', '2/2', '2/3'])
  })

  it('[role.super-admin] top level 0', () => {
    expect(topLevels.filter((roleTopLevel) => roles.isSuperAdmin({ roleTopLevel }))).toEqual([0])
  })

  it('[role.admin] user type 1 with top level 0 or 1', () => {
    expect(whoMay(roles.isAdmin)).toEqual(['1/0', '1/1'])
  })
})

describe('role codes', () => {
  it('[role.code.public-account-manager] GZHGLJS', () => expect(roles.roleCode.publicAccountManager).toBe('GZHGLJS'))
  it('[role.code.operator-user] YYSYHJS', () => expect(roles.roleCode.operatorUser).toBe('YYSYHJS'))
  it('[role.code.site-user] ZDYHJS', () => expect(roles.roleCode.siteUser).toBe('ZDYHJS'))
  it('[role.code.platform-admin] ADMIN', () => expect(roles.roleCode.platformAdmin).toBe('ADMIN'))
  it('[role.code.union-pay-account] YLZH', () => expect(roles.roleCode.unionPayAccount).toBe('YLZH'))
  it('[role.code.sim-card-user] SIMCARD', () => expect(roles.roleCode.simCardUser).toBe('SIMCARD'))
  it('[role.code.investor] LHYYTZR', () => expect(roles.roleCode.investor).toBe('LHYYTZR'))
  it('[role.code.test-user] SCWX', () => expect(roles.roleCode.testUser).toBe('SCWX'))
  it('has no others', () => expect(Object.keys(roles.roleCode)).toHaveLength(8))
})

describe('union-pay users', () => {
  it.each([
    [[], 'none'],
    [['ADMIN', 'YYSYHJS', 'ZDYHJS', 'GZHGLJS'], 'none'],
    [['YLZH'], 'plain'],
    [['YLZH', 'SIMCARD'], 'plain'],
    [['GZHGLJS', 'YLZH'], 'manager'],
    [['YLZH', 'YYSYHJS'], 'operator'],
    [['ZDYHJS', 'YLZH'], 'site'],
    [['YLZH', 'ZDYHJS', 'YYSYHJS'], 'operator'],
    [['YLZH', 'ZDYHJS', 'YYSYHJS', 'GZHGLJS'], 'manager'],
  ])('[role.union-pay-variants] %j is %s', (codes, variant) => {
    expect(roles.unionPayVariant(codes)).toBe(variant)
  })

  it.each([
    [
      ['YLZH', 'YYSYHJS'],
      ['a', 'b'],
    ],
    [
      ['YLZH', 'ZDYHJS'],
      ['a', 'b'],
    ],
    [['YLZH'], ['a', 'b', 'c']],
    [
      ['YLZH', 'GZHGLJS'],
      ['a', 'b', 'c'],
    ],
    [['YYSYHJS'], ['a', 'b', 'c']],
    [[], ['a', 'b', 'c']],
  ])('[role.union-pay-menu] %j keeps %j', (codes, entries) => {
    expect(roles.menuForRoles(['a', 'b', 'c'], codes)).toEqual(entries)
  })

  it('[role.union-pay-menu] an empty menu stays empty', () => {
    expect(roles.menuForRoles([], ['YLZH', 'YYSYHJS'])).toEqual([])
  })
})

describe('single rules', () => {
  it('[role.standalone-agents] departments 222 and 424 only', () => {
    expect(['222', '424', '', '1', '22', '2222', '0222'].filter(roles.standaloneAgentAllowed)).toEqual(['222', '424'])
  })

  it('[role.leanchong] the organisation differs between production and every other origin', () => {
    const setting = { productionOrigin: 'https://console.example', productionId: '9', testId: '7' }
    expect(roles.leanchongOrganiseId('https://console.example', setting)).toBe('9')
    expect(roles.leanchongOrganiseId('http://console.example', setting)).toBe('7')
    expect(roles.leanchongOrganiseId('https://console.example.evil', setting)).toBe('7')
    expect(roles.leanchongOrganiseId('', setting)).toBe('7')
  })

  it('[role.cloud-merchant] BRAND only', () => {
    expect(roles.cloudMerchantFinanceAuthority('BRAND')).toBe(true)
    for (const name of ['brand', 'BRAND ', 'STORE', '', null])
      expect(roles.cloudMerchantFinanceAuthority(name)).toBe(false)
  })

  it('[role.super-admin-menu-id] is 1', () => expect(roles.superAdminMenuId).toBe('1'))
  it('the default organisation is 1', () => expect(roles.defaultOrganiseId).toBe('1'))
})

const brokenAtOnce = () => {
  throw new Error('no network')
}

describe('unmaskPermission', () => {
  it('[role.unmask] is the answer of the server, requested once', async () => {
    const yes = vi.fn<() => Promise<boolean>>(async () => true)
    await expect(roles.unmaskPermission(yes)).resolves.toBe(true)
    expect(yes).toHaveBeenCalledOnce()
    await expect(roles.unmaskPermission(async () => false)).resolves.toBe(false)
  })

  it('[error.permission-check] is no permission when the call fails', async () => {
    await expect(roles.unmaskPermission(() => Promise.reject(new Error('503')))).resolves.toBe(false)
    await expect(roles.unmaskPermission(brokenAtOnce)).resolves.toBe(false)
  })
})
