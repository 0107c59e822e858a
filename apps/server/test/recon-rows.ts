import type { TestApi } from './api.ts'

type Wish = { organiseId: string; merchantId: string; paymentId: string; makerId: string; route?: string }

/** A day that was laid side by side, what differed in it, and somebody's wish to explain it. */
export async function plantBreak(api: TestApi, { organiseId, merchantId, paymentId, makerId, route }: Wish) {
  const one = async (text: string, values: unknown[]) =>
    (await api.sql<{ id: string }>(`${text} returning id`, values))[0]?.id ?? ''
  await api.sql(`insert into recon_run (organise_id, merchant_id, day, status) values ($1, $2, '2026-01-02', 4)`, [
    organiseId,
    merchantId,
  ])
  const found = await one(
    `insert into recon_break (organise_id, merchant_id, day, pair, kind, subject, ours_fen, theirs_fen, pay_order_id)
     values ($1, $2, '2026-01-02', 1, 3, 'P' || $3::bigint, 100, 101, $3)`,
    [organiseId, merchantId, paymentId],
  )
  // Who asks finds none that waits.
  const repair =
    route === 'ask'
      ? ''
      : await one(
          `insert into recon_repair (organise_id, break_id, action, reason, created_by_id, created_by) values ($1, $2, 1, '已核实', $3, '申请人')`,
          [organiseId, found, makerId],
        )
  return { reconBreak: found, repair }
}
