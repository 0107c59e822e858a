import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { consumeOrder, consumeOrderList, deviceOrderList } from '@wattdeck/contract/order/consume-order.ts'
import { chargeLimit, startMode } from '@wattdeck/contract/order/order-codes.ts'
import { masks } from '@wattdeck/domain/masks.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import type { AskedLimit } from '@wattdeck/domain/tariff/limit.ts'
import { leastHeldFen } from '@wattdeck/domain/tariff/rules.ts'
import { findStartable } from '../../../core/charging/order.store.ts'
import { startOrder } from '../../../core/charging/start-order.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { countAttempt } from '../../../kit/auth/attempts.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { countFirst } from '../../../kit/auth/guesses.ts'
import { listQuery, matchingRows } from '../../../kit/db/list-query.ts'
import { type Ctx, type Handlers, prepared } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { invalid, notFound, Refusal } from '../../../kit/http/refusal.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { countTry, issueCode, useCode } from '../../../kit/auth/sms-codes.ts'
import { seeingWholeOrganise } from '../../../kit/db/whole-organise.ts'
import { balancesOf } from '../../../core/ledger/ledger.ts'
import { orderSource } from '../_shared/order-source.ts'
import { orderTotals } from '../_shared/order-totals.ts'
import { checkSpan } from '../_shared/order-totals.rules.ts'
import * as store from './consume-order.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope'>

/** At a device of the caller's, with every member of its organisation in sight: people charge where they want. */
async function atDevice<T>(
  { db, scope }: Some,
  deviceNo: string,
  work: (device: { id: string; organiseId: string }, wider: Scope) => Promise<T>,
): Promise<T> {
  const device = await store.findDevice(db, deviceNo)
  if (device === undefined) throw invalid('没有找到该编号的设备', 'deviceNo')
  return seeingWholeOrganise(db, scope, device.organiseId, (wider) => work(device, wider))
}

const daySeconds = 86_400
/** Searches by phone and codes together: so many a person a day. */
const searchesADay = 60
/** Codes to one phone a day, over all callers. */
const codesADay = 10
const notFoundText = '没有找到该手机号的用户，或用户已停用'

/** Counted before anything is looked for, so that what is refused counts as well. */
const countSearch = (deps: Deps, userId: string) =>
  countFirst(deps.pool, (db) => countAttempt(db, `payer-search:${userId}`, daySeconds))

function assertMaySearch(searches: number): void {
  if (searches > searchesADay) throw new Refusal(429, `今日查找用户次数已达上限（${searchesADay}次）`)
}

type Params = { phone: string; deviceNo: string }

/** A member who may charge there, whether or not the caller may see them. */
async function findPayer({ db }: Some, wider: Scope, organiseId: string, phone: string) {
  const found = await store.findPayer(db, organiseId, phone)
  return found?.status === enabledStatus.code.enabled ? found : undefined
}

async function hasEnough({ db }: Some, wider: Scope, device: { id: string; organiseId: string }, memberId: string) {
  const port = await findStartable(db, device.id, 1)
  const balances = await balancesOf(db, device.organiseId, [
    { account: 'memberPaid', owner: memberId },
    { account: 'memberGift', owner: memberId },
  ])
  const balance = balances.reduce((all, fen) => all + fen, 0n)
  const leastFen = port?.rules ? BigInt(leastHeldFen(port.rules)) : 0n
  return balance > 0n && balance >= leastFen
}

const inWords = ({ phone, deviceNo }: Params) => `设备${deviceNo}，手机号${masks.phone(phone)}`

const consumeOrderExport = exportOf('consumeOrder', consumeOrderList, orderSource)

const consumeOrderHandlers = (deps: Deps): Handlers<typeof consumeOrder> => ({
  list: ({ db, scope, query }) => listQuery(db, scope, consumeOrderList, orderSource, query),

  totals: async ({ db, scope, query }) => {
    checkSpan(query)
    return orderTotals(await matchingRows(db, scope, consumeOrderList, orderSource, query))
  },

  ofDevice: async ({ db, scope, params, query }) => {
    if (!(await store.seesDevice(db, params.deviceId))) throw notFound()
    return listQuery(db, scope, deviceOrderList, store.deviceOrderSource(params.deviceId), query)
  },

  deviceToday: async ({ db, params }) => {
    if (!(await store.seesDevice(db, params.deviceId))) throw notFound()
    return store.readDeviceToday(db, params.deviceId)
  },

  exportList: exportHandler(consumeOrderExport),

  payer: prepared({
    prepare: ({ actor }) => countSearch(deps, actor.userId),
    handle: (ctx, searches) => {
      ctx.setAuditDetail(inWords(ctx.body))
      assertMaySearch(searches)
      return atDevice(ctx, ctx.body.deviceNo, async (device, wider) => {
        const found = await findPayer(ctx, wider, device.organiseId, ctx.body.phone)
        ctx.setAuditDetail(`${inWords(ctx.body)}，${found === undefined ? '未找到' : `用户${found.id}`}`)
        if (found === undefined) return { found: false, name: null, enough: false }
        return { found: true, name: found.name, enough: await hasEnough(ctx, wider, device, found.id) }
      })
    },
  }),

  sendCode: prepared({
    prepare: async ({ actor, body }) => ({
      searches: await countSearch(deps, actor.userId),
      toPhone: await countFirst(deps.pool, (db) => countAttempt(db, `sms-day:${body.phone}`, daySeconds)),
    }),
    handle: (ctx, { searches, toPhone }) => {
      const { db, body } = ctx
      ctx.setAuditDetail(inWords(body))
      assertMaySearch(searches)
      if (toPhone > codesADay) throw new Refusal(429, '该手机号今日获取验证码次数过多，请明天再试')
      return atDevice(ctx, body.deviceNo, async ({ organiseId }, wider) => {
        const found = await findPayer(ctx, wider, organiseId, body.phone)
        if (found === undefined) throw invalid(notFoundText, 'phone')
        if (await store.recentChargeCode(db, body.phone))
          throw new Refusal(429, '验证码已发送，60秒后可重新获取', { retryAfterSeconds: 60 })
        await issueCode(ctx, found, body.phone, 'charge', body.deviceNo)
        ctx.setMessage('验证码已发送到用户手机，请向用户索取')
        return null
      })
    },
  }),

  start: prepared({
    prepare: ({ body }) => countFirst(deps.pool, (db) => countTry(db, body.phone, 'charge')),
    handle: (ctx, codeId) => {
      const { db, actor, body } = ctx
      const limit = limitOf(body)
      return atDevice(ctx, body.deviceNo, async ({ id: deviceId, organiseId }, wider) => {
        const { ownerId } = await useCode(db, codeId, 'charge', body)
        const payer = await findPayer(ctx, wider, organiseId, body.phone)
        if (payer?.id !== ownerId) throw invalid(notFoundText, 'phone')
        const { orderId, heldFen } = await startOrder(db, {
          deviceId,
          portNo: body.portNo,
          payer: { kind: 'member', id: ownerId, organiseId, enabled: true },
          startMode: startMode.code.remote,
          limit,
          by: { userId: actor.userId, name: actor.userName },
        })
        ctx.setAuditDetail(
          `订单${orderId}，用户${ownerId}，设备${body.deviceNo} ${body.portNo}号端口，预付${yuanText(heldFen)}元`,
        )
        ctx.setMessage('启动指令已下发，设备确认后开始计费')
        return { id: orderId, held: yuanText(heldFen) }
      })
    },
  }),
})

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

export const consumeOrderFeature = defineFeature(consumeOrder, consumeOrderHandlers, { exports: [consumeOrderExport] })
