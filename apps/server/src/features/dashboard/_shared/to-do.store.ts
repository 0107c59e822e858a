import { type ToDo, toDoMost } from '@wattdeck/contract/dashboard/work-table.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'

type Condition = RawBuilder<unknown>

/** A waiting row with the fields of its line. */
export type Waiting = {
  id: string
  at: string | null
  fen: string | null
  code: number | null
  words: string | null
  more: string | null
}

/** The source of a queue and its columns. Conditions are literal where a partial index serves them. */
export type Queue = {
  table: string
  where: Condition
  /** Sorts before the order of arrival. */
  first?: Condition
  at: Condition
  fen?: Condition
  code?: Condition
  words?: Condition
  more?: Condition
  /** The table has no agent and site columns. */
  wholeOrganise?: true
}

const few = 3

/** Row-level security decides visibility; these conditions let the planner use an index. */
const placed = ({ wholeOrganise }: Queue, scope: Scope): Condition[] => [
  ...(scope.level > 0 ? [sql`organise_id = ${scope.organiseId}`] : []),
  ...(scope.level === 2 && wholeOrganise === undefined ? [sql`agent_id = any(${scope.agentIds}::bigint[])`] : []),
  ...(scope.level === 3 && wholeOrganise === undefined ? [sql`site_id = any(${scope.siteIds}::bigint[])`] : []),
]

const rowsOf = (queue: Queue, scope: Scope) =>
  sql`from ${sql.table(queue.table)} where ${sql.join([...placed(queue, scope), queue.where], sql` and `)}`

/** Counts the waiting rows up to the display limit. */
export async function countWaiting(db: Db, scope: Scope, queue: Queue): Promise<Pick<ToDo, 'count' | 'more'>> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 ${rowsOf(queue, scope)} limit ${toDoMost + 1}) found`.execute(db)
  const count = rows[0]?.count ?? 0
  return { count: Math.min(count, toDoMost), more: count > toDoMost }
}

/** The count and the first rows. */
export async function waitingIn(
  db: Db,
  scope: Scope,
  queue: Queue,
): Promise<Pick<ToDo, 'count' | 'more'> & { rows: Waiting[] }> {
  const { first, at, fen, code, words, more } = queue
  const nothing = sql`null`
  const [counted, { rows }] = await Promise.all([
    countWaiting(db, scope, queue),
    sql<Waiting>`
      select id::text as id, ${at} as at, (${fen ?? nothing})::text as fen, (${code ?? nothing})::int as code,
        (${words ?? nothing})::text as words, (${more ?? nothing})::text as more
      ${rowsOf(queue, scope)} order by ${first === undefined ? sql`` : sql`${first}, `}id limit ${few}`.execute(db),
  ])
  return { ...counted, rows }
}
