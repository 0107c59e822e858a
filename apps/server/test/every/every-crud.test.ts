import type { Crud } from '@wattdeck/contract/kit/crud.ts'
import { shownNames } from '@wattdeck/contract/kit/fields.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { masks } from '@wattdeck/domain/masks.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { isInScope } from '../../../../tools/check/tier.ts'
import { addCrudRow, allCruds } from '../fixtures/crud-rows.ts'
import { exportSheet } from '../fixtures/export-sheet.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { type Fixture, makeFixture } from '../harness/people.ts'
import { sampleInput } from './samples.ts'

/** Behaviour of every plain list, through its routes, with values derived from its fields. */
let api: TestApi
let fixture: Fixture
let root: string
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  root = fixture.platform.root.token
})

type Row = Readonly<Record<string, unknown>> & { id: string }
const call = (route: AnyRoute, body: object, token = root) => api.call(token, route, { body: body as never })
const list = async ({ routes }: Crud, query: Record<string, unknown>): Promise<Row[]> => {
  const reply = await api.call(root, routes.list, { query: { pageNum: 1, pageSize: 100, ...query } as never })
  expect(reply).toMatchObject({ status: 200 })
  return (reply.data as { rows: Row[] }).rows
}
const read = async (crud: Crud, id: string) => (await list(crud, {})).find((row) => row.id === id)
/** The displayed form of a submitted value. */
const shown = ({ fields }: Crud, name: string, sent: string | undefined) =>
  sent !== undefined && fields[name]?.kind === 'phone' ? masks.phone(sent) : sent
const uniqueFields = ({ fields }: Crud) => Object.keys(fields).filter((name) => fields[name]?.unique === true)

it('registers each plain list under its own name', () => {
  expect(Object.keys(allCruds).length).toBeGreaterThan(0)
  for (const [key, { name }] of Object.entries(allCruds)) expect(key).toContain(name)
})

const cruds = Object.values(allCruds).filter(({ name }) => isInScope(name))
describe.each(cruds.map((crud) => [crud.name, crud] as const))('the list %s', (_, crud) => {
  const { fields, filter, form, addForm, noun, routes } = crud

  it('shows the added and the edited values, and the creator', async () => {
    const { id, sent } = await addCrudRow(api, root, crud)
    const added = await read(crud, id)
    for (const name of [...addForm, ...form]) expect(String(added?.[name]), name).toBe(shown(crud, name, sent[name]))
    expect(added).toMatchObject({ status: 1, createdBy: '姓名root' })
    const { body } = sampleInput(routes.edit, () => id)
    expect(await call(routes.edit, { ...body, id })).toMatchObject({ status: 200 })
    const edited = await read(crud, id)
    for (const name of form) expect(String(edited?.[name]), name).toBe(shown(crud, name, body[name]))
    for (const name of addForm) expect(String(edited?.[name]), name).toBe(shown(crud, name, sent[name]))
  })

  it('keeps a phone that an edit omits', async () => {
    const phones = form.filter((name) => fields[name]?.kind === 'phone')
    const { id } = await addCrudRow(api, root, crud)
    const before = await read(crud, id)
    const { body } = sampleInput(routes.edit, () => id)
    const without = Object.fromEntries(Object.entries({ ...body, id }).filter(([name]) => !phones.includes(name)))
    expect(await call(routes.edit, without)).toMatchObject({ status: 200 })
    const after = await read(crud, id)
    expect(phones.map((name) => after?.[name])).toEqual(phones.map((name) => before?.[name]))
  })

  it('is found only by matching filters', async () => {
    const { id, sent } = await addCrudRow(api, root, crud)
    for (const name of filter.exact ?? []) {
      const values = fields[name]?.codes?.options.map(({ value }) => value) ?? []
      const own = (await read(crud, id))?.[name]
      for (const value of values) {
        const ids = (await list(crud, { [name]: value })).map((row) => row.id)
        expect(ids.includes(id), `${name} ${value}`).toBe(value === own)
      }
    }
    const { contains = [], begins = [] } = filter.keyword ?? {}
    const parts = [
      ...contains.map((name) => ({ name, text: sent[name]?.slice(1) })),
      ...begins.map((name) => ({ name, text: sent[name]?.slice(0, -1) })),
    ]
    for (const { name, text } of parts) {
      const ids = (await list(crud, { keyword: text })).map((row) => row.id)
      expect(ids, name).toContain(id)
    }
    if (filter.keyword !== undefined) expect(await list(crud, { keyword: 'nothing-is-called-so' })).toEqual([])
  })

  it('refuses a duplicate of a unique value and names its field', async () => {
    const { sent } = await addCrudRow(api, root, crud)
    for (const name of uniqueFields(crud)) {
      const { body } = sampleInput(routes.add, () => '')
      const reply = await call(routes.add, { ...body, [name]: sent[name] })
      expect(reply, name).toMatchObject({ status: 409, message: `${fields[name]?.title}已存在` })
      if (!form.includes(name)) continue
      const { id, sent: own } = await addCrudRow(api, root, crud)
      const edited = Object.fromEntries(form.map((field) => [field, own[field]]))
      expect(await call(routes.edit, { ...edited, id, [name]: sent[name] }), name).toMatchObject({ status: 409 })
    }
  })

  it('exports every field that the page can show', async () => {
    const { exportList } = routes
    if (exportList === undefined) return
    const { id } = await addCrudRow(api, root, crud)
    const row = await read(crud, id)
    const [head, ...lines] = await exportSheet(api, root, { route: exportList, columns: shownNames(fields) })
    expect(head).toEqual(shownNames(fields).map((name) => fields[name]?.title))
    const phones = Object.keys(fields).filter((name) => fields[name]?.kind === 'phone')
    const first = lines.find((line) => addForm.every((name) => line.includes(row?.[name])))
    expect(first).toEqual(expect.arrayContaining(phones.map((name) => row?.[name])))
  })

  it('can be disabled and enabled, and refuses a repeated disable or removal', async () => {
    const { id } = await addCrudRow(api, root, crud)
    expect(await call(routes.toggle, { id, status: 0 })).toMatchObject({ status: 200 })
    expect(await call(routes.toggle, { id, status: 0 })).toMatchObject({
      status: 409,
      message: `${noun}状态已变更，请刷新后重试`,
    })
    expect(await read(crud, id)).toMatchObject({ status: 0 })
    expect(await call(routes.toggle, { id, status: 1 })).toMatchObject({ status: 200 })
    expect(await call(routes.remove, { id })).toMatchObject({ status: 200 })
    expect(await read(crud, id)).toBeUndefined()
    expect(await call(routes.remove, { id })).toMatchObject({ status: 404 })
  })

  it('lets tenants read and change it only as its platform flag allows', async () => {
    const { token } = fixture.green.admin
    const { id } = await addCrudRow(api, root, crud)
    const { body } = sampleInput(routes.add, () => '')
    const reading = (await api.call(token, routes.list)).status
    expect(reading).toBe(crud.platform === 'only' ? 403 : 200)
    if (crud.platform === undefined) return
    expect((await call(routes.add, body, token)).status).toBe(403)
    expect((await call(routes.remove, { id }, token)).status).toBe(403)
    expect(await read(crud, id)).toBeDefined()
  })
})
