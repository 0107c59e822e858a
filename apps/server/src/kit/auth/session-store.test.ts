import { describe, expect, it } from 'vitest'
import { startApi } from '../../../test/harness/api.ts'
import { makeFixture } from '../../../test/harness/people.ts'
import { sha256 } from './tokens.ts'

const api = await startApi()
const fixture = await makeFixture(api)

async function lookUps(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const counted = () => count++
  api.deps.pool.on('acquire', counted)
  await work()
  api.deps.pool.off('acquire', counted)
  return count
}

describe('twenty concurrent requests of one page', () => {
  const twenty = (token: string) =>
    Promise.all(Array.from({ length: 20 }, async () => (await api.deps.sessions.find(token, true))?.userId))

  it('look up the session once', async () => {
    const { token, id } = fixture.green.admin
    await api.deps.sessions.forget([sha256(token)])
    let found: unknown
    expect(await lookUps(async () => (found = await twenty(token)))).toBe(1)
    expect(found).toEqual(Array.from({ length: 20 }, () => id))
  })

  it('share one lookup of an unknown token, which is not cached', async () => {
    const unknownToken = 'a'.repeat(43)
    expect(await lookUps(() => twenty(unknownToken))).toBe(1)
    expect(await lookUps(() => twenty(unknownToken))).toBe(1)
  })
})
