import { blacklist, blockList, blockScope, blockStatus } from '@wattdeck/contract/member/blacklist.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { masks } from '@wattdeck/domain/masks.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { withWholeOrganiseScope } from '../../../kit/db/whole-organise.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, orNotFound, Refusal } from '../../../kit/http/refusal.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import * as store from './blacklist.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'actor'>
const present = '该用户已在黑名单中'

const blockExport = exportOf('blacklist', blockList, store.blockSource())

/** Exactly one key names the person; the other keys are added where the caller sees them. */
async function personOf({ db, actor }: Some, body: BodyOf<typeof blacklist.add>): Promise<store.KnownPerson> {
  const { organiseId, memberId, phone, cardNo } = body
  if ([memberId, phone, cardNo].filter((key) => key !== undefined).length !== 1)
    throw invalid('请只填写会员ID、手机号、卡号中的一项')
  if (memberId !== undefined) return orNotFound(await store.findMember(db, memberId))
  const place = await chosenPlace(db, actor, { organiseId })
  if (phone !== undefined)
    return (
      (await store.findMemberByPhone(db, place.organise_id, phone)) ?? {
        ...place,
        member_id: null,
        phone,
        card_id: null,
      }
    )
  const card = await store.findCard(db, place.organise_id, cardNo ?? '')
  if (card === undefined) throw invalid('没有找到该卡号的储值卡', 'cardNo')
  return card
}

/** For the audit log, which shows no whole phone. */
const nameOf = (memberId: string | null, phone: string | null): string => {
  if (memberId !== null) return `会员${memberId}`
  return phone === null ? '储值卡' : `手机号${masks.phone(phone)}`
}

/** Open lists reload. The event carries the place of its publisher, as row-level security requires. */
async function publishChange({ db, actor }: Some, organiseId: string): Promise<void> {
  const place = { ...placeOf(actor), organise_id: organiseId }
  await publishToOrganisation(db, place, { kind: 'changed', list: 'blacklist' })
  await publishToOrganisation(db, place, { kind: 'changed', list: 'member' })
}

const blacklistHandlers: Handlers<typeof blacklist> = {
  list: ({ db, scope, query }) => listQuery(db, scope, blockList, store.blockSource(scope), query),

  add: async (ctx) => {
    const { db, scope, actor, body } = ctx
    const person = await personOf(ctx, body)
    const endsOn = body.endsOn ?? null
    ctx.setAuditDetail(`${nameOf(person.member_id, person.phone)}，限制${blockScope.show(body.scope).label}`)
    if (endsOn !== null && (await store.isPast(db, endsOn))) throw invalid('截止日期不能早于今天', 'endsOn')
    await withWholeOrganiseScope(db, scope, person.organise_id, () => store.closeExpired(db, person))
    // Platform staff belong to no agent and no site of the organisation.
    const { agent_id: byAgentId, site_id: bySiteId } = placeOf(actor)
    const id = await store.addBlock(db, {
      ...person,
      scope: body.scope,
      reason: body.reason,
      endsOn,
      created_by_id: actor.userId,
      created_by: actor.userName,
      by_agent_id: byAgentId,
      by_site_id: bySiteId,
    })
    if (id === undefined) throw conflict(present)
    ctx.setMessage('已加入黑名单，正在进行的充电照常结算')
    await publishChange(ctx, person.organise_id)
    return { id }
  },

  lift: async (ctx) => {
    const { db, scope, actor, body } = ctx
    const block = orNotFound(await store.lockBlock(db, scope, body.id))
    ctx.setAuditDetail(nameOf(block.memberId, block.phone))
    if (!block.mayLift) throw new Refusal(403, '该限制由上级添加，不能解除')
    if (block.status !== blockStatus.code.active) throw conflict('该限制已解除或已到期')
    const lift = { byId: actor.userId, by: actor.userName, reason: body.reason }
    if (!(await store.liftBlock(db, body.id, lift))) throw conflict('该限制已解除或已到期')
    ctx.setMessage('已解除限制，立即生效')
    await publishChange(ctx, block.organiseId)
    return null
  },

  exportList: exportHandler(blockExport),
}

export const blacklistFeature = defineFeature(blacklist, blacklistHandlers, { exports: [blockExport] })
