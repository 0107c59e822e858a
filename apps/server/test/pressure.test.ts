import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { session } from '@wattdeck/contract/session/session.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { callerOf } from './client.ts'
import { makeWorld, type World } from './people.ts'
import { startApiProcess } from './process.ts'
import { until } from './until.ts'

let api: TestApi
let world: World
beforeAll(async () => {
  api = await startApi()
  world = await makeWorld(api)
})

const served = () => api.call(world.green.admin.token, session.userInfo)

describe('300 connections that dribble', () => {
  const dribblers = {
    headers: { opening: 'GET /seeker/api/user/userInfo HTTP/1.1\r\nHost: a\r\n', drop: 'X-A: b\r\n' },
    bodies: {
      opening:
        'POST /seeker/api/login/password HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n',
      drop: 'a',
    },
  }
  it('headers or bodies are closed within 20 seconds while others are served', { timeout: 40_000 }, async () => {
    const started = Date.now()
    const closedAfter: number[] = []
    const port = Number(new URL(api.url).port)
    const sockets = Array.from({ length: 300 }, (_, place): Socket => {
      const { opening, drop } = place % 2 === 0 ? dribblers.headers : dribblers.bodies
      const socket = connect(port, '127.0.0.1', () => socket.write(opening))
      const drip = setInterval(() => socket.write(drop), 1000)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        clearInterval(drip)
        closedAfter.push(Date.now() - started)
      })
      return socket
    })
    const waits: number[] = []
    while (closedAfter.length < 300 && Date.now() - started < 25_000) {
      const asked = Date.now()
      const { status } = await served()
      waits.push(Date.now() - asked)
      expect(status).toBe(200)
      await sleep(100)
    }
    for (const socket of sockets) socket.destroy()
    expect(closedAfter).toHaveLength(300)
    expect(Math.max(...closedAfter)).toBeLessThan(20_000)
    expect(waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)]).toBeLessThan(1000)
  })
})

describe('four times the capacity', () => {
  it(
    'is answered with 503 and Retry-After beyond it, within two seconds for the rest, and passes',
    { timeout: 40_000 },
    async () => {
      const copy = await startApiProcess(api.config, { MAX_IN_FLIGHT: '20' })
      const ask = async () => {
        const asked = Date.now()
        const { status, headers } = await callerOf(copy.url)(world.green.admin.token, session.userInfo)
        return { status, retryAfter: headers.get('retry-after'), ms: Date.now() - asked }
      }
      const replies: Awaited<ReturnType<typeof ask>>[] = []
      const end = Date.now() + 5000
      const caller = async () => {
        while (Date.now() < end) replies.push(await ask())
      }
      await Promise.all(Array.from({ length: 80 }, caller))
      const refused = replies.filter(({ status }) => status === 503)
      const accepted = replies.filter(({ status }) => status === 200)
      expect(refused.length).toBeGreaterThan(0)
      expect(accepted.length).toBeGreaterThan(0)
      expect(refused.every(({ retryAfter }) => retryAfter === '1')).toBe(true)
      expect(accepted.length + refused.length).toBe(replies.length)
      const waits = accepted.map(({ ms }) => ms).toSorted((a, b) => a - b)
      expect(waits[Math.floor(waits.length * 0.99)]).toBeLessThan(2000)
      await sleep(200)
      const after = await ask()
      expect(after).toMatchObject({ status: 200 })
      expect(after.ms).toBeLessThan(500)
      await copy.stop()
    },
  )
})

describe('a process that is asked to stop', () => {
  it('answers who is still asking and then finishes: no request fails', async () => {
    const copy = await startApiProcess(api.config)
    const call = callerOf(copy.url)
    const outcomes: number[] = []
    /** Told to leave, each comes back once more, on a connection of its own. */
    const caller = async () => {
      for (let left = 0; left < 2;) {
        const { status, headers } = await call(world.green.admin.token, session.userInfo)
        outcomes.push(status)
        if (headers.get('connection') === 'close') left++
      }
    }
    const callers = Array.from({ length: 10 }, caller)
    await sleep(500)
    const stopped = copy.stop()
    await until(async () => {
      const { serving } = (await (await fetch(`${copy.admin}/ready`)).json()) as { serving: boolean }
      return serving ? undefined : true
    })
    await Promise.all([stopped, ...callers])
    expect(new Set(outcomes)).toEqual(new Set([200]))
  })

  it('tells its health, readiness and figures on its own port', async () => {
    const copy = await startApiProcess(api.config)
    await callerOf(copy.url)(world.green.admin.token, session.userInfo)
    expect(await (await fetch(`${copy.admin}/health`)).json()).toEqual({ alive: true })
    expect(await (await fetch(`${copy.admin}/ready`)).json()).toEqual({ postgres: true, serving: true, files: true })
    expect(await (await fetch(`${copy.admin}/metrics`)).text()).toContain(
      'http_request_duration_seconds_bucket{le="0.05",route="/seeker/api/user/userInfo",status="200"}',
    )
    expect((await fetch(`${copy.url}/metrics`)).status).toBe(404)
    await copy.stop()
  })
})
