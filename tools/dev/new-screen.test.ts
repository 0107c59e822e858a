import { describe, expect, it } from 'vitest'
import { newScreen } from './new-screen.ts'

describe('a new screen', () => {
  const files = newScreen({ centre: 'operating', feature: 'price-sign', noun: '价目牌' }, '0099')

  it('has a contract, a feature, a page, a help text and a migration', () => {
    expect([...files.keys()]).toEqual([
      'packages/contract/src/operating/price-sign.ts',
      'apps/server/src/features/operating/price-sign/price-sign.routes.ts',
      'apps/console/src/features/operating/price-sign/price-sign.page.tsx',
      'docs/help/price-sign.md',
      'apps/server/db/migrations/0099_price_sign.sql',
    ])
  })

  it('contains no name of its example', () => {
    for (const [path, text] of files) expect(text, path).not.toMatch(/supplier|供应商|phone|电话/i)
    const [contract = '', routes = '', page = '', , migration = ''] = files.values()
    expect(contract).toContain(
      "export const priceSignCrud = defineCrud('/seeker/api/priceSign', {\n  name: 'priceSign',",
    )
    expect(routes).toContain("from '@wattdeck/contract/operating/price-sign.ts'")
    expect(routes).toContain("export const priceSignFeature = crudFeature(priceSignCrud, { table: 'price_sign' })")
    expect(page).toContain('export default function PriceSignPage()')
    expect(migration).toContain('create table price_sign (')
  })
})
