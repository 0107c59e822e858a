import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  passwordClasses,
  passwordPolicy,
  passwordProblem,
  passwordRuleText,
  passwordStrength,
} from '../src/password.ts'

const common = '密码过于常见，请更换'
const ownName = '密码不能包含登录账号'

describe('passwordProblem', () => {
  it.each([
    ['Charge-4-me', undefined],
    ['charge4metoo', passwordRuleText],
    ['Charge4MeToo', undefined],
    ['Charge-4m', passwordRuleText],
    ['Charge-4me', undefined],
    [`Aa1${'-+'.repeat(30)}x`, undefined],
    [`Aa1${'-+'.repeat(31)}`, passwordRuleText],
    ['', passwordRuleText],
    ['充电站充电站充电站A1', undefined],
    ['My-Password-9', common],
    ['QwErTy-12-ab', common],
    ['Wattdeck-2026', common],
    ['Abc-1234567x', common],
    ['Zaaaaab-91', common],
    ['Zaaaab-918', undefined],
  ])('returns for %j: %s', (password, problem) => {
    expect(passwordProblem(password)).toBe(problem)
  })

  it('refuses the login name in any case, unless it is too short to be significant', () => {
    expect(passwordProblem('Zhangsan-91', 'ZHANGSAN')).toBe(ownName)
    expect(passwordProblem('Charge-4-me', 'ch')).toBeUndefined()
    expect(passwordProblem('Charge-4-me', 'cha')).toBe(ownName)
  })

  it('never accepts a password outside the lengths or with too few classes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (password) => {
        const fine =
          password.length >= passwordPolicy.minLength &&
          password.length <= passwordPolicy.maxLength &&
          passwordClasses(password) >= passwordPolicy.minClasses
        expect(passwordProblem(password) === passwordRuleText).toBe(!fine)
      }),
    )
  })
})

describe('passwordPolicy', () => {
  it('requires a new password after 90 days, different from the last five', () => {
    expect(passwordPolicy).toMatchObject({ maxAgeDays: 90, barredLast: 5 })
  })
})

describe('passwordClasses', () => {
  it.each([
    ['', 0],
    [' ', 0],
    ['abc', 1],
    ['abC', 2],
    ['abC1', 3],
    ['abC1-', 4],
    ['充电', 1],
  ])('counts %j as %i', (password, count) => {
    expect(passwordClasses(password)).toBe(count)
  })
})

describe('passwordStrength', () => {
  it.each([
    ['', 0],
    ['short', 1],
    ['My-Password-9', 1],
    ['Charge4MeToo', 2],
    ['Charge-4-me', 3],
    ['Charge4MeToo1', 2],
    ['Charge4MeToo12', 3],
    ['Charge-4-me-please', 4],
  ])('gives %j %i of 4', (password, strength) => {
    expect(passwordStrength(password)).toBe(strength)
  })
})
