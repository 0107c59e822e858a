import { codes } from '@wattdeck/contract/kit/codes.ts'
import { get, post } from '@wattdeck/contract/kit/route.ts'
import { row } from '@wattdeck/contract/kit/wire.ts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { judge } from './content-verdict.ts'
import { callProblem, codesProblem, constantProblem, fieldProblem, movesProblem, routeAt } from './contract-facts.ts'
import { callerFinder, testedFunctions } from './rule-callers.ts'
import { labelProblem } from './screen-content.ts'
import { labelsOfSpec, labelsOfTree } from './screen-labels.ts'
import { parseText } from './source-tree.ts'

const lists = { capabilities: new Set(['payout']), open: new Set(['late']) }
const line = (id: string, problem: string | undefined, waits = '') => judge({ id, problem, waits }, lists)

describe('a line of the specification', () => {
  it('is complete, waits, or is open', () => {
    expect(line('there', undefined)).toEqual({ state: 'ok' })
    expect(line('sheet', 'has no field due', 'payout')).toEqual({ state: 'waiting' })
    expect(line('late', 'has no field due')).toEqual({ state: 'open' })
  })

  it('is wrong when it is missing without a capability or a reason', () => {
    expect(line('sheet', 'has no field due')).toEqual({ state: 'wrong', error: 'sheet: has no field due' })
  })

  it.each([
    ['a capability that has come', line('sheet', undefined, 'payout'), 'is there and still waits'],
    ['a reason that is gone', line('late', undefined), 'is there and still stands in content-open.csv'],
    ['a capability that is not listed', line('sheet', 'is not built', 'pay-out'), 'which capabilities.csv lacks'],
    ['a capability and a reason', line('late', 'is not built', 'payout'), 'one of them is enough'],
  ])('is wrong with %s', (_, { state, error }, text) => {
    expect(state).toBe('wrong')
    expect(error).toContain(text)
  })
})

describe('a call', () => {
  const query = row({ level: z.int().default(1), name: z.string().optional() })
  const list = get('/a/b/{id}', { access: 'anyone', query, data: row({ rows: z.array(row({ no: z.string() })) }) })
  const change = post('/a/change', {
    access: 'anyone',
    audit: 'none',
    encoding: 'json',
    timeoutMs: 5000,
    data: z.boolean(),
  })

  it('has its fields, also below lists, and its defaults', () => {
    expect(fieldProblem(list.data, 'rows.no')).toBeUndefined()
    expect(fieldProblem(list.query, 'level=1 name')).toBeUndefined()
    expect(fieldProblem(change.data, ':boolean')).toBeUndefined()
  })

  it('lacks a field, or has another default', () => {
    expect(fieldProblem(list.data, 'rows.no rows.due')).toBe('has no field rows.due')
    expect(fieldProblem(list.data, 'no')).toBe('has no field no')
    expect(fieldProblem(list.query, 'level=2')).toBe('level is 1 when it is left out, not 2')
    expect(fieldProblem(change.data, ':string')).toBe('is no string')
  })

  it('has another encoding or timeout, or demands a key', () => {
    expect(callProblem(change, 'json 5s')).toBeUndefined()
    expect(callProblem(change, 'form 30s')).toBe('is json 5s, not form 30s')
    expect(callProblem({ ...change, idempotent: true }, 'json 5s')).toContain('demands an idempotency key')
  })

  it("is found by method and path, independent of its parameter's name", () => {
    const routes = [{ route: list }, { route: change }]
    expect(routeAt(routes, 'GET', '/A/b/{rowId}')).toBe(list)
    expect(routeAt(routes, 'POST', '/a/b/{id}')).toBeUndefined()
  })
})

describe('a code table', () => {
  const state = codes({
    open: { code: 1, label: '待处理', tone: 'warn' },
    done: { code: 2, label: '已处理', tone: 'ok' },
  })

  it('has its codes, labels and tones', () => {
    expect(codesProblem(state, '1=待处理:warn;2=已处理')).toBeUndefined()
    expect(codesProblem(state, '1;2')).toBeUndefined()
    expect(codesProblem(state, '2=已处理;*')).toBeUndefined()
  })

  it.each([
    ['1=待处理;3=已处理', 'has no code 3; has the further code 2'],
    ['1=已处理;2', '1 is 待处理, not 已处理'],
    ['1=待处理:ok;2', '1 is shown as warn, not ok'],
    ['1', 'has the further code 2'],
  ])('differs from %s', (expected, problem) => {
    expect(codesProblem(state, expected)).toBe(problem)
  })

  it('has exactly the listed moves', () => {
    const { moves } = state.flow({ finish: { from: ['open'], to: 'done' } })
    expect(movesProblem(moves, '1>2')).toBeUndefined()
    expect(movesProblem(moves, '2>1')).toBe('never moves 2>1; also moves 1>2')
  })
})

