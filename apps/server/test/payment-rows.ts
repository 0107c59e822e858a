import type { TestApi } from './api.ts'

let made = 0
type Place = { organiseId: string; agentId: string; siteId: string; memberId: string }

/** A merchant with a key, a recharge that somebody was asked to pay, a test, and a tier. */
export async function plantPayment(api: TestApi, { organiseId, agentId, siteId, memberId }: Place) {
  const one = async (text: string, values: unknown[]) =>
    (await api.sql<{ id: string }>(`${text} returning id`, values))[0]?.id ?? ''
  const merchant = await one(
    `insert into pay_merchant (organise_id, provider, mode, name, app_id, merchant_no, fee_e5, tested_at, authorised_by, authorised_at, created_by)
     values ($1, 1, 1, '商户', $2, $2, 600, now(), '测试', now(), '测试')`,
    [organiseId, `16${organiseId}${++made}`],
  )
  const merchantKey = await one(
    `insert into pay_key (organise_id, merchant_id, serial, secret_sealed, provider_key_id, provider_key, created_by)
     values ($1, $2, 'S1', $3, 'PUB_KEY_ID_1', repeat('k', 200), '测试')`,
    [organiseId, merchant, api.deps.vault.seal('{}')],
  )
  const recharge = await one(
    `insert into recharge_order (organise_id, agent_id, site_id, target, member_id, provider, amount_fen) values ($1, $2, $3, 1, $4, 1, 100)`,
    [organiseId, agentId, siteId, memberId],
  )
  const pay = (purpose: number, ref: string | null) =>
    one(
      `insert into pay_order (organise_id, agent_id, site_id, merchant_id, provider, way, purpose, ref_id, member_id, amount_fen, profit_sharing, expires_at)
       values ($1, $2, $3, $4, 1, 1, $5, $6, $7, 100, false, now() + interval '15 minutes')`,
      [organiseId, agentId, siteId, merchant, purpose, ref, memberId],
    )
  const payment = await pay(2, recharge)
  await api.sql('update recharge_order set pay_order_id = $2 where id = $1', [recharge, payment])
  const tier = await one('insert into recharge_tier (organise_id, pay_fen, gift_fen) values ($1, $2, 500)', [
    organiseId,
    5000 + made,
  ])
  return { merchant, merchantKey, recharge, payment, payTest: await pay(9, null), tier }
}
