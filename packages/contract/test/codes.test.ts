import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codes } from '../src/kit/codes.ts'

const ticket = codes({
  waiting: { code: 2, label: '待维修', tone: 'warn' },
  complete: { code: 3, label: '已完成', tone: 'ok' },
  closed: { code: 'CLOSED', label: '已关闭' },
})

describe('codes', () => {
  it('maps each name to its code', () => {
    expect(ticket.code).toEqual({ waiting: 2, complete: 3, closed: 'CLOSED' })
  })

  it('parses a code in a reply unchanged', () => {
    expect(ticket.schema.parse(2)).toBe(2)
    expect(ticket.schema.parse('CLOSED')).toBe('CLOSED')
    for (const wrong of ['2', 4, null, 'closed', true]) expect(ticket.schema.safeParse(wrong).success).toBe(false)
  })

  it('parses a code in a form from text', () => {
    expect(ticket.wire.parse('2')).toBe(2)
    expect(ticket.wire.parse('CLOSED')).toBe('CLOSED')
    for (const wrong of [2, '02', '2.0', ' 2', '', 'closed', '__proto__', 'constructor', 'toString'])
      expect(ticket.wire.safeParse(wrong).success).toBe(false)
  })

  it('refuses every text that is not a code', () => {
    const other = fc.string().filter((text) => !['2', '3', 'CLOSED'].includes(text))
    fc.assert(
      fc.property(other, (text) => {
        expect(ticket.wire.safeParse(text).success).toBe(false)
      }),
    )
  })

  it('lists options in the order of the table', () => {
    expect(ticket.options).toEqual([
      { value: 2, label: '待维修' },
      { value: 3, label: '已完成' },
      { value: 'CLOSED', label: '已关闭' },
    ])
  })

  it('shows a known code by label and tone, an unknown one as text', () => {
    expect(ticket.show(3)).toEqual({ code: 3, label: '已完成', tone: 'ok' })
    expect(ticket.show(9 as 3)).toEqual({ code: 9, label: '9', tone: 'off' })
  })
})

describe('flow', () => {
  const flow = ticket.flow({
    complete: { from: ['waiting'], to: 'complete' },
    close: { from: ['waiting', 'complete'], to: 'closed' },
  })

  it('returns the source and target states of each action', () => {
    expect(flow.from('close')).toEqual([2, 3])
    expect(flow.to('close')).toBe('CLOSED')
    expect(flow.to('complete')).toBe(3)
  })

  it('allows an action only in its source states', () => {
    expect(ticket.options.filter(({ value }) => flow.can('complete', value)).map(({ value }) => value)).toEqual([2])
    expect(ticket.options.filter(({ value }) => flow.can('close', value)).map(({ value }) => value)).toEqual([2, 3])
  })
})
