import { repairState } from '@wattdeck/contract/accounting/recon-codes.ts'
import type { ReconBreak, reconciliation, ReconRun } from '@wattdeck/contract/accounting/reconciliation.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { byId, pageOf, type Paging, planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { breakNo } from './recon-labels.ts'

type Filter = QueryOf<typeof reconciliation.list> & Paging
type RunFilter = QueryOf<typeof reconciliation.runs> & Paging
type Table = 'recon_break' | 'recon_run'

const same = (table: Table, column: string, value: string | number | undefined): RawBuilder<boolean>[] =>
  value === undefined ? [] : [sql<boolean>`${sql.ref(`${table}.${column}`)} = ${value}`]

const days = (table: Table, { from, to }: { from?: string | undefined; to?: string | undefined }) => [
  ...(from === undefined ? [] : [sql<boolean>`${sql.ref(`${table}.day`)} >= ${from}::date`]),
  ...(to === undefined ? [] : [sql<boolean>`${sql.ref(`${table}.day`)} <= ${to}::date`]),
]

/** Matches the number of a difference, or the number of its subject. */
function named(subject: string | undefined): RawBuilder<boolean>[] {
  if (subject === undefined) return []
  const no = /^dz0*([1-9]\d{0,17})$/i.exec(subject)?.[1]
  return [no === undefined ? sql<boolean>`recon_break.subject = ${subject}` : sql<boolean>`recon_break.id = ${no}`]
}

const nameOfOrganise = (table: Table) =>
  sql<string>`(select name from organise where organise.id = ${sql.ref(`${table}.organise_id`)})`.as('organiseName')
const nameOfMerchant = (table: Table) =>
  sql<string | null>`(select name from pay_merchant where pay_merchant.id = ${sql.ref(`${table}.merchant_id`)})`.as(
    'merchantName',
  )

export const breakFields = [
  'recon_break.id',
  sql<string>`recon_break.day::text`.as('day'),
  nameOfOrganise('recon_break'),
  nameOfMerchant('recon_break'),
  'recon_break.pair',
  'recon_break.kind',
  'recon_break.subject',
  'recon_break.ours_fen as oursFen',
  'recon_break.theirs_fen as theirsFen',
  'recon_break.words',
  'recon_break.owner_id as ownerId',
  sql<string | null>`(select name from user_account where user_account.id = recon_break.owner_id)`.as('ownerName'),
  'recon_break.status',
  sql<boolean>`exists (select from recon_repair where recon_repair.break_id = recon_break.id and recon_repair.status = ${sql.raw(String(repairState.code.waiting))})`.as(
    'repairWaits',
  ),
  'recon_break.found_at as foundAt',
  'recon_break.closed_at as closedAt',
  'recon_break.closed_by as closedBy',
  'recon_break.why',
] as const

const yuan = (fen: string | null) => (fen === null ? null : yuanText(BigInt(fen)))

type RawBreak = { id: string; oursFen: string | null; theirsFen: string | null }
export const toBreakRow = <R extends RawBreak>({ oursFen, theirsFen, ...row }: R) => ({
  ...row,
  breakNo: breakNo(row.id),
  ours: yuan(oursFen),
  theirs: yuan(theirsFen),
})

export async function listBreaks(db: Db, scope: Scope, filter: Filter) {
  const conditions = [
    sql<boolean>`true`,
    ...(scope.level > 0 ? same('recon_break', 'organise_id', scope.organiseId) : []),
    ...same('recon_break', 'organise_id', filter.organiseId),
    ...same('recon_break', 'merchant_id', filter.merchantId),
    ...same('recon_break', 'kind', filter.kind),
    ...same('recon_break', 'pair', filter.pair),
    ...same('recon_break', 'status', filter.status),
    ...same('recon_break', 'owner_id', filter.ownerId),
    ...days('recon_break', filter),
    ...named(filter.subject),
  ]
  const matching = db.selectFrom('recon_break').where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
  const [, found] = await Promise.all([
    planByValues(db),
    pageOf(db, matching, filter, { key: byId('recon_break.id'), columns: (query) => query.select(breakFields) }),
  ])
  return { ...found, rows: found.rows.map((row) => toBreakRow(row) as unknown as ReconBreak) }
}

export async function listRuns(db: Db, scope: Scope, filter: RunFilter) {
  const conditions = [
    sql<boolean>`true`,
    ...(scope.level > 0 ? same('recon_run', 'organise_id', scope.organiseId) : []),
    ...same('recon_run', 'organise_id', filter.organiseId),
    ...same('recon_run', 'status', filter.status),
    ...days('recon_run', filter),
  ]
  const matching = db.selectFrom('recon_run').where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
  const [, found] = await Promise.all([
    planByValues(db),
    pageOf(db, matching, filter, {
      columns: (query) =>
        query
          .select([
            'recon_run.id',
            sql<string>`recon_run.day::text`.as('day'),
            nameOfOrganise('recon_run'),
            nameOfMerchant('recon_run'),
            sql<number | null>`(select provider from pay_merchant where pay_merchant.id = recon_run.merchant_id)`.as(
              'provider',
            ),
            'recon_run.status',
            'recon_run.problem',
            'recon_run.own_count as ownCount',
            'recon_run.own_fen as ownFen',
            'recon_run.other_count as otherCount',
            'recon_run.other_fen as otherFen',
            'recon_run.breaks',
            sql<number>`(select count(*)::int from recon_break where recon_break.organise_id = recon_run.organise_id and recon_break.day = recon_run.day
              and recon_break.merchant_id is not distinct from recon_run.merchant_id and recon_break.status = 1)`.as(
              'openBreaks',
            ),
            'recon_run.finished_at as finishedAt',
            'recon_run.took_ms as tookMs',
          ])
          .orderBy('recon_run.day', 'desc')
          .orderBy('recon_run.id', 'desc'),
    }),
  ])
  return { ...found, rows: found.rows.map((row) => shownRun(row) as unknown as ReconRun) }
}

type RawRun = { ownCount: string; ownFen: string; otherCount: string; otherFen: string }
const shownRun = <R extends RawRun>({ ownFen, otherFen, ...row }: R) => ({
  ...row,
  ownCount: Number(row.ownCount),
  otherCount: Number(row.otherCount),
  ownAmount: yuan(ownFen),
  otherAmount: yuan(otherFen),
})

/** Whether the organisation exists in scope. */
export async function seesOrganise(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from organise where id = ${id}`.execute(db)
  return rows.length > 0
}

/** False for a future day. */
export async function hasBegun(db: Db, day: string): Promise<boolean> {
  const { rows } = await sql<{ over: boolean }>`select ${day}::date <= current_date as over`.execute(db)
  return rows[0]?.over === true
}
