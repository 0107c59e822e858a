import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import type { PersonalKind, session } from '@wattdeck/contract/auth/session.ts'
import { placeOf } from '../../kit/auth/actor.ts'
import type { Ctx } from '../../kit/http/handlers.ts'
import { forbidden, invalid, Refusal, orNotFound } from '../../kit/http/refusal.ts'
import * as store from './reveal.store.ts'

type Own = Pick<Ctx<never>, 'db' | 'scope' | 'actor' | 'setAuditDetail'>
type RevealBody = BodyOf<typeof session.verifyPermissions>
type Params = { [K in keyof RevealBody]-?: NonNullable<RevealBody[K]> }

/** A caller may reveal a value that is masked in one of their menus if they hold the unmask right. */
export function assertMayReveal({ actor }: Pick<Own, 'actor'>, kind: PersonalKind, field: string) {
  const { menus, fields, what } = store.sources[kind]
  const definition = fields[field]
  if (definition === undefined) throw invalid('字段不存在')
  if (!actor.unmask || !menus.some((menu) => actor.menuKeys.includes(menu))) throw forbidden()
  return { what, title: definition.title }
}

/** Records the reveal and its reason. The value is then readable for 30 seconds. */
export async function reveal(ctx: Own, { kind, rowId, field, reason }: Params): Promise<true> {
  const { db } = ctx
  const { what, title } = assertMayReveal(ctx, kind, field)
  ctx.setAuditDetail(`${what}${rowId} ${title}，原因：${reason}`)
  orNotFound(await store.readValue(db, kind, field, rowId))
  await countReveal(ctx, { kind, rowId, field, reason })
  return true
}

/** Counts one reveal towards the daily limit of 50. Every route that shows a clear value calls it. */
export async function countReveal(
  { db, actor }: Pick<Own, 'db' | 'scope' | 'actor'>,
  shown: { kind: PersonalKind; rowId: string; field: string; reason: string },
): Promise<void> {
  if ((await store.countToday(db, actor.userId)) >= store.revealsADay)
    throw new Refusal(429, `今日查看明文次数已达上限（${store.revealsADay}次）`)
  await store.addReveal(db, { place: placeOf(actor), userId: actor.userId, ...shown })
}
