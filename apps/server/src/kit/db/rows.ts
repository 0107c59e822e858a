import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { DB } from './db.gen.ts'
import type { Db } from './db.ts'

/** Tables with an id column. Kysely's builders need one table for their types, so each cast below names one of them. */
type Table = { [T in keyof DB]: DB[T] extends { id: unknown } ? T : never }[keyof DB]
type Column<T extends keyof DB> = keyof Selectable<DB[T]> & string
type Equals<T extends keyof DB> = Partial<Selectable<DB[T]>>

/** Selects columns of a row and locks it for the following change. */
export const lockRow = <T extends Table, C extends Column<T>>(db: Db, table: T, id: string, columns: readonly C[]) =>
  db
    .selectFrom(table as 'role')
    .select(columns as readonly Column<'role'>[])
    .where('id', '=', id)
    .forUpdate()
    .$castTo<Pick<Selectable<DB[T]>, C>>()
    .executeTakeFirst()

/** Inserts a row and returns its id. Returns undefined when another row has the same values in these columns. */
export async function insertUnlessDuplicate<T extends Table>(
  db: Db,
  table: T,
  values: Insertable<DB[T]>,
  unique: readonly Column<T>[],
): Promise<string | undefined> {
  const row = await db
    .insertInto(table as 'role')
    .values(values as Insertable<DB['role']>)
    .onConflict((clash) => clash.columns(unique as readonly Column<'role'>[]).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Returns whether the row exists and was updated. */
export async function updateRow<T extends Table>(
  db: Db,
  table: T,
  id: string,
  values: Updateable<DB[T]>,
): Promise<boolean> {
  const changed = await db
    .updateTable(table as 'role')
    .set(values as Updateable<DB['role']>)
    .where('id', '=', id)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

/** Updates one column. Returns false when it already has the value. */
export async function switchColumn<T extends Table, C extends Column<T>>(
  db: Db,
  table: T,
  id: string,
  column: C,
  value: Selectable<DB[T]>[C],
): Promise<boolean> {
  const named = sql.ref(column)
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${named} = ${value} where id = ${id} and ${named} <> ${value}`.execute(db)
  return numAffectedRows === 1n
}

export async function removeRow(db: Db, table: Table, id: string): Promise<boolean> {
  const removed = await db
    .deleteFrom(table as 'role')
    .where('id', '=', id)
    .executeTakeFirst()
  return removed.numDeletedRows === 1n
}

const conditionsOf = (equals: object) =>
  sql<boolean>`${sql.join(
    Object.entries(equals).map(([column, value]) =>
      value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
    ),
    sql` and `,
  )}`

/** Whether a row has these values. */
export async function rowExists<T extends keyof DB>(db: Db, table: T, equals: Equals<T>): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(table)} where ${conditionsOf(equals)} limit 1`.execute(db)
  return rows.length > 0
}

/** Whether another row than this one has these values. */
export async function otherRowExists<T extends Table>(
  db: Db,
  table: T,
  equals: Equals<T>,
  but: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(table)} where ${conditionsOf(equals)} and id <> ${but} limit 1`.execute(db)
  return rows.length > 0
}

/** How many rows have these values. */
export async function countRows<T extends keyof DB>(db: Db, table: T, equals: Equals<T>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${conditionsOf(equals)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns the ids with one of them moved by one position, or undefined when it is at that end already. */
export function movedByOne(ids: readonly string[], { id, direction }: { id: string; direction: 'up' | 'down' }) {
  const from = ids.indexOf(id)
  const to = direction === 'up' ? from - 1 : from + 1
  const other = ids[to]
  return other === undefined ? undefined : ids.with(from, other).with(to, id)
}

/** Writes the order of some rows into their column `sort`. */
export async function orderRows(db: Db, table: Table, ids: readonly string[]): Promise<void> {
  const rows = sql.table(table)
  await sql`update ${rows} set sort = wanted.place from unnest(${ids}::bigint[]) with ordinality as wanted (id, place)
    where ${rows}.id = wanted.id and ${rows}.sort <> wanted.place`.execute(db)
}
