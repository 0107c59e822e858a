import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import type { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { chargeLimit, startMode } from '@wattdeck/contract/order/order-codes.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import type { AskedLimit } from '@wattdeck/domain/tariff/limit.ts'
import { startOrder } from '../../charging/start-order.ts'
import { requestExport } from '../../kit/exports.ts'
import type { Ctx, Handlers } from '../../kit/handlers.ts'
import { invalid, notFound } from '../../kit/refusal.ts'
import type { Scope } from '../../kit/scope.ts'
import { seeingWholeOrganise } from '../../kit/whole-organise.ts'
import { balancesOf } from '../../ledger/ledger.ts'
import { checkSpan } from '../order-totals.rules.ts'
import { consumeOrderExport } from './consume-order.export.ts'
import * as store from './consume-order.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope'>

/** At a device of the caller's, with every member of its organisation in sight: people charge where they want. */
async function atDevice<T>(
  { db, scope }: Some,
  deviceNo: string,
  work: (device: { id: string; organiseId: string }, wider: Scope) => Promise<T>,
): Promise<T> {
  const device = await store.findDevice(db, scope, deviceNo)
  if (device === undefined) throw invalid('没有找到该编号的设备', 'deviceNo')
  return seeingWholeOrganise(db, scope, device.organiseId, (wider) => work(device, wider))
}

export const consumeOrderHandlers: Handlers<typeof consumeOrder> = {
  list: ({ db, scope, query }) => store.listConsumeOrders(db, scope, query),

  totals: async ({ db, scope, query }) => {
    checkSpan(query)
    return store.consumeTotals(db, scope, query)
  },

  exportList: async (ctx) => {
    ctx.note(ctx.body.conditions ?? '全部')
    ctx.say('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, consumeOrderExport, ctx.body)
  },

  payer: (ctx) =>
    atDevice(ctx, ctx.query.deviceNo, async ({ organiseId }, wider) => {
      const found = await store.findPayer(ctx.db, wider, organiseId, { phone: ctx.query.phone })
      if (found === undefined) throw invalid('没有找到该手机号的用户', 'phone')
      const { id, name, phone, status } = found
      const balances = await balancesOf(ctx.db, wider, organiseId, [
        { account: 'memberPaid', owner: id },
        { account: 'memberGift', owner: id },
      ])
      const balance = yuanText(balances.reduce((all, fen) => all + fen, 0n))
      return { id, name, phone, balance, enabled: status === enabledStatus.code.enabled }
    }),

  start: (ctx) => {
    const { db, actor, body } = ctx
    const limit = limitOf(body)
    return atDevice(ctx, body.deviceNo, async ({ id: deviceId, organiseId }, wider) => {
      const payer = await store.findPayer(db, wider, organiseId, { id: body.memberId })
      if (payer === undefined) throw notFound()
      const { orderId, heldFen } = await startOrder(db, wider, {
        deviceId,
        portNo: body.portNo,
        payer: { kind: 'member', id: payer.id, organiseId, enabled: payer.status === enabledStatus.code.enabled },
        startMode: startMode.code.remote,
        limit,
        by: { userId: actor.userId, name: actor.userName },
      })
      ctx.note(`订单${orderId}，用户${payer.id}，设备${body.deviceNo} ${body.portNo}号端口，预付${yuanText(heldFen)}元`)
      ctx.say('启动指令已下发，设备确认后开始计费')
      return { id: orderId, held: yuanText(heldFen) }
    })
  },
}

/** Exactly what is asked for, and nothing beside it. */
function limitOf({ limitBy, amount, minutes }: BodyOf<typeof consumeOrder.start>): AskedLimit {
  const { money, minutes: byMinutes, full } = chargeLimit.code
  if (limitBy === money && minutes === undefined) {
    if (amount === undefined) throw invalid('请输入金额', 'amount')
    return { by: 'money', fen: Number(amount) }
  }
  if (limitBy === byMinutes && amount === undefined) {
    if (minutes === undefined) throw invalid('请输入时长', 'minutes')
    return { by: 'minutes', minutes }
  }
  if (limitBy === full && amount === undefined && minutes === undefined) return { by: 'full' }
  throw invalid('请按充电方式只填写金额、时长中的一项', 'limitBy')
}
