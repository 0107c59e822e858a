import { createHash } from 'node:crypto'
import type pg from 'pg'

/** The last days of one demo merchant, reconciled: a bill in the provider's format, with two breaks. */
const days = 3
const [organise, merchant] = [2, 1]

/** Once, because people may have worked on the breaks since. */
export async function addDemoReconciliation(client: pg.Client): Promise<void> {
  const existing = await client.query('select 1 from recon_run where organise_id = $1', [organise])
  if (existing.rowCount !== 0) return
  for (let ago = days; ago >= 1; ago--) {
    const { rows } = await client.query<{ day: string }>(
      `select ((now() at time zone 'Asia/Shanghai')::date - $1::int)::text as day`,
      [ago],
    )
    await addDay(client, rows[0]?.day ?? '', ago === 1)
  }
}

async function addDay(client: pg.Client, day: string, differs: boolean): Promise<void> {
  const digest = createHash('sha256').update(`${merchant} ${day}`).digest()
  const { rows } = await client.query<{ id: string }>(
    'insert into channel_bill (organise_id, merchant_id, day, digest, lines) values ($1, $2, $3, $4, 0) returning id',
    [organise, merchant, day, digest],
  )
  const billId = rows[0]?.id
  await client.query(
    `insert into channel_bill_line (bill_id, line, organise_id, kind, pay_no, pay_id, transaction_id, fen, fee_fen, at)
     select $1, row_number() over (order by paid_at), $2, 1, 'P' || id, id, transaction_id, amount_fen, fee_fen + case when $5 and place = 1 then 1 else 0 end, paid_at
     from (select *, row_number() over (order by amount_fen desc, id) as place from pay_order
       where merchant_id = $3 and status = 2 and (paid_at at time zone 'Asia/Shanghai')::date = $4::date) paid`,
    [billId, organise, merchant, day, differs],
  )
  if (differs) await addDifferences(client, billId ?? '', day)
  await client.query(
    `insert into recon_run (organise_id, merchant_id, day, status, own_count, own_fen, other_count, other_fen, breaks, started_at, finished_at, took_ms, tries)
     select $1, $2::bigint, $3::date, case when $4::boolean then 4 else 3 end, own.count, own.fen, bill.count, bill.fen,
       (select count(*) from recon_break where day = $3::date and merchant_id = $2::bigint), now() - interval '1 second', now(), 840, 1
     from (select count(*), coalesce(sum(amount_fen), 0) as fen from pay_order
         where merchant_id = $2::bigint and status = 2 and (paid_at at time zone 'Asia/Shanghai')::date = $3::date) own,
       (select count(*), coalesce(sum(fen), 0) as fen from channel_bill_line where bill_id = $5) bill`,
    [organise, merchant, day, differs, billId],
  )
}

/** The provider has a fen more fee on the largest payment, and a payment unknown to the platform. */
async function addDifferences(client: pg.Client, billId: string, day: string): Promise<void> {
  await client.query(
    `insert into channel_bill_line (bill_id, line, organise_id, kind, pay_no, transaction_id, fen, fee_fen, at)
     values ($1, 100000, $2, 1, $3, $4, 1990, 12, ($5::date + interval '12 hours') at time zone 'Asia/Shanghai')`,
    [billId, organise, `OLD${billId.slice(-10)}`, `4200${billId}`, day],
  )
  await client.query(
    `insert into recon_break (organise_id, merchant_id, day, pair, kind, subject, ours_fen, theirs_fen, words, pay_order_id)
     select $1, $2, $3::date, 1, 7, 'P' || pay.id, pay.fee_fen, line.fee_fen, '金额为手续费', pay.id
     from channel_bill_line line join pay_order pay on pay.id = line.pay_id where line.bill_id = $4 and line.fee_fen <> pay.fee_fen`,
    [organise, merchant, day, billId],
  )
  await client.query(
    `insert into recon_break (organise_id, merchant_id, day, pair, kind, subject, theirs_fen, words)
     select $1, $2, $3::date, 1, 2, pay_no, fen, '平台没有此支付单' from channel_bill_line where bill_id = $4 and pay_id is null`,
    [organise, merchant, day, billId],
  )
}
