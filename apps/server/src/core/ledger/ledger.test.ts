import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { apiUrl, superuserUrl } from '../../../../../tools/ops/database.ts'
import { startApi } from '../../../test/harness/api.ts'
import { makeFixture } from '../../../test/harness/people.ts'
import { until } from '../../../test/harness/until.ts'
import { createPool, inScope, commit } from '../../kit/db/db.ts'
import { scopeOf } from '../../kit/db/scope.ts'
import { balancesOf, type Line, post, type Posting } from './ledger.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const pool = createPool(api.config.apiDatabaseUrl, 16)
afterAll(() => pool.end())

const scope = scopeOf({ organiseId: '1', isPlatform: true, agentId: null, agentIds: [], siteId: null })
const keyAt = '2026-11-01T08:00:00.000Z'
let keys = 0
const posting = (lines: Line[], params: Partial<Posting> = {}): Posting => ({
  key: `test/${++keys}`,
  keyAt,
  place: { organiseId: fixture.green.id, agentId: null, siteId: null },
  kind: 'recharge',
  ref: 'R1',
  lines,
  ...params,
})
const write = (...postings: Posting[]) =>
  inScope(pool, scope, 'record', async ({ db }) => commit(await post(db, postings)))
const balances = (...asks: Parameters<typeof balancesOf>[2]) =>
  inScope(pool, scope, 'read', async ({ db }) => commit(await balancesOf(db, fixture.green.id, asks)))
const prove = () => api.sql<{ what: string; ref: string }>('select what, ref from app.ledger_breaks() order by 1, 2')
/** Waits until all is sealed. Any earlier open transaction on this server holds back the edge. */
const seal = () =>
  until(async () => {
    await api.sql('select app.seal_ledger()')
    const [row] = await api.sql<{ open: boolean }>(
      'select coalesce(max(xid), $1) >= (select upto from ledger_edge) as open from posting',
      ['0'],
    )
    return row?.open === false ? true : undefined
  })

async function makeMember(organiseId = fixture.green.id): Promise<string> {
  const [member] = await api.sql<{ id: string }>(
    `insert into member (organise_id, nickname) values ($1, '会员') returning id`,
    [organiseId],
  )
  return member?.id ?? ''
}
const recharge = (owner: string, fen: bigint): Line[] => [
  { account: 'memberPaid', owner, fen },
  { account: 'channel', owner: '1', fen: -fen },
]
const hold = (owner: string, fen: bigint): Line[] => [
  { account: 'memberPaid', owner, fen: -fen },
  { account: 'memberPaidHeld', owner, fen },
]

describe('a posting', () => {
  it('moves money and records the balance after each entry', async () => {
    const owner = await makeMember()
    const [before] = await balances({ account: 'channel', owner: '1' })
    await write(posting(recharge(owner, 500n)), posting(hold(owner, 200n), { kind: 'hold' }))
    expect(
      await balances(
        { account: 'memberPaid', owner },
        { account: 'memberPaidHeld', owner },
        { account: 'memberGift', owner },
        { account: 'channel', owner: '1' },
      ),
    ).toEqual([300n, 200n, 0n, (before ?? 0n) - 500n])
    expect(
      await api.sql(
        `select amount_fen, entry.balance_fen, entry.seq from entry join account on account.id = account_id
         where owner_id = $1 and account.kind = 1 order by entry.seq`,
        [owner],
      ),
    ).toEqual([
      { amount_fen: '500', balance_fen: '500', seq: '1' },
      { amount_fen: '-200', balance_fen: '300', seq: '2' },
    ])
  })

  it('happens once per key, and a repetition returns the first result', async () => {
    const owner = await makeMember()
    const once = posting(recharge(owner, 500n))
    const [first] = await write(once)
    expect(await write(once)).toEqual([{ ...first, repeated: true }])
    const all = await Promise.all(Array.from({ length: 20 }, () => write(once)))
    expect(all.every(([posted]) => posted?.repeated === true && posted.id === first?.id)).toBe(true)
    expect(await balances({ account: 'memberPaid', owner })).toEqual([500n])
  })

  it('is refused for a used key with other content, and rolls back the whole call', async () => {
    const owner = await makeMember()
    const once = posting(recharge(owner, 500n))
    await write(once)
    const other = posting(recharge(owner, 700n))
    await expect(write(other, { ...once, lines: recharge(owner, 501n) })).rejects.toMatchObject({ code: 'WD002' })
    expect(await balances({ account: 'memberPaid', owner })).toEqual([500n])
  })

  it('never exceeds the balance of an account, also with sixteen concurrent calls', async () => {
    const owner = await makeMember()
    await write(posting(recharge(owner, 1000n)))
    const results = await Promise.allSettled(Array.from({ length: 16 }, () => write(posting(hold(owner, 300n)))))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const refused of results)
      if (refused.status === 'rejected') expect(refused.reason).toMatchObject({ status: 409, message: '余额不足' })
    expect(await balances({ account: 'memberPaid', owner }, { account: 'memberPaidHeld', owner })).toEqual([100n, 900n])
  })

  it('does not deadlock with another in the opposite direction', async () => {
    const [one, two] = [await makeMember(), await makeMember()]
    await write(posting(recharge(one, 10_000n)), posting(recharge(two, 10_000n)))
    const move = (from: string, to: string): Line[] => [
      { account: 'memberPaid', owner: from, fen: -1n },
      { account: 'memberPaid', owner: to, fen: 1n },
    ]
    await Promise.all(
      Array.from({ length: 200 }, (_, i) => write(posting(i % 2 === 0 ? move(one, two) : move(two, one)))),
    )
    expect(await balances({ account: 'memberPaid', owner: one }, { account: 'memberPaid', owner: two })).toEqual([
      10_000n,
      10_000n,
    ])
  })

  it('does not wait for another on a summed account', async () => {
    const [one, two] = [await makeMember(), await makeMember()]
    await inScope(pool, scope, 'record', async ({ db }) => {
      await post(db, [posting(recharge(one, 100n))])
      await write(posting(recharge(two, 100n)))
      return commit(undefined)
    })
    expect(await balances({ account: 'memberPaid', owner: two })).toEqual([100n])
  })

  it('reaches no account of another organisation', async () => {
    const foreign = await makeMember(fixture.swift.id)
    await expect(write(posting(recharge(foreign, 100n)))).rejects.toThrow('no such account')
  })
})

