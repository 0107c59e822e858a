import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { done, envelope, fillPath, get, post, refusedEnvelope, stream } from '../src/kit/route.ts'
import { id, row } from '../src/kit/wire.ts'

describe('get, post and stream', () => {
  const read = get('/a/{id}', { access: 'anyone', params: row({ id }), data: z.string() })
  const change = post('/b', { access: { menu: '1.1', action: 'edit' }, audit: 'none', data: done })

  it('have the defaults of the specification: query or form, 30 seconds', () => {
    expect(read).toMatchObject({ method: 'GET', encoding: 'query', timeoutMs: 30_000, audit: 'none' })
    expect(change).toMatchObject({ method: 'POST', encoding: 'form', timeoutMs: 30_000, idempotent: false })
    expect(stream('/c', { access: 'anyone', data: z.string() })).toMatchObject({ method: 'GET', encoding: 'sse' })
  })

  it('apply the options of the route', () => {
    const spec = { access: 'anyone', audit: 'none', encoding: 'json', timeoutMs: 5000, idempotent: true } as const
    expect(post('/d', { ...spec, data: done })).toMatchObject({ encoding: 'json', timeoutMs: 5000, idempotent: true })
  })

  it('parse the parameters that the route declares', () => {
    expect(read.access).toBe('anyone')
    expect(read.params.parse({ id: '7' })).toEqual({ id: '7' })
    expect(read.params.safeParse({}).success).toBe(false)
  })

  it('refuse input that the route does not declare', () => {
    expect(read.query.safeParse({ organiseId: '1' }).success).toBe(false)
    expect(change.body.safeParse({ roleTopLevel: '0' }).success).toBe(false)
    expect(change.params.safeParse({}).success).toBe(true)
  })
})

describe('envelope', () => {
  it('has success, message and data, and nothing else', () => {
    const reply = { success: true, message: '操作成功', data: null }
    expect(envelope(done).parse(reply)).toEqual(reply)
    expect(envelope(done).safeParse({ ...reply, stack: 'at' }).success).toBe(false)
    expect(envelope(done).safeParse({ success: true, data: null }).success).toBe(false)
  })
})

describe('refusedEnvelope', () => {
  const refusal = { success: false, message: '请输入正确的手机号', data: null }

  it('has no data, and may have fields', () => {
    expect(refusedEnvelope.parse(refusal)).toEqual(refusal)
    const named = { ...refusal, fields: { phone: '请输入正确的手机号' } }
    expect(refusedEnvelope.parse(named)).toEqual(named)
    expect(refusedEnvelope.safeParse({ ...refusal, success: true }).success).toBe(false)
    expect(refusedEnvelope.safeParse({ ...refusal, data: {} }).success).toBe(false)
    expect(refusedEnvelope.safeParse({ ...refusal, stack: 'at' }).success).toBe(false)
  })
})

describe('fillPath', () => {
  it.each<[string, Record<string, string>, string]>([
    ['/a', {}, '/a'],
    ['/a/{id}', { id: '7' }, '/a/7'],
    ['/a/{x}/b/{y}', { x: '1', y: '2' }, '/a/1/b/2'],
    ['/a/{id}', { id: 'b/c?d#e' }, '/a/b%2Fc%3Fd%23e'],
    ['/a/{id}', { id: '充电' }, '/a/%E5%85%85%E7%94%B5'],
    ['/a/{id}', { id: '{x}', x: '1' }, '/a/%7Bx%7D'],
  ])('fills %s with %j', (path, params, filled) => {
    expect(fillPath(path, params)).toBe(filled)
  })

  it('never lets a value become another part of the path', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (value) => {
        const filled = fillPath('/a/{id}/b', { id: value })
        expect(filled.split('/')).toHaveLength(4)
        expect(decodeURIComponent(String(filled.split('/')[2]))).toBe(value)
      }),
    )
  })
})
