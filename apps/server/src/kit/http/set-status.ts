import type { DB } from '../db/db.gen.ts'
import type { Db } from '../db/db.ts'
import { switchColumn } from '../db/rows.ts'
import { conflict } from './refusal.ts'

type WithStatus = { [T in keyof DB]: DB[T] extends { id: unknown; status: unknown } ? T : never }[keyof DB]

/** Changes the status of a row. Refuses when the row already has it, for example after a concurrent change. */
export async function setStatus(
  db: Db,
  table: WithStatus,
  { id, status }: { id: string; status: number },
  noun: string,
): Promise<void> {
  if (!(await switchColumn(db, table, id, 'status', status as never))) throw conflict(`${noun}状态已变更，请刷新后重试`)
}
