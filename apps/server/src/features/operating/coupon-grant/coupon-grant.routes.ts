import { grantSource as source } from '@wattdeck/contract/operating/coupon-codes.ts'
import { couponGrant, grantList, mostPhones } from '@wattdeck/contract/operating/coupon-grant.ts'
import { masks } from '@wattdeck/domain/masks.ts'
import { assertOpen, grantCoupon, lockCoupon } from '../../../core/charging/coupon-grants.store.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { invalid } from '../../../kit/http/refusal.ts'
import { isOwnPhone } from '../../_shared/own-phone.store.ts'
import * as store from './coupon-grant.store.ts'

/** The phones of a text, one in a line, each once. */
function phonesIn(text: string): string[] {
  const phones = [...new Set(text.split(/[\s,，;；]+/).filter((one) => one !== ''))]
  const wrong = phones.find((phone) => !/^1[3-9]\d{9}$/.test(phone))
  if (wrong !== undefined) throw invalid(`不是手机号：${wrong}`, 'phones')
  if (phones.length > mostPhones) throw invalid(`一次最多 ${mostPhones} 个手机号`, 'phones')
  return phones
}

const grantExport = exportOf('couponGrant', grantList, store.grantSource)

const couponGrantHandlers: Handlers<typeof couponGrant> = {
  list: ({ db, scope, query }) => listQuery(db, scope, grantList, store.grantSource, query),

  give: async (ctx) => {
    refuseImpersonation(ctx)
    const { db, actor, body } = ctx
    const phones = phonesIn(body.phones)
    if (await isOwnPhone(ctx, phones)) throw invalid('不能给自己发放', 'phones')
    const coupon = await lockCoupon(db, body.couponId)
    assertOpen(coupon)
    if (phones.length > coupon.left) throw invalid(`剩余 ${coupon.left} 张，不够发放`, 'phones')
    const members = await store.findMembers(db, coupon.organiseId, phones)
    const refused: { phone: string; why: string }[] = []
    let given = 0
    for (const phone of phones) {
      const memberId = members.get(phone)
      const by = { source: source.code.staff, id: actor.userId, name: actor.userName }
      const grantId = memberId === undefined ? null : await grantCoupon(db, coupon, memberId, by)
      if (grantId === null) refused.push({ phone: masks.phone(phone), why: '没有该手机号的会员，或已停用' })
      else if (grantId === undefined) refused.push({ phone: masks.phone(phone), why: '已达到每人限领' })
      else given++
    }
    ctx.setAuditDetail(`${coupon.name}，${given}张`)
    ctx.setMessage(refused.length === 0 ? `已发放 ${given} 张` : `已发放 ${given} 张，${refused.length} 个未发放`)
    const { organiseId, agentId, siteId } = coupon
    await publishToOrganisation(
      db,
      { organise_id: organiseId, agent_id: agentId, site_id: siteId },
      { kind: 'changed', list: 'coupon' },
    )
    return { given, refused }
  },

  takeBack: async ({ db, actor, body, setAuditDetail, setMessage }) => {
    const changed = await store.takeBack(db, body.ids, actor.userName, body.reason)
    setAuditDetail(`${changed}张 ${body.reason}`)
    setMessage(`已作废 ${changed} 张，已使用和使用中的不受影响`)
    return { changed }
  },

  exportList: exportHandler(grantExport),
}

export const couponGrantFeature = defineFeature(couponGrant, couponGrantHandlers, { exports: [grantExport] })
