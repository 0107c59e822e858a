import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { type SettlePreview, unfinishedOrder, unfinishedOrderList } from '@wattdeck/contract/order/unfinished-order.ts'
import { whenOffline } from '@wattdeck/contract/product/device-command.ts'
import type { DeviceCommand } from '@wattdeck/device-protocol/message.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { explain } from '@wattdeck/domain/tariff/explain.ts'
import { billChosen, forcedBill, releaseChosen } from '../../../core/charging/decide-order.ts'
import { closedByHand } from '../../../core/charging/order-labels.ts'
import { type LockedOrder, recordStop } from '../../../core/charging/order.store.ts'
import { enqueueCommand } from '../../../core/devices/command.store.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery, matchingRows } from '../../../kit/db/list-query.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, notFound } from '../../../kit/http/refusal.ts'
import { withLockedOrder, lookingAtOrder } from '../_shared/order-access.ts'
import { openTotals } from '../_shared/order-totals.ts'
import { checkSpan } from '../_shared/order-totals.rules.ts'
import { shanghaiText } from '../_shared/shanghai-text.ts'
import { closeProblem } from './unfinished-order.rules.ts'
import { openSource } from './unfinished-order.store.ts'
import * as store from './unfinished-order.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
const commandS = 60

function assertOpen({ status }: LockedOrder): void {
  const { starting, charging } = orderStatus.code
  if (status !== starting && status !== charging) throw conflict('订单已结束')
}

async function give({ db, actor }: Some, deviceId: string, command: DeviceCommand): Promise<string> {
  if (!(await store.isOnline(db, deviceId))) throw conflict('设备离线，指令无法送达')
  const commandId = await enqueueCommand(db, {
    deviceId,
    command,
    whenOffline: whenOffline.code.fail,
    livesS: commandS,
    by: { userId: actor.userId, name: actor.userName },
  })
  if (commandId === undefined) throw notFound()
  return commandId
}

/** The bill of an order whose device is lost. A device that still reports must be stopped, and sends its own bill. */
async function billOf({ db }: Pick<Some, 'db'>, order: LockedOrder) {
  if (order.status !== orderStatus.code.charging) throw conflict('订单已结束或尚未开始充电')
  if (await store.isTalking(db, order.id)) throw conflict('设备在线并正在上报，请先远程停止')
  return forcedBill(db, order)
}

const unfinishedOrderExport = exportOf('unfinishedOrder', unfinishedOrderList, openSource)

const unfinishedOrderHandlers: Handlers<typeof unfinishedOrder> = {
  list: ({ db, scope, query }) => listQuery(db, scope, unfinishedOrderList, openSource, query),

  totals: async ({ db, scope, query }) => {
    checkSpan(query)
    return openTotals(await matchingRows(db, scope, unfinishedOrderList, openSource, query))
  },

  exportList: exportHandler(unfinishedOrderExport),

  stop: (ctx) =>
    withLockedOrder(ctx, ctx.body.id, async (order, wider) => {
      assertOpen(order)
      ctx.setAuditDetail(`订单${order.id}`)
      const { deviceId, portNo: port, wireNo: orderNo } = order
      const commandId = await give({ ...ctx, scope: wider }, deviceId, { kind: 'stopPort', port, orderNo })
      await recordStop(ctx.db, order.id, commandId)
      ctx.setMessage('停止指令已下发，设备结束后自动结算')
      return { commandId }
    }),

  query: (ctx) =>
    withLockedOrder(ctx, ctx.body.id, async (order, wider) => {
      assertOpen(order)
      ctx.setAuditDetail(`订单${order.id} ${order.portNo}号端口`)
      const commandId = await give({ ...ctx, scope: wider }, order.deviceId, { kind: 'query' })
      ctx.setMessage('查询指令已下发，设备应答后更新')
      return { commandId }
    }),

  preview: (ctx) =>
    lookingAtOrder(ctx, ctx.params.id, async (order): Promise<SettlePreview> => {
      const { pricing } = await billOf(ctx, order)
      const { measured, bill } = pricing
      return {
        reportedAt: order.reportedMs === null ? null : shanghaiText(order.reportedMs),
        durationS: measured.durationS,
        energyDwh: measured.energyDwh,
        electricity: yuanText(bill.electricityFen),
        service: yuanText(bill.serviceFen),
        total: yuanText(bill.totalFen),
        returned: yuanText(order.heldPaidFen + order.heldGiftFen - bill.totalFen),
        explanation: explain(bill),
      }
    }),

  settle: (ctx) =>
    withLockedOrder(ctx, ctx.body.id, async (order) => {
      const { total, reason } = ctx.body
      const chosen = await billOf(ctx, order)
      const now = yuanText(chosen.pricing.bill.totalFen)
      if (now !== total) throw conflict(`金额已变为${now}元，请重新确认`)
      await billChosen(ctx.db, chosen, { by: ctx.actor.userName, why: reason })
      ctx.setAuditDetail(`订单${order.id}，${now}元，${reason}`)
      ctx.setMessage(`已按 ¥${now} 结算`)
      return null
    }),

  close: (ctx) =>
    withLockedOrder(ctx, ctx.body.id, async (order) => {
      const start = await store.readStart(ctx.db, order.id)
      if (start === undefined) throw notFound()
      const problem = closeProblem(order.status, start)
      if (problem !== undefined) throw conflict(problem)
      const { reason } = ctx.body
      await releaseChosen(ctx.db, order, { by: ctx.actor.userName, why: reason }, closedByHand)
      const reservedYuan = yuanText(order.heldPaidFen + order.heldGiftFen)
      ctx.setAuditDetail(`订单${order.id}，退回${reservedYuan}元，${reason}`)
      ctx.setMessage(`订单已关闭，预付的${reservedYuan}元已退回`)
      return null
    }),
}

export const unfinishedOrderFeature = defineFeature(unfinishedOrder, unfinishedOrderHandlers, {
  exports: [unfinishedOrderExport],
})
