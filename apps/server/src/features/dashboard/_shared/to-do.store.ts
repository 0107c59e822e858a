import { type ToDo, toDoMost } from '@wattdeck/contract/dashboard/work-table.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'

type Condition = RawBuilder<unknown>

/** A row that waits, as far as its line needs it. */
export type Waiting = {
  id: string
  at: string | null
  fen: string | null
  code: number | null
  words: string | null
  more: string | null
}

/** Where things wait, and what of them is shown. Conditions are written out where an index of its own serves them. */
export type Queue = {
  table: string
  where: Condition
  /** Shown first, before those that have waited longest. */
  first?: Condition
  at: Condition
  fen?: Condition
  code?: Condition
  words?: Condition
  more?: Condition
  /** A table that does not know agents and sites. */
  wholeOrganise?: true
}

const few = 3

/** Row security decides what is seen; these tell the planner where to look. */
const placed = ({ wholeOrganise }: Queue, scope: Scope): Condition[] => [
  ...(scope.level > 0 ? [sql`organise_id = ${scope.organiseId}`] : []),
  ...(scope.level === 2 && wholeOrganise === undefined ? [sql`agent_id = any(${scope.agentIds}::bigint[])`] : []),
  ...(scope.level === 3 && wholeOrganise === undefined ? [sql`site_id = any(${scope.siteIds}::bigint[])`] : []),
]

const rowsOf = (queue: Queue, scope: Scope) =>
  sql`from ${sql.table(queue.table)} where ${sql.join([...placed(queue, scope), queue.where], sql` and `)}`

/** How many wait, counted no further than anybody wants to know. */
export async function countWaiting(db: Db, scope: Scope, queue: Queue): Promise<Pick<ToDo, 'count' | 'more'>> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 ${rowsOf(queue, scope)} limit ${toDoMost + 1}) found`.execute(db)
  const count = rows[0]?.count ?? 0
  return { count: Math.min(count, toDoMost), more: count > toDoMost }
}

/** The same with the first of them. */
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
