import { fillPath } from '@wattdeck/contract/kit/route.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { openSession } from './people.ts'
import { answering, expectContract, makeRouteWorld, nameOf, type RouteWorld, send } from './route-world.ts'
import { type Field, fieldsOf, hostile, type Input, sampleInput } from './samples.ts'

/** Whatever is sent to a route, the fault is the sender's. */
let api: TestApi
let there: RouteWorld
beforeAll(async () => {
  api = await startApi()
  there = await makeRouteWorld(api)
})

describe('hostile input', () => {
  it.each(answering.map((one) => [nameOf(one), one] as const))(
    '%s takes 250 of them without a fault of its own',
    { timeout: 30_000 },
    async (_, { feature, route }) => {
      const fields = fieldsOf(route)
      await api.sql('update menu set status = 1')
      await api.sql('update resource set status = 1')
      const token = await openSession(api, there.world.platform.root.id)
      const statuses = new Map<number, number>()
      const note = (reply: { status: number; text: string }, what: string) => {
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
        expect(reply.status, `${what}: ${reply.text.slice(0, 300)}`).toBeLessThan(500)
        if (reply.text.startsWith('{')) expectContract(route, reply)
      }
      const targets: (Field | { place: 'query' | 'body'; name: string })[] =
        fields.length > 0 ? fields : [{ place: route.method === 'GET' ? 'query' : 'body', name: 'unknown' }]
      const tries: { input: Input; what: string }[] = []
      for (let round = 0; tries.length < 230; round++) {
        for (const field of targets) {
          const value = hostile[(round * 7 + tries.length) % hostile.length] ?? ''
          const input = sampleInput(route, there.ownIds(feature), round % 2 === 0)
          input[field.place][field.name] =
            field.place === 'params' && (value === '' || !value.isWellFormed()) ? ' ' : value
          tries.push({ input, what: `${field.place}.${field.name}=${JSON.stringify(value).slice(0, 60)}` })
        }
      }
      expect(tries.length + rawPayloads.length).toBeGreaterThanOrEqual(250)
      const queue = tries.values()
      const lane = async () => {
        for (const { input, what } of queue) note(await send(api, route, token, input), what)
      }
      await Promise.all(Array.from({ length: 4 }, lane))
      for (const payload of rawPayloads) {
        const reply = await api.app.inject({
          method: route.method,
          url: fillPath(route.path, sampleInput(route, there.ownIds(feature)).params) + payload.search,
          headers: {
            authorization: `Bearer ${token}`,
            'idempotency-key': crypto.randomUUID(),
            ...(route.method === 'POST' ? { 'content-type': payload.type } : {}),
          },
          ...(route.method === 'POST' ? { payload: payload.body } : {}),
        })
        note({ status: reply.statusCode, text: reply.body }, JSON.stringify(payload))
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )
})

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'
const rawPayloads = [
  { type: form, body: 'id=1&id=2', search: '?pageNum=1&pageNum=2' },
  { type: form, body: '__proto__=1&__proto__[polluted]=1', search: '?__proto__[polluted]=1' },
  { type: form, body: 'constructor.prototype.polluted=1', search: '?constructor=1' },
  {
    type: form,
    body: Array.from({ length: 300 }, (_, place) => `k${place}=1`).join('&'),
    search: `?${Array.from({ length: 300 }, (_, place) => `k${place}=1`).join('&')}`,
  },
  { type: form, body: 'id=%', search: '?q=%' },
  { type: form, body: 'id=%C0%AF', search: '?q=%C0%AF' },
  { type: form, body: 'roleTopLevel=0&userType=1&organiseId=1', search: '?roleTopLevel=0' },
  { type: form, body: 'a'.repeat(20_000), search: '' },
  { type: json, body: '{"__proto__":{"polluted":1}}', search: '?a[]=1' },
  { type: json, body: '{"id":{"$gt":""}}', search: '?a[b]=1' },
  { type: json, body: '[1,2,3]', search: '' },
  { type: json, body: 'null', search: '' },
  { type: json, body: '"text"', search: '' },
  { type: json, body: '{', search: '' },
  { type: json, body: '{"amount":1e999}', search: '' },
  { type: json, body: `${'['.repeat(5000)}${']'.repeat(5000)}`, search: '' },
  { type: 'text/plain', body: 'id=1', search: '' },
  { type: 'application/xml', body: '<a/>', search: '' },
  {
    type: 'multipart/form-data; boundary=x',
    body: '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nnot a picture\r\n--x--\r\n',
    search: '',
  },
  { type: 'multipart/form-data', body: 'no boundary', search: '' },
]
