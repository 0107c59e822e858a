import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { superuserUrl } from '../../../../../tools/ops/database.ts'
import { startApi } from '../../../test/harness/api.ts'
import { makeFixture } from '../../../test/harness/people.ts'
import { commit, createPool, inScope } from '../../kit/db/db.ts'
import { scopeOf } from '../../kit/db/scope.ts'
import { expireGifts } from './gifts.jobs.ts'
import { balancesOf, type Line, post, type Posting } from './ledger.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const organiseId = fixture.green.id
const scope = scopeOf({ organiseId: '1', isPlatform: true, agentId: null, agentIds: [], siteId: null })
// Two workers, each with connections of its own.
const pools = [createPool(api.config.workerDatabaseUrl, 8), createPool(api.config.workerDatabaseUrl, 8)]
const [pool, otherPool] = pools as [pg.Pool, pg.Pool]
const root = new pg.Client({ connectionString: superuserUrl(api.database) })
beforeAll(() => root.connect())
afterAll(async () => {
  await root.end()
  for (const one of pools) await one.end()
})

const breaks = async () => {
  await api.sql('select app.seal_ledger()')
  return api.sql('select what, ref from app.ledger_breaks()')
}
afterEach(async () => {
  await api.sql(`update gift_lot set ends_at = null where left_fen > 0`)
  const found = await breaks()
  if (found.length > 0) throw new Error(`the ledger is broken: ${JSON.stringify(found)}`)
})

async function makeMember(): Promise<string> {
  const [row] = await api.sql<{ id: string }>(
    `insert into member (organise_id, nickname) values ($1, '会员') returning id`,
    [organiseId],
  )
  return row?.id ?? ''
}

let keys = 0
type More = Pick<Posting, 'giftValidDays' | 'giftFrom'> & { ref?: string }
function move(kind: Posting['kind'], lines: Line[], { ref = `G${keys}`, ...more }: More = {}, through = pool) {
  const place = { organiseId, agentId: null, siteId: null }
  const posting = { key: `gifts/${++keys}`, keyAt: new Date().toISOString(), place, kind, ref, lines, ...more }
  return inScope(through, scope, 'record', async ({ db }) => commit(await post(db, [posting])))
}
const line = (account: Line['account'], owner: string, fen: number): Line => ({ account, owner, fen: BigInt(fen) })
const give = (owner: string, fen: number, giftValidDays?: number, ref = `P${++keys}`) =>
  move('gift', [line('memberGift', owner, fen), line('giftCost', '0', -fen)], {
    ref,
    ...(giftValidDays === undefined ? {} : { giftValidDays }),
  })
const hold = (owner: string, fen: number) =>
  move('hold', [line('memberGift', owner, -fen), line('memberGiftHeld', owner, fen)])
const release = (owner: string, fen: number) =>
  move('release', [line('memberGiftHeld', owner, -fen), line('memberGift', owner, fen)])
const bill = (owner: string, fen: number, ref = `O${++keys}`, through = pool) =>
  move('bill', [line('memberGift', owner, -fen), line('siteService', fixture.green.siteId, fen)], { ref }, through)
const refund = (owner: string, fen: number, ref: string) =>
  move('refund', [line('siteService', fixture.green.siteId, -fen), line('memberGift', owner, fen)], { ref })

/** What is left of each lot, oldest first. */
const lots = async (owner: string) =>
  (await api.sql<{ left_fen: string }>('select left_fen from gift_lot where member_id = $1 order by id', [owner])).map(
    ({ left_fen }) => Number(left_fen),
  )
const balance = (owner: string) =>
  inScope(pool, scope, 'read', async ({ db }) => {
    const asks = (['memberGift', 'memberGiftHeld', 'memberGiftRefunding'] as const).map((account) => ({
      account,
      owner,
    }))
    return commit((await balancesOf(db, organiseId, asks)).map(Number))
  })
/** Moves the end of the lots of a member with an end into the past. */
const passEnd = (owner: string) =>
  api.sql(`update gift_lot set ends_at = now() - interval '1 minute' where member_id = $1 and ends_at is not null`, [
    owner,
  ])

