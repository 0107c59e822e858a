import { get, post } from '@wattdeck/contract/kit/route.ts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { requestAddress, requestBody, type Sending, textFields } from './request.ts'

const how = { access: 'anyone', audit: 'none', data: z.null() } as const
const urlOf = (route: typeof list, sending: Sending) => requestAddress(route, sending).url
const list = get('/seeker/api/{organiseId}/list', { access: 'anyone', data: z.null() })

describe('fields', () => {
  it('leave out empty values, keep zero and false', () => {
    expect(textFields({ a: '', b: undefined, c: null, d: [], e: 0, f: false, g: ['1', '2'] })).toEqual({
      e: '0',
      f: 'false',
      g: '1,2',
    })
  })
})

describe('address', () => {
  it('has its parameters filled in and its query as text', () => {
    expect(urlOf(list, { params: { organiseId: '7' }, query: { kw: '充电 站', status: 1 } })).toBe(
      '/seeker/api/7/list?kw=%E5%85%85%E7%94%B5+%E7%AB%99&status=1',
    )
  })

  it('has no question mark without a query', () => {
    expect(urlOf(list, { params: { organiseId: '7' }, query: { kw: '' } })).toBe('/seeker/api/7/list')
  })

  it('escapes its parameters', () => {
    expect(urlOf(list, { params: { organiseId: '../../x?y=1' } })).toBe('/seeker/api/..%2F..%2Fx%3Fy%3D1/list')
  })

  it('holds no personal filter; those travel in a header', () => {
    const query = z.strictObject({ phone: z.string(), keyword: z.string(), orderNo: z.string(), deviceNo: z.string() })
    const members = get('/seeker/api/member/list', { access: 'anyone', query, data: z.null() })
    const filters = { phone: '8000', keyword: '张 138-0013-8000', orderNo: '248680113800138000', deviceNo: '40AACE05' }
    expect(requestAddress(members, { query: filters })).toEqual({
      url: '/seeker/api/member/list?orderNo=248680113800138000&deviceNo=40AACE05',
      hiddenQuery: 'phone=8000&keyword=%E5%BC%A0+138-0013-8000',
    })
  })

  it('is rejected without a required parameter', () => {
    expect(() => requestAddress(list, {})).toThrow('organiseId')
  })
})

describe('body', () => {
  it('of a GET is empty', () => expect(requestBody(list, { body: { a: 1 } })).toEqual({}))

  it('of a POST is a form by default', () => {
    expect(requestBody(post('/p', how), { body: { name: '张 伟', email: '', ids: ['1', '2'] } })).toEqual({
      body: 'name=%E5%BC%A0+%E4%BC%9F&ids=1%2C2',
      contentType: 'application/x-www-form-urlencoded;charset=UTF-8',
    })
  })

  it('is JSON where the contract requires it, without empty texts', () => {
    expect(requestBody(post('/p', { ...how, encoding: 'json' }), { body: { a: 1, b: '' } })).toEqual({
      body: '{"a":1}',
      contentType: 'application/json',
    })
  })

  it('with a file is multipart, and the browser writes the content type', () => {
    const { body, contentType } = requestBody(post('/p', { ...how, encoding: 'multipart' }), {
      body: { kind: 'avatar' },
      file: new Blob(['x'], { type: 'image/png' }),
    })
    expect(contentType).toBeUndefined()
    expect([...(body as FormData).keys()]).toEqual(['kind', 'file'])
  })
})
