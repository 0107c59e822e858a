import type { Crud } from '@wattdeck/contract/kit/crud.ts'
import type { AnyRoute, Routes } from '@wattdeck/contract/kit/route.ts'
import { type Selectable, sql } from 'kysely'
import { placeOf } from '../auth/actor.ts'
import type { DB } from '../db/db.gen.ts'
import { exportHandler, exportOf } from '../bulk/list-export.ts'
import { columnOf, listQuery, type Source } from '../db/list-query.ts'
import { publishToOrganisation } from '../events/outbox.ts'
import { defineFeature, type Feature } from './feature.ts'
import type { Ctx, Handlers } from './handlers.ts'
import { setStatus } from './set-status.ts'
import { conflict, notFound } from './refusal.ts'

/** Runs after the row is locked and before it changes. Throws a refusal to stop the change. */
type Guard<T extends keyof DB> = (ctx: Ctx<AnyRoute>, row: Selectable<DB[T]>) => Promise<void>

type Options<T extends keyof DB> = Source<T> & {
  guards?: { edit?: Guard<T>; remove?: Guard<T> }
}

type Values = Readonly<Record<string, unknown>>

/** Handlers for the routes of `defineCrud`. A feature may replace or guard each of them. */
export function crudHandlers<C extends Crud, T extends keyof DB>(crud: C, options: Options<T>): Handlers<C['routes']> {
  const { table, guards = {} } = options
  const source = sql.table(table)

  async function lockRow({ db }: Pick<Ctx<AnyRoute>, 'db'>, id: string): Promise<Selectable<DB[T]>> {
    const { rows } = await sql<Selectable<DB[T]>>`select * from ${source} where id = ${id} for update`.execute(db)
    if (rows[0] === undefined) throw notFound()
    return rows[0]
  }
  const publishChange = ({ db, actor }: Ctx<AnyRoute>) =>
    publishToOrganisation(db, placeOf(actor), { kind: 'changed', list: crud.name })
  const columnsOf = (body: Values, names: readonly string[]) =>
    names.map((name) => ({
      column: sql.ref(columnOf(name, crud.fields[name]?.kind)),
      value: sql`${body[name] ?? null}`,
    }))

  /** Texts for duplicate values, by PostgreSQL's default name of the unique constraint. */
  const takenTexts = new Map(
    Object.entries(crud.fields)
      .filter(([, { unique }]) => unique === true)
      .map(([name, { kind, title }]) => [`${table}_${columnOf(name, kind)}_key`, `${title}已存在`]),
  )
  async function refuseDuplicate<R>(change: Promise<R>): Promise<R> {
    try {
      return await change
    } catch (error) {
      const text = takenTexts.get((error as { constraint?: string }).constraint ?? '')
      throw text === undefined ? error : conflict(text)
    }
  }

  const all = {
    list: ({ db, scope, query }: Ctx<AnyRoute>) => listQuery(db, scope, crud, options, query as never),

    add: async (ctx: Ctx<AnyRoute>) => {
      const set = [
        ...columnsOf(ctx.body as Values, [...crud.addForm, ...crud.form]),
        { column: sql.ref('created_by'), value: sql`${ctx.actor.userName}` },
      ]
      const insert = sql<{ id: string }>`
        insert into ${source} (${sql.join(set.map(({ column }) => column))})
        values (${sql.join(set.map(({ value }) => value))})
        returning id`
      const { rows } = await refuseDuplicate(insert.execute(ctx.db))
      const [row] = rows
      if (row === undefined) throw new Error(`no row was inserted into ${table}`)
      await publishChange(ctx)
      return row
    },

    edit: async (ctx: Ctx<AnyRoute>) => {
      const { id } = ctx.body as { id: string }
      const before = await lockRow(ctx, id)
      await guards.edit?.(ctx, before)
      const body = ctx.body as Values
      // A form shows a masked phone, so an unchanged phone is not sent.
      const names = crud.form.filter((name) => crud.fields[name]?.kind !== 'phone' || body[name] !== undefined)
      const set = columnsOf(body, names).map(({ column, value }) => sql`${column} = ${value}`)
      await refuseDuplicate(sql`update ${source} set ${sql.join(set)} where id = ${id}`.execute(ctx.db))
      await publishChange(ctx)
      return null
    },

    toggle: async (ctx: Ctx<AnyRoute>) => {
      const { id, status } = ctx.body as { id: string; status: number }
      await lockRow(ctx, id)
      await setStatus(ctx.db, table as 'role', { id, status }, crud.noun)
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

/** The feature of a screen that has only the routes of `defineCrud`. */
export function crudFeature<T extends keyof DB>(crud: Crud, options: Options<T>): Feature {
  const routes: Routes = crud.routes
  const handlers: object = crudHandlers(crud, options)
  if (routes['exportList'] === undefined) return defineFeature(routes, handlers as Handlers<Routes>)
  const file = exportOf(crud.name, crud, options)
  return defineFeature(routes, { ...handlers, exportList: exportHandler(file) } as Handlers<Routes>, {
    exports: [file],
  })
}
