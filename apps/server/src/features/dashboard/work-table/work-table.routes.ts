import {
  deviceMenus,
  figureMenus,
  type FigureName,
  type ToDo,
  trendMenus,
  workTable,
} from '@wattdeck/contract/dashboard/work-table.ts'
import { readPeriodFigure } from '../../../core/statistics/period-figures.store.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { countInstalls, countTickets } from './field-work.store.ts'
import { readIncome } from './income.store.ts'
import { needOneOf } from '../_shared/need-one-of.ts'
import { tasksOf } from '../_shared/to-do.rules.ts'
import { waitingIn } from '../_shared/to-do.store.ts'
import * as store from './work-table.store.ts'

type Own = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>

/**
 * The income of the requested organisation, by default the caller's own. Incomes of several organisations are never
 * added up.
 */
async function ownIncome({ db, scope, actor, query }: Ctx<typeof workTable.figure>) {
  const { organiseId = actor.organiseId, agentId, siteId } = query
  const organise = await store.findOrganise(db, organiseId)
  return readIncome(db, scope, { organiseId, agentId, siteId }, organise?.name ?? '')
}

async function figure(ctx: Ctx<typeof workTable.figure>) {
  const { db, scope, actor, query } = ctx
  const name: FigureName = ctx.params.name
  needOneOf(ctx, figureMenus[name])
  if (name === 'income') return ownIncome(ctx)
  const { span: _, ...owner } = query
  if (name === 'installs') return countInstalls(db, scope, owner)
  if (name === 'tickets') return countTickets(db, scope, owner, actor.userId)
  return name === 'online' || name === 'faults'
    ? store.standing(db, scope, name, owner)
    : readPeriodFigure(db, scope, name, query)
}

async function toDo({ db, scope, actor }: Own): Promise<ToDo[]> {
  const tasks = tasksOf(actor)
  return Promise.all(
    tasks.map(async ({ kind, queue, route, titleOf, routeOf }) => {
      const { rows, ...found } = await waitingIn(db, scope, queue)
      const shown = rows.map((row) => ({ id: row.id, title: titleOf(row), at: row.at, route: routeOf(row) }))
      return { kind, ...found, route, rows: shown }
    }),
  )
}

const workTableHandlers: Handlers<typeof workTable> = {
  read: ({ db, actor }) => store.readOrganise(db, actor.organiseId),
  figure,
  trend: async (ctx) => {
    needOneOf(ctx, trendMenus)
    return store.trend(ctx.db, ctx.scope, ctx.query)
  },
  plugs: async (ctx) => {
    needOneOf(ctx, deviceMenus)
    return store.plugs(ctx.db, ctx.scope, ctx.query)
  },
  types: async (ctx) => {
    needOneOf(ctx, deviceMenus)
    return store.types(ctx.db, ctx.scope, ctx.query)
  },
  toDo,
  logins: ({ db, actor }) => store.recentLogins(db, actor.userId),
}

export const workTableFeature = defineFeature(workTable, workTableHandlers)
