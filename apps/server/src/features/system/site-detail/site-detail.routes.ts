import { type SiteDetail, siteDetail, sitePartMenus } from '@wattdeck/contract/system/site-detail.ts'
import { readPeriodFigure } from '../../../core/statistics/period-figures.store.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { forbidden, orNotFound } from '../../../kit/http/refusal.ts'
import * as store from './site-detail.store.ts'

type Reader = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
type Part = keyof typeof sitePartMenus

/** Whether the reader can open the rows of a part on a page of their own. */
const maySee = ({ actor }: Reader, part: Part): boolean =>
  sitePartMenus[part].some((key) => actor.menuKeys.includes(key))

async function readToday({ db, scope }: Reader, siteId: string): Promise<SiteDetail['today']> {
  const read = (name: 'revenue' | 'orders' | 'energy') => readPeriodFigure(db, scope, name, { siteId })
  const [revenue, orders, energy] = await Promise.all([read('revenue'), read('orders'), read('energy')])
  return { revenue, orders, energy }
}

const siteDetailHandlers: Handlers<typeof siteDetail> = {
  read: async (ctx) => {
    const { db, scope } = ctx
    const { id } = ctx.params
    const site = orNotFound(await store.readSite(db, scope, id))
    const [devices, charging, alarms, tickets, today] = await Promise.all([
      maySee(ctx, 'devices') ? store.countDevices(db, id) : null,
      maySee(ctx, 'charging') ? store.sumCharging(db, id) : null,
      maySee(ctx, 'alarms') ? store.countAlarms(db, id) : null,
      maySee(ctx, 'tickets') ? store.countTickets(db, id) : null,
      maySee(ctx, 'today') ? readToday(ctx, id) : null,
    ])
    return { ...site, devices, charging, alarms, tickets, today }
  },

  trend: async (ctx) => {
    if (!maySee(ctx, 'today')) throw forbidden()
    const { db, scope, params } = ctx
    orNotFound(await store.findSite(db, params.id))
    return store.readTrend(db, scope, params.id)
  },
}

export const siteDetailFeature = defineFeature(siteDetail, siteDetailHandlers)
