import { deadLetter } from '@wattdeck/contract/product/dead-letter.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeLetter } from '../../../../test/fixtures/devices.ts'
import { makeFixture } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)

const jobs = (letterId: string) =>
  api.sql("select data from pgboss.job where name = 'device.replay' and data ->> 'letterId' = $1", [letterId])

describe('a dead letter', () => {
  it('is visible only to users of the platform', async () => {
    const id = await makeLetter(api)
    const { token } = fixture.green.admin
    expect((await api.call(token, deadLetter.list)).data.rows).toEqual([])
    for (const route of [deadLetter.replay, deadLetter.giveUp])
      expect((await api.call(token, route, { body: { ids: [id] } })).status).toBe(403)
    expect(await jobs(id)).toEqual([])
  })

  it('is replayed once: status and job are committed together', async () => {
    const { token } = fixture.platform.root
    const [id, other] = [await makeLetter(api), await makeLetter(api)]
    const waiting = await api.call(token, deadLetter.list, { query: { status: 1 } as never })
    expect(waiting.data.rows.find((row) => row.id === id)).toMatchObject({ wire: '40aace04', frame: '444e59' })
    const replay = (ids: string[]) => api.call(token, deadLetter.replay, { body: { ids } })
    expect((await replay([id])).data).toEqual({ changed: 1 })
    expect(await jobs(id)).toHaveLength(1)
    expect((await replay([other, id])).status).toBe(409)
    expect(await jobs(other)).toEqual([])
    expect((await replay([other, '999'])).status).toBe(404)
  })

  it('is given up, with the name of the user', async () => {
    const { token } = fixture.platform.root
    const id = await makeLetter(api)
    expect((await api.call(token, deadLetter.giveUp, { body: { ids: [id] } })).status).toBe(200)
    const { data } = await api.call(token, deadLetter.list, { query: { status: 3 } as never })
    expect(data.rows).toMatchObject([{ id, status: 3, handledBy: '姓名root' }])
    expect((await api.call(token, deadLetter.replay, { body: { ids: [id] } })).status).toBe(409)
  })
})
