import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startAdminServer } from './admin-server.ts'
import { stuckLoops, watchLoop } from './loop-watch.ts'

let server: Awaited<ReturnType<typeof startAdminServer>>
let url: string
beforeAll(async () => {
  server = await startAdminServer(0, '127.0.0.1', () => Promise.resolve({ postgres: true }))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

it('reports the process as stuck while one of its loops hangs', async () => {
  const health = async () => {
    const reply = await fetch(`${url}/health`)
    return { status: reply.status, ...((await reply.json()) as object) }
  }
  expect(await health()).toEqual({ status: 200, alive: true, stuck: [] })
  const loop = watchLoop('a loop that hangs', -1)
  expect(await health()).toEqual({ status: 503, alive: false, stuck: ['a loop that hangs'] })
  loop.end()
  expect(await health()).toMatchObject({ status: 200 })
})

it('reports a loop as stuck after a minute without a turn, until it turns again', () => {
  const loop = watchLoop('relay')
  const now = performance.now()
  expect(stuckLoops(now + 59_000)).toEqual([])
  expect(stuckLoops(now + 61_000)).toEqual(['relay'])
  loop.turn()
  expect(stuckLoops(performance.now() + 59_000)).toEqual([])
  loop.end()
})
