import { connect, type Socket } from 'node:net'
import { session } from '@wattdeck/contract/auth/session.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../harness/api.ts'
import { callerOf } from '../harness/client.ts'
import { makeFixture, type Fixture } from '../harness/people.ts'
import { startApiProcess } from '../harness/process.ts'
import { until } from '../harness/until.ts'

let api: TestApi
let fixture: Fixture
const capacity = 20
let copy: Awaited<ReturnType<typeof startApiProcess>>
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  copy = await startApiProcess(api.config, { MAX_IN_FLIGHT: String(capacity) })
})
afterAll(() => copy.stop())

const readProfile = () => api.call(fixture.green.admin.token, session.userInfo)

describe('300 connections that send their headers or bodies byte by byte', () => {
  const slowRequests = {
    headers: { opening: 'GET /seeker/api/user/userInfo HTTP/1.1\r\nHost: a\r\n', next: 'X-A: b\r\n' },
    bodies: {
      opening:
        'POST /seeker/api/login/password HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n',
      next: 'a',
    },
  }
  it('are all closed by the server, which answers other requests meanwhile', async () => {
    const { server } = api.app
    expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 1000 })
    const port = Number(new URL(api.url).port)
    let [opened, closed] = [0, 0]
    const replies = new Set<string | undefined>()
    // Node reads both limits at each check: no connection closes before another request is answered, then all do.
    Object.assign(server, { headersTimeout: 600_000, requestTimeout: 600_000 })
    const sockets = Array.from({ length: 300 }, (_, place): Socket => {
      const { opening, next } = place % 2 === 0 ? slowRequests.headers : slowRequests.bodies
      const socket = connect(port, '127.0.0.1', () => {
        opened++
        socket.write(opening)
      })
      const timer = setInterval(() => socket.write(next), 200)
      socket.on('error', () => undefined)
      socket.on('data', (reply: Buffer) => replies.add(reply.toString().split('\r\n')[0]))
      socket.on('close', () => {
        clearInterval(timer)
        closed++
      })
      return socket
    })
    await until(() => opened === sockets.length || undefined)
    expect((await readProfile()).status).toBe(200)
    expect(closed).toBe(0)
    Object.assign(server, { headersTimeout: 1500, requestTimeout: 2000 })
    await until(() => closed === sockets.length || undefined)
    expect(replies).toEqual(new Set(['HTTP/1.1 408 Request Timeout']))
  })
})

describe('four times the capacity', () => {
  const callers = 4 * capacity
  const ask = async (call: ReturnType<typeof callerOf>, token: string) => {
    const { status, headers } = await call(token, session.userInfo)
    return { status, retryAfter: headers.get('retry-after') }
  }
  const accepted = { status: 200, retryAfter: null }
  const refused = { status: 503, retryAfter: '1' }

  it('uses no more slots than exist: each further request is refused while the accepted ones wait', async () => {
    const own = await startApi({ maxInFlight: capacity })
    const { token } = (await makeFixture(own)).green.admin
    const { sessions } = own.deps
    const find = sessions.find.bind(sessions)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let inFlight = 0
    sessions.find = async (...sought) => {
      inFlight++
      await released
      return find(...sought)
    }
    const replies: Awaited<ReturnType<typeof ask>>[] = []
    const asking = Array.from({ length: callers }, async () => replies.push(await ask(own.call, token)))
    await until(() => (replies.length === callers - capacity ? true : undefined))
    expect(inFlight).toBe(capacity)
    expect(replies).toEqual(replies.map(() => refused))
    release()
    await Promise.all(asking)
    expect(replies.slice(callers - capacity)).toEqual(Array.from({ length: capacity }, () => accepted))
    expect(await ask(own.call, token)).toEqual(accepted)
  })

  it('receives 200, or 503 with Retry-After, and nothing else; the next request is accepted', async () => {
    const askCopy = () => ask(callerOf(copy.url), fixture.green.admin.token)
    const replies: Awaited<ReturnType<typeof ask>>[] = []
    const caller = async () => {
      for (let sent = 0; sent < 10; sent++) replies.push(await askCopy())
    }
    await Promise.all(Array.from({ length: callers }, caller))
    expect(replies).toContainEqual(accepted)
    for (const reply of replies) expect([accepted, refused]).toContainEqual(reply)
    expect(await askCopy()).toEqual(accepted)
  })
})

describe('the api process', () => {
  it('reports its health, readiness and metrics on its admin port only', async () => {
    await callerOf(copy.url)(fixture.green.admin.token, session.userInfo)
    expect(await (await fetch(`${copy.admin}/health`)).json()).toEqual({ alive: true, stuck: [] })
    await expect
      .poll(async () => (await fetch(`${copy.admin}/ready`)).json())
      .toEqual({ postgres: true, serving: true, files: true })
    expect(await (await fetch(`${copy.admin}/metrics`)).text()).toContain(
      'http_request_duration_seconds_bucket{le="0.05",route="/seeker/api/user/userInfo",status="200"}',
    )
    expect((await fetch(`${copy.url}/metrics`)).status).toBe(404)
  })

  it('answers the open connections before it stops: no request fails', async () => {
    const call = callerOf(copy.url)
    const outcomes: number[] = []
    let closed = 0
    /** A caller whose new connection is refused has sent no request that could fail. */
    const unlessRefused = (error: Error) => {
      if ((error.cause as NodeJS.ErrnoException | undefined)?.code !== 'ECONNREFUSED') throw error
    }
    /** After the first `connection: close` each caller sends one more request, on a new connection. */
    const caller = async () => {
      for (let remaining = 2; remaining > 0;) {
        const reply = await call(fixture.green.admin.token, session.userInfo).catch(unlessRefused)
        if (reply === undefined) return
        outcomes.push(reply.status)
        if (reply.headers.get('connection') === 'close') {
          closed++
          remaining--
        }
      }
    }
    const callers = Array.from({ length: 10 }, caller)
    await until(() => (outcomes.length >= 100 ? true : undefined))
    const stopped = copy.stop()
    await until(async () => {
      const { serving } = (await (await fetch(`${copy.admin}/ready`)).json()) as { serving: boolean }
      return serving ? undefined : true
    })
    await Promise.all([stopped, ...callers])
    expect(new Set(outcomes)).toEqual(new Set([200]))
    expect(closed).toBeGreaterThan(0)
    expect(copy.child.exitCode).toBe(0)
  })
})
