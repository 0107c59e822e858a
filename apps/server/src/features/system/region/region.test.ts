import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { region, type Region } from '@wattdeck/contract/system/region.ts'
import { inChina } from '@wattdeck/domain/geo.ts'
import { provinceFiles } from '@wattdeck/domain/map-file.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { apiUrl } from '../../../../../../tools/ops/database.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { makeFixture } from '../../../../test/harness/people.ts'
import { type Db, inScope, commit } from '../../../kit/db/db.ts'
import { type Scope, scopeOf } from '../../../kit/db/scope.ts'
import { ensureReferenceData } from '../../../seed/reference-data.ts'
import { requireRegion, regionFinder, type RegionNames, regionText } from '../../_shared/region-path.store.ts'

const api = await startApi()
const fixture = await makeFixture(api)

const children = async (parent?: string) =>
  (await api.call(fixture.green.site.token, region.children, { query: parent === undefined ? {} : { parent } })).data
const names = (rows: Region[]) => rows.map((row) => row.name)

/** Runs the work as a feature would: in a request of a user of one organisation. */
const asTenant = <T>(work: (db: Db, scope: Scope) => Promise<T>): Promise<T> => {
  const scope = scopeOf({ organiseId: fixture.green.id, isPlatform: false, agentId: null, agentIds: [], siteId: null })
  return inScope(api.deps.pool, scope, 'read', async ({ db }) => commit(await work(db, scope)))
}

describe('a stranger', () => {
  it('sees no region without a login', async () => {
    expect((await api.call(undefined, region.children)).status).toBe(401)
  })

  it('cannot write one, in any scope', async () => {
    const role = new pg.Client({ connectionString: apiUrl(api.database) })
    await role.connect()
    await role.query(`select set_config('app.scope_level', '0', false), set_config('app.organise_id', '0', false),
      set_config('app.agent_ids', '{}', false), set_config('app.site_ids', '{}', false)`)
    for (const text of ["update region set name = 'x'", 'delete from region', 'insert into region default values'])
      await expect(role.query(text), text).rejects.toThrow(/permission denied/)
    await role.end()
  })
})

describe('the cascade', () => {
  it('leads from the provinces to a district', async () => {
    const provinces = await children()
    expect(provinces).toHaveLength(34)
    expect(names(provinces).slice(0, 4)).toEqual(['北京市', '天津市', '河北省', '山西省'])
    expect(names(await children('330000'))).toContain('杭州市')
    expect((await children('330100')).find((row) => row.name === '余杭区')).toEqual({
      adcode: '330110',
      name: '余杭区',
      level: 3,
      lng: expect.any(Number) as number,
      lat: expect.any(Number) as number,
      approximate: true,
      leaf: true,
    })
  })

  it('has a city between a municipality, a special region or a province and its districts', async () => {
    expect(names(await children('110000'))).toEqual(['市辖区'])
    expect(names(await children('500000'))).toEqual(['市辖区', '县'])
    expect(names(await children('810000'))).toEqual(['香港特别行政区'])
    expect(await children('810100')).toHaveLength(18)
    expect(await children('820100')).toHaveLength(8)
    expect(names(await children('429000'))).toEqual(['仙桃市', '潜江市', '天门市', '神农架林区'])
    expect((await children('310100')).find((row) => row.name === '崇明区')?.approximate).toBe(false)
  })

  it('ends early where no region is below, and marks the leaf', async () => {
    const leaves = (rows: Region[]) => names(rows.filter((row) => row.leaf))
    expect(leaves(await children())).toEqual(['台湾省'])
    expect(leaves(await children('440000'))).toEqual(['东莞市', '中山市'])
    expect(leaves(await children('620000'))).toEqual(['嘉峪关市'])
    expect(await children('710000')).toEqual([])
    expect(await children('330110')).toEqual([])
    expect(await children('899999')).toEqual([])
  })

  it('contains the districts after the latest changes', async () => {
    const hangzhou = names(await children('330100'))
    expect(hangzhou).toEqual(expect.arrayContaining(['临平区', '钱塘区', '上城区']))
    expect(hangzhou).not.toContain('江干区')
    expect(names(await children('350400')).filter((name) => name === '三元区')).toHaveLength(1)
    expect(names(await children('460300'))).toEqual(['西沙区', '南沙区'])
  })

  it('refuses an invalid code', async () => {
    const reply = await api.call(fixture.green.admin.token, region.children, { query: { parent: '33' } })
    expect(reply).toMatchObject({ status: 422, message: '请选择正确的省市区' })
  })
})

