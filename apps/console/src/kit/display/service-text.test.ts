import { describe, expect, it } from 'vitest'
import { basicServiceText } from './service-text.ts'

const noon = Date.parse('2026-03-01T12:00:00+08:00')

describe('the basic service', () => {
  it('has a text for each state, with the expiry day if one is set', () => {
    expect(basicServiceText(1, '2027-03-01', noon)).toBe('您的基础服务状态正常')
    expect(basicServiceText(2, '2026-02-01', noon)).toBe('您的基础服务已欠费，部分功能已停用，请尽快缴费')
    expect(basicServiceText(3, '2026-03-01', noon)).toBe('您的基础服务将于 2026-03-01 到期，请及时续费')
    expect(basicServiceText(3, '2026-02-28', noon)).toBe('您的基础服务已于 2026-02-28 到期，请及时续费')
    expect(basicServiceText(3, null, noon)).toBe('您的基础服务即将到期，请及时续费')
  })
})
