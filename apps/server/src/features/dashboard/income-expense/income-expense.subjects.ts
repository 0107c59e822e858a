import type { ObjectKind } from '@wattdeck/contract/kit/object-kinds.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { type Subject, subjectOf } from './income-expense.rules.ts'

type Entry = { postingId: string; later: string | null; kind: number; ref: string; accountKind: number }
type Facts = { remark: string | null; object: { kind: ObjectKind; id: string } | undefined }
type Lookup = 'payRefund' | 'offlineRecharge' | 'rechargeRefund'

/** The remark and the object of each entry of a page. */
export async function factsOf(db: Db, entries: readonly Entry[]): Promise<Facts[]> {
  const subjects = entries.map(subjectOf)
  const [remarks, payments, desks, refunds] = await Promise.all([
    remarksOf(db, entries),
    lookup(db, 'payRefund', subjects),
    lookup(db, 'offlineRecharge', subjects),
    lookup(db, 'rechargeRefund', subjects),
  ])
  const found = { payRefund: payments, offlineRecharge: desks, rechargeRefund: refunds }
  return entries.map(({ postingId }, at) => ({
    remark: remarks.get(postingId) ?? null,
    object: objectOf(subjects[at], found),
  }))
}

function objectOf(subject: Subject, found: Record<Lookup, Map<string, string>>): Facts['object'] {
  if (subject === undefined) return undefined
  const { kind, id } = subject
  if (kind !== 'payRefund' && kind !== 'offlineRecharge' && kind !== 'rechargeRefund') return { kind, id }
  const target = found[kind].get(id)
  return target === undefined ? undefined : { kind: kind === 'payRefund' ? 'payment' : 'recharge', id: target }
}

/** Postings are found by their transaction, because their ids have no index. */
async function remarksOf(db: Db, entries: readonly Entry[]): Promise<Map<string, string>> {
  const transactions = [...new Set(entries.flatMap(({ later }) => later ?? []))]
  if (transactions.length === 0) return new Map()
  const { rows } = await sql<{ id: string; memo: string }>`
    select id, memo from posting where xid = any(${transactions}::xid8[]) and memo is not null`.execute(db)
  return new Map(rows.map(({ id, memo }) => [id, memo]))
}

const sources = {
  payRefund: (ids: readonly string[]) =>
    sql<{
      id: string
      target: string
    }>`select id, pay_order_id as target from pay_refund where id = any(${ids}::bigint[])`,
  offlineRecharge: (ids: readonly string[]) =>
    sql<{
      id: string
      target: string
    }>`select id, recharge_id as target from offline_recharge where id = any(${ids}::bigint[])`,
  rechargeRefund: (ids: readonly string[]) =>
    sql<{
      id: string
      target: string
    }>`select id, recharge_id as target from recharge_refund where id = any(${ids}::bigint[])`,
}

async function lookup(db: Db, kind: Lookup, subjects: readonly Subject[]): Promise<Map<string, string>> {
  const ids = subjects.flatMap((subject) => (subject?.kind === kind ? [subject.id] : []))
  if (ids.length === 0) return new Map()
  const { rows } = await sources[kind](ids).execute(db)
  return new Map(rows.map(({ id, target }) => [id, target]))
}