it('compares a constant by its value', () => {
  expect(constantProblem([10, 20], '[10, 20]')).toBeUndefined()
  expect(constantProblem(999n, '999')).toBeUndefined()
  expect(constantProblem(998, '999')).toBe('is 998, not 999')
})

describe('the labels of a screen', () => {
  const page = `
    // 备注
    const columns = [{ key: 'no', title: '单号', width: 90, render: (row) => row.no }]
    const filters = [{ kind: 'text', name: 'no', label: '单号开头' }, { kind: 'owner' }]
    const actions = (row) => [{ label: row.on ? '停用' : '启用', onClick: () => ask({ title: '确定吗？', okText: '确定' }) }]
    export default () => <ListPage title="单据" columns={columns} exporting={all}><Button>新增单据</Button><p>说明</p></ListPage>`
  const labels = labelsOfTree(parseText('page.tsx', page))
  const missing = (part: string, label: string, as = '') => labelProblem(labels, { part, label, as })

  it('are found where they belong', () => {
    expect(missing('column', '单号')).toBeUndefined()
    expect(missing('filter', '编号', '单号开头')).toBeUndefined()
    expect(missing('filter', '归属')).toBeUndefined()
    for (const action of ['停用', '启用', '新增', '导出']) expect(missing('action', action)).toBeUndefined()
  })

  it.each([
    ['column', '说明'],
    ['column', '备注'],
    ['column', '单号开头'],
    ['filter', '单号'],
    ['action', '单号'],
    ['action', '删除'],
  ])('are not found elsewhere: %s %s', (part, label) => {
    expect(missing(part, label)).toBe(`the screen has no ${part} ${label}`)
  })

  it('follow from the fields of a list', () => {
    const spec = labelsOfSpec({
      fields: {
        no: { title: '单号', kind: 'id' },
        at: { title: '时间', kind: 'time' },
        own: { title: '', kind: 'data' },
      },
      filter: { keyword: { label: '单号/名称' }, exact: ['no'], days: 'at' },
      noun: '单据',
    })
    expect([...spec.column]).toEqual(['单号', '时间'])
    expect([...spec.filter]).toEqual(['单号/名称', '单号', '时间'])
    expect(spec.action).toContain('新增单据')
    expect(spec.action).not.toContain('导出')
  })

  it('may be in another source, which must contain them', () => {
    const says = (word: string) => missing('action', '重启', `tools/check/content-verdict.ts#${word}`)
    expect(says('judge')).toBeUndefined()
    expect(says('重启')).toBe('tools/check/content-verdict.ts does not name 重启')
  })
})

describe('the functions of rules', () => {
  const money = 'packages/domain/src/money.ts'
  const parse = (texts: Record<string, string>) => (file: string) => parseText(file, texts[file] ?? '')
  const callers = (texts: Record<string, string>) =>
    callerFinder({ files: Object.keys(texts), text: (file) => texts[file] ?? '', parse: parse(texts) })

  it('are those that the tests of a rule call, also through a helper', () => {
    const test = `
      import { parseYuan, parseDiscount } from '../src/money.ts'
      import * as text from '../src/text.ts'
      const all = (given) => given.map(parseDiscount)
      it.each([1])('[valid.amount] takes %i', () => expect(parseYuan('1')).toBe(1n))
      it('[valid.discount] [helper.seconds] refuses', () => expect(all([text.secondsText(1)])).toEqual([]))
      it('is no rule', () => expect(text.greeting(1)).toBe(''))`
    const file = 'packages/domain/test/money.test.ts'
    const found = testedFunctions([file], parse({ [file]: test }))
    expect([...(found.get('valid.amount')?.keys() ?? [])]).toEqual([`${money}#parseYuan`])
    expect([...(found.get('valid.discount')?.keys() ?? [])]).toEqual([
      `${money}#parseDiscount`,
      'packages/domain/src/text.ts#secondsText',
    ])
    expect(found.get('helper.seconds')?.size).toBe(2)
    expect(found.size).toBe(3)
  })

  it('are used when another source of the product names them, or their users', () => {
    const isUsed = callers({
      [money]:
        'const pattern = 1; export const inner = () => pattern; export const outer = () => inner(); export const alone = 2',
      'packages/contract/src/kit/wire.ts':
        "import { outer } from '@wattdeck/domain/money.ts'\nexport const yuan = outer",
    })
    expect(isUsed({ file: money, name: 'outer' })).toBe(true)
    expect(isUsed({ file: money, name: 'inner' })).toBe(true)
    expect(isUsed({ file: money, name: 'alone' })).toBe(false)
  })
})