describe('the tree', () => {
  type Row = { adcode: string; parent_adcode: string | null; level: number; name: string; lng: number; lat: number }
  const rows = () => api.sql<Row>('select * from region')

  it('is complete: each region is one level below an existing one, and has a centre in the country', async () => {
    const all = await rows()
    expect(all.length).toBeGreaterThan(3300)
    const byCode = new Map(all.map((row) => [row.adcode, row]))
    for (const row of all) {
      expect([row.name, byCode.get(row.parent_adcode ?? '')?.level ?? 0]).toEqual([row.name, row.level - 1])
      expect([row.name, inChina(row)]).toEqual([row.name, true])
      expect([row.name, row.adcode.slice(0, 2)]).toEqual([row.name, (row.parent_adcode ?? row.adcode).slice(0, 2)])
    }
  })

  it('has each name only once below one parent', async () => {
    const twice = await api.sql(
      'select parent_adcode, name from region group by parent_adcode, name having count(*) > 1',
    )
    expect(twice).toEqual([])
  })

  it('has a map for every province', async () => {
    const provinces = (await rows()).filter((row) => row.level === 1)
    expect(provinces.map((row) => row.adcode).toSorted()).toEqual(Object.keys(provinceFiles).toSorted())
  })

  it('gives every city its own centre, except for the levels that the standard leaves nameless', async () => {
    const borrowed = await api.sql<{ adcode: string }>(
      'select adcode from region where level < 3 and approximate order by adcode',
    )
    expect(borrowed.map((row) => row.adcode)).toEqual(
      '110100 120100 310100 419000 429000 469000 500100 500200 659000 810100 820100'.split(' '),
    )
  })

  it('is seeded again without writing a row that is already right', async () => {
    const client = new pg.Client({ connectionString: apiUrl(api.database).replace('wattdeck_api', 'wattdeck_owner') })
    await client.connect()
    const versions = () => api.sql<{ v: string }>('select distinct xmin::text as v from region')
    await api.sql("update region set name = '旧名' where adcode = '330110'")
    const before = (await versions()).length
    await ensureReferenceData(client)
    await client.end()
    expect((await children('330100')).some((row) => row.name === '余杭区')).toBe(true)
    // The first seeding, and the one corrected row.
    expect([before, (await versions()).length]).toEqual([2, 2])
  })
})

describe('requireRegion', () => {
  const ask = (codes: Parameters<typeof requireRegion>[1]) => asTenant((db) => requireRegion(db, codes))

  it('returns the lowest region of a path, which may end at any level', async () => {
    const path = { provinceCode: '330000', cityCode: '330100', districtCode: '330110' }
    expect(await ask(path)).toMatchObject({ adcode: '330110', name: '余杭区', approximate: true })
    expect(await ask({ provinceCode: '330000', cityCode: '330100' })).toMatchObject({ name: '杭州市' })
    expect(await ask({ provinceCode: '710000', cityCode: null, districtCode: '' })).toMatchObject({ name: '台湾省' })
    expect(await ask({})).toBeUndefined()
  })

  it.each([
    ['a district of another city', { provinceCode: '330000', cityCode: '330200', districtCode: '330110' }],
    ['a city of another province', { provinceCode: '320000', cityCode: '330100' }],
    ['a city without its province', { cityCode: '330100' }],
    ['a district without its city', { provinceCode: '330000', districtCode: '330110' }],
    ['a district in the place of a city', { provinceCode: '330000', cityCode: '330110' }],
    ['the same code twice', { provinceCode: '330000', cityCode: '330000' }],
    ['a code that does not exist', { provinceCode: '330000', cityCode: '339999' }],
    ['a province that was never one', { provinceCode: '340101' }],
  ])('refuses %s', async (_, codes) => {
    await expect(ask(codes)).rejects.toMatchObject({ status: 422, message: '请选择正确的省市区' })
  })
})

