import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { payIdOf, refundIdOf } from '../../../core/payments/pay-numbers.ts'
import type { BillLine } from '../../../core/payments/provider.ts'

const atOnce = 2000
const paymentKind = 1
const refundKind = 2

type Params = { organiseId: string; merchantId: string; day: string; lines: readonly BillLine[] }

/** Stores each version of a bill, unless it equals the previous one of the day. */
export async function saveBill(db: Db, { organiseId, merchantId, day, lines }: Params): Promise<void> {
  const digest = digestOf(lines)
  const { rows: last } = await sql<{ same: boolean }>`
    select digest = ${digest} as same from channel_bill where merchant_id = ${merchantId} and day = ${day}::date order by id desc limit 1`.execute(
    db,
  )
  if (last[0]?.same === true) return
  const { rows } = await sql<{ id: string }>`
    insert into channel_bill (organise_id, merchant_id, day, digest, lines) values (${organiseId}, ${merchantId}, ${day}::date, ${digest}, ${lines.length})
    returning id`.execute(db)
  const billId = rows[0]?.id ?? ''
  for (let at = 0; at < lines.length; at += atOnce) {
    const some = lines.slice(at, at + atOnce).map((line, place) => rowOf(line, at + place + 1))
    await sql`
      insert into channel_bill_line (bill_id, line, organise_id, kind, pay_no, refund_no, pay_id, refund_id, transaction_id, fen, fee_fen, at)
      select ${billId}, line, ${organiseId}, kind, pay_no, refund_no, pay_id, refund_id, transaction_id, fen, fee_fen, at
      from jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as one (line int, kind smallint, pay_no text, refund_no text, pay_id bigint, refund_id bigint,
        transaction_id text, fen bigint, fee_fen bigint, at timestamptz)`.execute(db)
  }
}

function digestOf(lines: readonly BillLine[]): Buffer {
  const hash = createHash('sha256')
  for (const [place, line] of lines.entries()) hash.update(`${JSON.stringify(rowOf(line, place + 1))}\n`)
  return hash.digest()
}

const rowOf = (line: BillLine, place: number) => ({
  line: place,
  kind: line.kind === 'payment' ? paymentKind : refundKind,
  pay_no: line.payNo.slice(0, 64),
  refund_no: line.refundNo?.slice(0, 64) ?? null,
  pay_id: payIdOf(line.payNo) ?? null,
  refund_id: line.refundNo === undefined ? null : (refundIdOf(line.refundNo) ?? null),
  transaction_id: line.transactionId.slice(0, 64),
  fen: line.fen.toString(),
  fee_fen: line.feeFen.toString(),
  at: line.at.toISOString(),
})