describe('gift money', () => {
  it('ends at the end of the last day of its validity in Shanghai', async () => {
    const owner = await makeMember()
    await give(owner, 100, 1)
    await give(owner, 100)
    expect(
      await api.sql(
        `select to_char(ends_at at time zone 'Asia/Shanghai', 'HH24:MI') as clock,
           (ends_at at time zone 'Asia/Shanghai')::date - (now() at time zone 'Asia/Shanghai')::date as days
         from gift_lot where member_id = $1 order by id`,
        [owner],
      ),
    ).toEqual([
      { clock: '00:00', days: 2 },
      { clock: null, days: null },
    ])
    expect(await expireGifts(pool)).toBe(0)
  })

  it('is used by the earliest end first, then the oldest', async () => {
    const owner = await makeMember()
    await give(owner, 100)
    await give(owner, 100, 30)
    await give(owner, 100, 7)
    await give(owner, 100, 30)
    await bill(owner, 150)
    expect(await lots(owner)).toEqual([100, 50, 0, 100])
    await bill(owner, 160)
    expect(await lots(owner)).toEqual([90, 0, 0, 0])
  })

  it('that two workers end at the same moment is moved once, and shown in the statement', async () => {
    const owners = await Promise.all(Array.from({ length: 12 }, makeMember))
    for (const owner of owners) {
      await give(owner, 300, 1)
      await give(owner, 50)
      await passEnd(owner)
    }
    const runs = await Promise.all([expireGifts(pool), expireGifts(otherPool)])
    expect(runs[0] + runs[1]).toBe(12)
    expect(await expireGifts(pool)).toBe(0)
    for (const owner of owners) expect(await balance(owner)).toEqual([50, 0, 0])
    const [owner] = owners
    expect(
      await api.sql(
        `select entry.kind, entry.amount_fen, entry.balance_fen from entry join account on account.id = entry.account_id
         where account.owner_id = $1 and account.kind = 2 order by entry.seq desc limit 1`,
        [owner],
      ),
    ).toEqual([{ kind: 10, amount_fen: '-300', balance_fen: '50' }])
  })

  it('that a running charge holds does not end before the charge returns it', async () => {
    const owner = await makeMember()
    await give(owner, 100, 1)
    await give(owner, 40)
    await hold(owner, 70)
    await passEnd(owner)
    expect(await expireGifts(pool)).toBe(1)
    expect(await balance(owner)).toEqual([40, 70, 0])
    expect(await expireGifts(pool)).toBe(0)
    // The charge uses twenty of it; the rest returns and ends.
    await move('bill', [
      line('memberGiftHeld', owner, -70),
      line('memberGift', owner, 50),
      line('siteService', fixture.green.siteId, 20),
    ])
    expect(await lots(owner)).toEqual([50, 40])
    expect(await expireGifts(pool)).toBe(1)
    expect(await balance(owner)).toEqual([40, 0, 0])
    await hold(owner, 40)
    await release(owner, 40)
    expect(await lots(owner)).toEqual([0, 40])
  })

  it('of a refunded charge returns with its old end, also in parts', async () => {
    const owner = await makeMember()
    await give(owner, 100, 1)
    await give(owner, 100)
    await bill(owner, 150, 'ORDER1')
    expect(await lots(owner)).toEqual([0, 50])
    await refund(owner, 60, 'ORDER1')
    expect(await lots(owner)).toEqual([10, 100])
    await refund(owner, 90, 'ORDER1')
    expect(await lots(owner)).toEqual([100, 100])
    await passEnd(owner)
    await expireGifts(pool)
    expect(await balance(owner)).toEqual([100, 0, 0])
  })

  it('goes back with the recharge that granted it, and stays while that refund is undecided', async () => {
    const owner = await makeMember()
    await give(owner, 100, 7, 'P1')
    await give(owner, 100, undefined, 'P2')
    await move('hold', [line('memberGift', owner, -80), line('memberGiftRefunding', owner, 80)])
    expect(await lots(owner)).toEqual([100, 100])
    await move('refund', [line('memberGiftRefunding', owner, -80), line('giftCost', '0', 80)], { giftFrom: 'P2' })
    expect(await lots(owner)).toEqual([100, 20])
    // A longer refund than its own gift takes the rest by the usual order.
    await move('refund', [line('memberGift', owner, -50), line('giftCost', '0', 50)], { giftFrom: 'P2' })
    expect(await lots(owner)).toEqual([70, 0])
  })

  it('from before there were lots becomes one lot without an end when it first moves', async () => {
    const owner = await makeMember()
    await give(owner, 500)
    await hold(owner, 100)
    await root.query('delete from gift_lot where member_id = $1', [owner])
    expect(await breaks()).toEqual([])
    await Promise.all([bill(owner, 30), bill(owner, 30, undefined, otherPool), give(owner, 70, 5)])
    expect((await lots(owner)).reduce((sum, fen) => sum + fen, 0)).toBe(510)
    expect(
      await api.sql('select granted_fen from gift_lot where member_id = $1 and source_ref is null', [owner]),
    ).toEqual([{ granted_fen: '500' }])
  })

  it('is never used beyond its lots by concurrent charges, grants and expiries', async () => {
    const owner = await makeMember()
    for (let i = 0; i < 5; i++) await give(owner, 100, i % 2 === 0 ? 1 : undefined)
    await passEnd(owner)
    const moves = Array.from({ length: 12 }, (_, at) => bill(owner, 60, undefined, at % 2 === 0 ? pool : otherPool))
    const results = await Promise.allSettled([...moves, expireGifts(pool), expireGifts(otherPool), give(owner, 30)])
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409, message: '余额不足' })
    const [free = 0] = await balance(owner)
    expect((await lots(owner)).reduce((sum, fen) => sum + fen, 0)).toBe(free)
  })

  it('that differs from its lots is found by the proofs', async () => {
    const owner = await makeMember()
    await give(owner, 100)
    expect(await breaks()).toEqual([])
    await root.query('begin')
    await root.query('update gift_lot set left_fen = 99 where member_id = $1', [owner])
    const found = { organise_id: organiseId, what: 'gift lots', ref: `member ${owner}` }
    expect((await root.query('select * from app.ledger_breaks()')).rows).toEqual([found])
    const accounts = `array(select id from account where owner_id = ${owner} and kind = 2)`
    expect((await root.query(`select * from app.account_breaks(${accounts})`)).rows).toEqual([found])
    await root.query('rollback')
  })
})
