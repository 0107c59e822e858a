import type { Crud } from '@wattdeck/contract/kit/crud.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { type Selectable, sql } from 'kysely'
import { placeOf } from '../auth/actor.ts'
import type { DB } from '../db/db.gen.ts'
import { columnOf, listQuery, type Source } from '../db/list-query.ts'
import { publishToOrganisation } from '../events/outbox.ts'
import type { Ctx, Handlers } from './handlers.ts'
import { conflict, notFound } from './refusal.ts'

/** Runs after the row is locked and before it changes; throws a refusal. */
type Guard<T extends keyof DB> = (ctx: Ctx<AnyRoute>, row: Selectable<DB[T]>) => Promise<void>

type Options<T extends keyof DB> = Source<T> & {
  /** The list's name in live events. */
  live: string
  guards?: { edit?: Guard<T>; remove?: Guard<T> }
}

type Values = Readonly<Record<string, unknown>>

/** Handlers for the routes of `defineCrud`. A feature replaces one by a handler of its own, or guards it. */
export function crudHandlers<C extends Crud, T extends keyof DB>(crud: C, options: Options<T>): Handlers<C['routes']> {
  const { table, live, guards = {} } = options
  const source = sql.table(table)

  async function lockRow({ db }: Pick<Ctx<AnyRoute>, 'db'>, id: string): Promise<Selectable<DB[T]>> {
    const { rows } = await sql<Selectable<DB[T]>>`select * from ${source} where id = ${id} for update`.execute(db)
    if (rows[0] === undefined) throw notFound()
    return rows[0]
  }
  const publishChange = ({ db, actor }: Ctx<AnyRoute>) =>
    publishToOrganisation(db, placeOf(actor), { kind: 'changed', list: live })
  const columnsOf = (body: Values, names: readonly string[]) =>
    names.map((name) => ({
      column: sql.ref(columnOf(name, crud.fields[name]?.kind)),
      value: sql`${body[name] ?? null}`,
    }))

  const all = {
    list: ({ db, scope, query }: Ctx<AnyRoute>) => listQuery(db, scope, crud, options, query as never),

    add: async (ctx: Ctx<AnyRoute>) => {
      const set = [
        ...columnsOf(ctx.body as Values, [...crud.addForm, ...crud.form]),
        { column: sql.ref('created_by'), value: sql`${ctx.actor.userName}` },
      ]
      const { rows } = await sql<{ id: string }>`
        insert into ${source} (${sql.join(set.map(({ column }) => column))})
        values (${sql.join(set.map(({ value }) => value))})
        returning id`.execute(ctx.db)
      const [row] = rows
      if (row === undefined) throw new Error(`no row was inserted into ${table}`)
      await publishChange(ctx)
      return row
    },

    edit: async (ctx: Ctx<AnyRoute>) => {
      const { id } = ctx.body as { id: string }
      const before = await lockRow(ctx, id)
      await guards.edit?.(ctx, before)
      const set = columnsOf(ctx.body as Values, crud.form).map(({ column, value }) => sql`${column} = ${value}`)
      await sql`update ${source} set ${sql.join(set)} where id = ${id}`.execute(ctx.db)
      await publishChange(ctx)
      return null
    },

    toggle: async (ctx: Ctx<AnyRoute>) => {
      const { id, status } = ctx.body as { id: string; status: number }
      await lockRow(ctx, id)
      const { numAffectedRows } =
        await sql`update ${source} set status = ${status} where id = ${id} and status <> ${status}`.execute(ctx.db)
      if (numAffectedRows !== 1n) throw conflict(`${crud.noun}状态已变更，请刷新后重试`)
      await publishChange(ctx)
      return null
    },

    remove: async (ctx: Ctx<AnyRoute>) => {
      const { id } = ctx.body as { id: string }
      const before = await lockRow(ctx, id)
      await guards.remove?.(ctx, before)
      await sql`delete from ${source} where id = ${id}`.execute(ctx.db)
      await publishChange(ctx)
      return null
    },
  }
  return all as unknown as Handlers<C['routes']>
}
