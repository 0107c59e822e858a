import { fillPath } from '@wattdeck/contract/kit/route.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { atTier, draw, recordSample, turnSlice } from '../../../../tools/check/tier.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { collectFailures, loop } from './collect-failures.ts'
import { openSession } from '../harness/people.ts'
import { answering, expectContract, makeRouteFixture, nameOf, type RouteFixture, send } from './route-fixture.ts'
import { type Field, fieldsOf, hostile, sampleInput } from './samples.ts'

/**
 * Loop over all routes: hostile input is accepted or rejected, and never causes a server error. A full run sends each
 * route 250 inputs. The gate shares one budget of requests among all routes, so its cost does not grow with them; the
 * commit seeds the selection of inputs.
 */
type Target = Pick<Field, 'place' | 'name'>
const fullInputs = 230
const gateBudget = 20_000
const perRoute = atTier(Math.max(12, Math.min(fullInputs, Math.floor(gateBudget / answering.length))), fullInputs)

let api: TestApi
let there: RouteFixture
beforeAll(async () => {
  api = await startApi()
  there = await makeRouteFixture(api)
})

describe('every route', loop, () => {
  it('answers hostile input without a fault of the server', async () => {
    const counts = { sent: 0, all: 0 }
    const failures = await collectFailures(answering, nameOf, async ({ feature, route }) => {
      // Hostile input may have disabled menus or ended the session of an earlier route.
      await api.sql('update menu set status = 1 where status <> 1')
      await api.sql('update resource set status = 1 where status <> 1')
      const token = await openSession(api, there.fixture.platform.root.id)
      const judge = (reply: { status: number; text: string }, what: string) => {
        counts.sent++
        expect(reply.status, `${what}: ${reply.text.slice(0, 300)}`).toBeLessThan(500)
        if (reply.text.startsWith('{')) expectContract(route, reply)
      }
      const fields = fieldsOf(route)
      const targets: Target[] =
        fields.length > 0 ? fields : [{ place: route.method === 'GET' ? 'query' : 'body', name: 'unknown' }]
      // Each field with each value, once beside all optional fields and once without them.
      const pairs = targets.flatMap((field) =>
        hostile.flatMap((value) => [true, false].map((optional) => ({ field, value, optional }))),
      )
      const queue = draw(nameOf({ route }), pairs, perRoute).values()
      const lane = async () => {
        for (const { field, value, optional } of queue) {
          const input = sampleInput(route, there.ownIds(feature), optional)
          input[field.place][field.name] =
            field.place === 'params' && (value === '' || !value.isWellFormed()) ? ' ' : value
          const what = `${field.place}.${field.name}=${JSON.stringify(value).slice(0, 60)}`
          judge(await send(api, route, token, input), what)
        }
      }
      await Promise.all(Array.from({ length: 4 }, lane))
      // The parser reads these before the route does: each route gets a share, all routes together get all.
      const shift = answering.findIndex((one) => one.route === route)
      const turned = rawPayloads.map((_, place) => rawPayloads[(place + shift) % rawPayloads.length])
      for (const payload of turnSlice(turned, 5)) {
        if (payload === undefined) continue
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
        judge({ status: reply.statusCode, text: reply.body }, JSON.stringify(payload).slice(0, 200))
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
      counts.all += Math.min(pairs.length, fullInputs) + rawPayloads.length
    })
    recordSample('every-route-hostile: inputs', counts.sent, counts.all)
    expect(failures).toEqual([])
  })
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
