import { setTimeout as sleep } from 'node:timers/promises'
import { payOrder } from '@wattdeck/contract/order/pay-order.ts'
import type { OpenClient } from '@wattdeck/open-client/open-client.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeOpenApp, makePayer } from '../../test/charging.ts'
import * as world from '../../test/payments.ts'
import { makeWorld, type World } from '../../test/people.ts'
import { until } from '../../test/until.ts'

let there: world.PayWorld
let people: World
let client: OpenClient
beforeAll(async () => {
  there = await world.startPayWorld()
  people = await makeWorld(there.api)
  client = await makeOpenApp(there.api, people.green.id)
}, 60_000)

/** Nobody waits longer than this for an answer, whatever a provider does. */
const patienceMs = 3000
const inTime = async <T>(work: () => Promise<T>): Promise<T> => {
  const began = performance.now()
  const value = await work()
  expect(performance.now() - began).toBeLessThan(patienceMs)
  return value
}

describe('while a provider is in trouble', () => {
  it('everybody is answered with the state, it is left alone, and all is settled when it returns', async () => {
    const trader = await world.makeTrader(there, people.green.id)
    let worker = await there.startWorker()
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const open: string[] = []
    const ask = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const rechargeNo = await inTime(() => world.askRecharge(client, memberId, '1.00'))
        open.push(rechargeNo)
        expect(await inTime(() => world.readRecharge(client, rechargeNo))).toMatchObject({ status: 1, codeUrl: null })
      }
      const { data } = await inTime(() => there.api.call(people.green.admin.token, payOrder.list))
      expect(data.rows[0]).toMatchObject({ status: 1 })
    }
    const metric = async (name: RegExp) => name.exec(await (await fetch(`${worker.admin}/metrics`)).text())?.[1]
    const broken = () => metric(/^pay_breakers_open (\d)/m)
    const stepped = () => metric(/^pay_steps_total\{step="pay"\} (\d+)/m)

    there.sandbox.behave({ slowMs: 10_000 }, trader.merchantNo)
    await ask(6)
    await until(async () => ((await broken()) === '1' ? true : undefined), 15_000)
    there.sandbox.behave({ busy: true }, trader.merchantNo)
    // One goes first after 1, 2 and 4 seconds, to see whether it is better; then everybody waits for 8.
    const opened = Number(await stepped())
    await until(async () => (Number(await stepped()) === opened + 3 ? true : undefined), 30_000)
    const before = await stepped()
    await ask(3)
    await sleep(2000)
    // Nobody is busy with payments that cannot move on.
    expect(await stepped()).toBe(before)
    await worker.kill()
    worker = await there.startWorker()
    there.sandbox.behave({ vanish: true }, trader.merchantNo)
    await ask(3)
    there.sandbox.behave({}, trader.merchantNo)
    for (const rechargeNo of open) there.sandbox.pay({ codeUrl: await world.codeOf(client, rechargeNo, 75_000) })
    for (const rechargeNo of open) await world.rechargeIn(client, rechargeNo, 2, 20_000)
    expect(await broken()).toBe('0')
    expect(await world.accountSum(there.api, people.green.id, 1)).toBe(BigInt(open.length) * 100n)
    await worker.stop()
    await there.api.sql('select app.seal_ledger()')
    expect(await world.ledgerBreaks(there.api)).toEqual([])
  }, 180_000)

  it('a refund whose answer was lost is asked for again by the same number, and happens once', async () => {
    const worker = await there.startWorker()
    const [trader] = await there.api.sql<{ no: string }>('select merchant_no as no from pay_merchant')
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const rechargeNo = await world.askRecharge(client, memberId, '5.00')
    const codeUrl = await world.codeOf(client, rechargeNo)
    await there.api.sql(`update pay_order set status = 3, closed_at = now(), look_at = null where ref_id = $1`, [
      rechargeNo,
    ])
    there.sandbox.behave({ loseReply: true, holdRefunds: true }, trader?.no)
    const trade = there.sandbox.pay({ codeUrl })
    const refund = () =>
      there.api.sql<{ status: number; words: string | null; id: string }>(
        `select refund.status, refund.words, refund.id from pay_refund refund join pay_order pay on pay.id = pay_order_id where pay.ref_id = $1`,
        [rechargeNo],
      )
    await until(async () => ((await refund())[0]?.words?.includes('结果未知') === true ? true : undefined))
    expect(trade.refunds).toHaveLength(1)
    there.sandbox.behave({ holdRefunds: true }, trader?.no)
    await until(async () => ((await refund())[0]?.status === 2 ? true : undefined), 20_000)
    expect(trade.refunds).toHaveLength(1)
    there.sandbox.behave({}, trader?.no)
    there.sandbox.settleRefund(`R${(await refund())[0]?.id}`, 'SUCCESS')
    await until(async () => ((await refund())[0]?.status === 3 ? true : undefined))
    expect(await world.accountSum(there.api, people.green.id, 53)).toBe(0n)
    await worker.stop()
  }, 60_000)
})
