import { payStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { payOrder } from '@wattdeck/contract/order/pay-order.ts'
import type { OpenClient } from '@wattdeck/open-client/open-client.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeOpenApp, makePayer } from '../../../test/fixtures/charging.ts'
import * as fixture from '../../../test/fixtures/payments.ts'
import { makeFixture, type Fixture } from '../../../test/harness/people.ts'
import { until } from '../../../test/harness/until.ts'

let there: fixture.PayContext
let people: Fixture
let client: OpenClient
beforeAll(async () => {
  there = await fixture.startPayFixture()
  people = await makeFixture(there.api)
  client = await makeOpenApp(there.api, people.green.id)
})

describe('with a failing provider', () => {
  it('the api answers with the stored state, the breaker opens, and all payments settle after the recovery', async () => {
    const trader = await fixture.makeTrader(there, people.green.id)
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const open: string[] = []
    const ask = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const rechargeNo = await fixture.requestRecharge(client, memberId, '1.00')
        open.push(rechargeNo)
        expect(await fixture.readRecharge(client, rechargeNo)).toMatchObject({
          status: 'WAIT_PAY_STATUS',
          codeUrl: null,
        })
      }
      const { data } = await there.api.call(people.green.admin.token, payOrder.list)
      expect(data.rows[0]).toMatchObject({ status: payStatus.code.unpaid })
    }
    // Without a worker no request reaches the provider, and the api still answers.
    await ask(3)
    expect(there.sandbox.trades).toEqual([])
    there.sandbox.behave({ slowMs: 10_000 }, trader.merchantNo)
    let worker = await there.startWorker()
    const metric = async (name: RegExp) => name.exec(await (await fetch(`${worker.admin}/metrics`)).text())?.[1]
    const broken = () => metric(/^pay_breakers_open (\d)/m)
    const stepped = () => metric(/^pay_steps_total\{step="pay"\} (\d+)/m)

    await ask(3)
    await until(async () => ((await broken()) === '1' ? true : undefined))
    there.sandbox.behave({ busy: true }, trader.merchantNo)
    // After each pause one trial request passes; the pauses grow.
    const opened = Number(await stepped())
    await until(async () => (Number(await stepped()) === opened + 3 ? true : undefined))
    const before = Number(await stepped())
    await ask(3)
    // A later payment of another merchant passes before all blocked payments were tried.
    await fixture.makeTrader(there, people.swift.id)
    const other = await makeOpenApp(there.api, people.swift.id)
    const otherMember = await makePayer(there.api, people.swift.id, 0n)
    await fixture.codeOf(other, await fixture.requestRecharge(other, otherMember, '1.00'))
    expect(Number(await stepped())).toBeLessThan(before + open.length)
    await worker.kill()
    worker = await there.startWorker()
    there.sandbox.behave({ vanish: true }, trader.merchantNo)
    await ask(3)
    there.sandbox.behave({}, trader.merchantNo)
    for (const rechargeNo of open) there.sandbox.pay({ codeUrl: await fixture.codeOf(client, rechargeNo) })
    for (const rechargeNo of open) await fixture.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')
    expect(await broken()).toBe('0')
    expect(await fixture.accountSum(there.api, people.green.id, 1)).toBe(BigInt(open.length) * 100n)
    await worker.stop()
    await there.api.sql('select app.seal_ledger()')
    expect(await fixture.ledgerBreaks(there.api)).toEqual([])
  })

  it('a refund whose answer was lost is requested again with the same number and happens once', async () => {
    const worker = await there.startWorker()
    const [trader] = await there.api.sql<{ no: string }>('select merchant_no as no from pay_merchant')
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const rechargeNo = await fixture.requestRecharge(client, memberId, '5.00')
    const codeUrl = await fixture.codeOf(client, rechargeNo)
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
    await until(async () => ((await refund())[0]?.status === 2 ? true : undefined))
    expect(trade.refunds).toHaveLength(1)
    there.sandbox.behave({}, trader?.no)
    there.sandbox.settleRefund(`R${(await refund())[0]?.id}`, 'SUCCESS')
    await until(async () => ((await refund())[0]?.status === 3 ? true : undefined))
    expect(await fixture.accountSum(there.api, people.green.id, 53)).toBe(0n)
    await worker.stop()
  })
})