describe('the database', () => {
  it('refuses unbalanced entries, also from its owner', async () => {
    const owner = await makeMember()
    const lame: Line[] = [
      { account: 'memberPaid', owner, fen: 500n },
      { account: 'channel', owner: '1', fen: -499n },
    ]
    await expect(write(posting(lame))).rejects.toThrow('does not add up')
    await write(posting(recharge(owner, 5n)))
    await expect(
      api.sql(
        `insert into entry select posting_id, 9, account_id, organise_id, agent_id, site_id, 1, null, null, '1', kind, ref, posted_at from entry limit 1`,
      ),
    ).rejects.toThrow('does not add up')
  })

  it('refuses to change or delete postings and entries', async () => {
    await write(posting(recharge(await makeMember(), 500n)))
    for (const text of ['update entry set amount_fen = 1', 'delete from entry', 'delete from posting'])
      await expect(api.sql(text)).rejects.toThrow('never changed')
    await expect(api.sql('update posting set ref = ref')).rejects.toThrow('never changed')
  })

  it('lets the api move money by posting only', async () => {
    const role = new pg.Client({ connectionString: apiUrl(api.database) })
    await role.connect()
    await role.query("select set_config('app.scope_level', '0', false)")
    for (const table of ['account', 'posting', 'entry', 'account_day', 'account_sum', 'ledger_block', 'ledger_edge'])
      for (const text of [`insert into ${table} default values`, `delete from ${table}`])
        await expect(role.query(text), text).rejects.toThrow('permission denied')
    await expect(role.query('update account set balance_fen = 1')).rejects.toThrow('permission denied')
    await expect(role.query('select app.seal_ledger()')).rejects.toThrow('permission denied')
    await role.end()
  })
})

describe('the proof', () => {
  it('finds nothing while money moves', async () => {
    const owners = await Promise.all(Array.from({ length: 8 }, () => makeMember()))
    const moving = Promise.all(
      owners.flatMap((owner) => Array.from({ length: 20 }, () => write(posting(recharge(owner, 7n))))),
    )
    for (let i = 0; i < 5; i++) {
      await api.sql('select app.seal_ledger()')
      expect(await prove()).toEqual([])
    }
    await moving
    await seal()
    expect(await prove()).toEqual([])
    expect((await balances({ account: 'channel', owner: '1' }))[0]).toBeLessThan(0n)
  })

  it('reports changes that bypass the ledger', async () => {
    const owner = await makeMember()
    const [result] = await write(posting(recharge(owner, 500n)))
    await seal()
    const [account] = await api.sql<{ id: string }>('select id from account where owner_id = $1 and kind = 1', [owner])
    const tamper = async (text: string, values: unknown[] = []) => {
      // A superuser can disable the triggers; the proof still detects the change.
      const client = new pg.Client({ connectionString: superuserUrl(api.database) })
      await client.connect()
      await client.query('begin; set local session_replication_role = replica')
      await client.query(text, values)
      const { rows } = await client.query<{ what: string }>('select distinct what from app.ledger_breaks() order by 1')
      await client.query('rollback')
      await client.end()
      return rows.map(({ what }) => what)
    }
    expect(await tamper('select 1')).toEqual([])
    expect(await tamper('update account set balance_fen = balance_fen + 1 where id = $1', [account?.id])).toEqual([
      'balance',
    ])
    expect(
      await tamper(
        'update entry set amount_fen = amount_fen + 1, balance_fen = balance_fen + 1 where account_id = $1',
        [account?.id],
      ),
    ).toEqual(['balance', 'changed', 'unbalanced'])
    expect(await tamper('update posting set memo = $2 where id = $1', [result?.id, '无'])).toEqual(['changed'])
    expect(await tamper('delete from entry where posting_id = $1', [result?.id])).toContain('no entries')
    expect(await tamper('delete from posting where id = $1', [result?.id])).toEqual(['block', 'no posting'])
    expect(await tamper('update account_day set in_fen = in_fen + 1')).toEqual(['days', 'sums'])
    expect(await tamper('update account_sum set fen = fen + 1')).toEqual(['sums'])
    expect(await tamper('delete from ledger_block where no = (select max(no) from ledger_block)')).toEqual([
      'not sealed',
    ])
    expect(await tamper(`update ledger_block set hash = '\\x01'`)).toEqual(['block'])
  })
})