describe('regionFinder', () => {
  const code = async (...[province = '', city = '', district = '']: string[]) => {
    const input: RegionNames = { province, city, district }
    const found = await asTenant(async (db) => (await regionFinder(db))(input))
    return found && [found.provinceCode, found.cityCode, found.districtCode].filter(Boolean).join(' ')
  }

  it.each([
    [['浙江省', '杭州市', '余杭区'], '330000 330100 330110'],
    [['浙江', '杭州', '余杭'], '330000 330100 330110'],
    [['浙江省', '杭州市'], '330000 330100'],
    [['浙江省'], '330000'],
    [['北京市', '北京市', '朝阳区'], '110000 110100 110105'],
    [['北京', '', '朝阳区'], '110000 110100 110105'],
    [['北京市', '市辖区', '朝阳区'], '110000 110100 110105'],
    [['重庆市', '重庆市', '忠县'], '500000 500200 500233'],
    [['吉林省', '吉林市', '船营区'], '220000 220200 220204'],
    [['吉林', '吉林', '船营'], '220000 220200 220204'],
    [['湖北省', '仙桃市'], '420000 429000 429004'],
    [['湖北省', '仙桃市', '仙桃市'], '420000 429000 429004'],
    [['湖北省', '', '神农架林区'], '420000 429000 429021'],
    [['香港特别行政区', '', '湾仔区'], '810000 810100 810002'],
    [['台湾省'], '710000'],
    [['广东省', '东莞市'], '440000 441900'],
  ])('reads %j', async (input, codes) => expect(await code(...input)).toBe(codes))

  it.each([
    [['']],
    [['浙']],
    [['某省', '杭州市', '余杭区']],
    [['浙江省', '杭州市', '江北区']],
    [['浙江省', '某市', '余杭区']],
    [['辽宁省', '', '铁西区']], // Shenyang and Anshan have one each
    [['河北省', '', '桥']],
  ])('does not guess at %j', async (input) => expect(await code(...input)).toBeUndefined())
})

describe('regionText', () => {
  it('names the given part of a path', async () => {
    const text = (codes: (string | null)[]) =>
      asTenant(async (db) => {
        const value = (code: string | null) => sql<string | null>`${code}::text`
        const { rows } = await sql<{ text: string }>`select ${regionText(...codes.map(value))} as text`.execute(db)
        return rows[0]?.text
      })
    expect(await text(['330000', '330100', '330110'])).toBe('浙江省 杭州市 余杭区')
    expect(await text(['330000', null, null])).toBe('浙江省')
    expect(await text([null, null, null])).toBe('')
  })
})

describe('map files of the console', () => {
  it('are revalidated each time, because an operator may replace them; a missing one does not return the page', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'wattdeck-console-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    mkdirSync(join(dir, 'maps'))
    mkdirSync(join(dir, 'assets'))
    writeFileSync(join(dir, 'index.html'), '<!doctype html>')
    writeFileSync(join(dir, 'assets/main.js'), '')
    writeFileSync(join(dir, 'maps/330000.json'), '{}')
    const { app } = await startApi({ consoleDir: dir })
    const get = (url: string) => app.inject({ method: 'GET', url })
    expect((await get('/maps/330000.json')).headers['cache-control']).toBe('no-cache')
    expect((await get('/assets/main.js')).headers['cache-control']).toContain('immutable')
    expect((await get('/maps/339999.json')).statusCode).toBe(404)
    expect((await get('/system/staff')).body).toBe('<!doctype html>')
  })
})
