import { type MenuBadge, menuBadges } from '@wattdeck/contract/dashboard/menu-badges.ts'
import { sha256 } from '../../../kit/auth/tokens.ts'
import { ShortLivedCache } from '../../../kit/http/brief-answers.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { tasksOf } from '../_shared/to-do.rules.ts'
import { countWaiting } from '../_shared/to-do.store.ts'
import { badgeMenu, badgesOf } from './menu-badges.rules.ts'

// No store: the badges and the to-do card share one store, so that both show the same counts.
type Own = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>

async function countBadges({ db, scope, actor }: Own): Promise<MenuBadge[]> {
  const tasks = tasksOf(actor).flatMap(({ kind, queue }) => {
    const menu = badgeMenu[kind]
    return menu !== undefined && actor.menuKeys.includes(menu) ? [{ menu, queue }] : []
  })
  const counted = tasks.map(async ({ menu, queue }) => ({ menu, ...(await countWaiting(db, scope, queue)) }))
  return badgesOf(await Promise.all(counted))
}

/** Every open tab polls. The rights are part of the cache key, so that a change of rights takes effect at once. */
const keyOf = ({ userId, scope, menuKeys, grants }: Own['actor']) =>
  sha256(JSON.stringify([userId, scope, menuKeys, grants])).toString('base64')
const keepMs = 3000

const menuBadgesHandlers = (): Handlers<typeof menuBadges> => {
  const answers = new ShortLivedCache<MenuBadge[]>(keepMs)
  return { list: (ctx) => answers.get(keyOf(ctx.actor), () => countBadges(ctx)) }
}

export const menuBadgesFeature = defineFeature(menuBadges, menuBadgesHandlers)
