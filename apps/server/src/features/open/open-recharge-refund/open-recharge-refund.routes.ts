import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { openRechargeRefund, type OpenRechargeRefund } from '@wattdeck/contract/open/open-recharge-refund.ts'
import { popupType } from '@wattdeck/contract/auth/notification.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { notifyHolders } from '../../../kit/events/notify-holders.ts'
import { conflict, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import * as refunds from '../../../core/refunds/recharge-refund.store.ts'
import * as money from '../../../core/refunds/recharge-refund.ts'
import { readFate } from './open-recharge-refund.store.ts'

const openRechargeRefundHandlers: Handlers<typeof openRechargeRefund> = {
  add: async ({ db, scope, body }) => {
    const recharge = await refunds.readRecharge(db, body.rechargeNo, 'lock')
    // The recharge record determines the member; the caller cannot choose another.
    if (recharge?.memberId !== body.memberId) throw notFound()
    const by = { id: null, name: '会员' }
    const refundNo = await money.requestRechargeRefund(db, recharge, {
      amountFen: body.amount,
      reason: body.reason,
      by,
    })
    const { organiseId, agentId, siteId } = recharge
    await notifyHolders(
      db,
      scope,
      {
        place: { organise_id: organiseId, agent_id: agentId, site_id: siteId },
        grant: { menu: menuKey.rechargeRefund, action: 'edit' },
        except: '0',
      },
      {
        type: popupType.code.system,
        title: '充值退款待审核',
        body: `会员申请退款${yuanText(body.amount)}元，退款单${refundNo}`,
        route: `/order/rechargeRefund?refundNo=${refundNo}`,
      },
    )
    await money.publishRefundChange(db, recharge)
    return { refundNo }
  },

  read: async ({ db, query }) => {
    const refund = orNotFound(await refunds.readRefund(db, query.refundNo, 'look'))
    const rest = orNotFound(await readFate(db, refund.id))
    return {
      ...rest,
      refundNo: refund.id,
      rechargeNo: refund.rechargeId,
      memberId: refund.memberId,
      amount: yuanText(refund.amountFen),
      gift: yuanText(refund.giftFen),
      giftSpent: yuanText(refund.giftSpentFen),
      payout: yuanText(refund.payoutFen),
      status: refund.status as OpenRechargeRefund['status'],
    }
  },

  /** Only a refund that the member requested, and only before its approval. */
  cancel: async ({ db, body }) => {
    const refund = orNotFound(await refunds.readRefund(db, body.refundNo, 'lock'))
    if (refund.createdById !== null) throw conflict('该退款由运营方提交，不能撤销')
    if (!(await refunds.writeCancel(db, refund.id, 'cancel'))) throw conflict('该退款已处理，不能撤销')
    await money.releaseReserved(db, refund)
    await money.publishRefundChange(db, refund)
    return { refundNo: refund.id }
  },
}

export const openRechargeRefundFeature = defineFeature(openRechargeRefund, openRechargeRefundHandlers)
