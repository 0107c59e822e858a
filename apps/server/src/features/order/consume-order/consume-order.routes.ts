import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { consumeOrder, consumeOrderList, deviceOrderList } from '@wattdeck/contract/order/consume-order.ts'
import { chargeLimit, startMode } from '@wattdeck/contract/order/order-codes.ts'
import { masks } from '@wattdeck/domain/masks.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { chooseBenefits, leastReservation, type RequestedLimit } from '@wattdeck/domain/tariff/limit.ts'
import { benefitsFor } from '../../../core/charging/benefits.store.ts'
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
import { countTry, issueCode, useCode } from '../../../kit/auth/sms-codes.ts'
import { withWholeOrganiseScope } from '../../../kit/db/whole-organise.ts'
import { balancesOf } from '../../../core/ledger/ledger.ts'
import { orderSource } from '../_shared/order-source.ts'
import { orderTotals } from '../_shared/order-totals.ts'
import { checkSpan } from '../_shared/order-totals.rules.ts'
import * as store from './consume-order.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope'>

/** Runs the work at a device in scope, with every member of its organisation visible: members charge at any site. */
async function atDevice<T>(
  { db, scope }: Some,
  deviceNo: string,
  work: (device: { id: string; organiseId: string }) => Promise<T>,
): Promise<T> {
  const device = await store.findDevice(db, deviceNo)
  if (device === undefined) throw invalid('没有找到该编号的设备', 'deviceNo')
  return withWholeOrganiseScope(db, scope, device.organiseId, () => work(device))
}

const daySeconds = 86_400
/** Limit of payer searches and codes together, per user and day. */
const searchesADay = 60
/** Limit of codes to one phone per day, across all callers. */
const codesADay = 10
const notFoundText = '没有找到该手机号的用户，或用户已停用'

/** Counts before the search, so that refused requests count as well. */
const countSearch = (deps: Deps, userId: string) =>
  countFirst(deps.pool, (db) => countAttempt(db, `payer-search:${userId}`, daySeconds))

function assertMaySearch(searches: number): void {
  if (searches > searchesADay) throw new Refusal(429, `今日查找用户次数已达上限（${searchesADay}次）`)
}

type Params = { phone: string; deviceNo: string }

/** An enabled member who may charge at the device, whether or not the caller may see them. */
async function findPayer({ db }: Some, organiseId: string, phone: string) {
  const member = await store.findPayer(db, organiseId, phone)
  return member?.status === enabledStatus.code.enabled ? member : undefined
}

async function hasEnough({ db }: Some, device: { id: string; organiseId: string }, memberId: string) {
  const port = await findStartable(db, device.id, 1)
  const balances = await balancesOf(db, device.organiseId, [
    { account: 'memberPaid', owner: memberId },
    { account: 'memberGift', owner: memberId },
  ])
  const balance = balances.reduce((all, fen) => all + fen, 0n)
  if (port === undefined || port.rules === null) return balance > 0n
  const at = { startMs: Date.now(), ratedW: port.ratedW }
  const benefits = chooseBenefits(port.rules, await benefitsFor(db, port, { kind: 'member', id: memberId }, 'look'), at)
  // Benefits may cover the charge, so that it needs no money.
  return (balance > 0n || benefits.length > 0) && balance >= leastReservation(port.rules, { ...at, benefits })
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
      return atDevice(ctx, ctx.body.deviceNo, async (device) => {
        const member = await findPayer(ctx, device.organiseId, ctx.body.phone)
        ctx.setAuditDetail(`${inWords(ctx.body)}，${member === undefined ? '未找到' : `用户${member.id}`}`)
        if (member === undefined) return { found: false, name: null, enough: false }
        return { found: true, name: member.name, enough: await hasEnough(ctx, device, member.id) }
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
      return atDevice(ctx, body.deviceNo, async ({ organiseId }) => {
        const member = await findPayer(ctx, organiseId, body.phone)
        if (member === undefined) throw invalid(notFoundText, 'phone')
        if (await store.recentChargeCode(db, body.phone))
          throw new Refusal(429, '验证码已发送，60秒后可重新获取', { retryAfterSeconds: 60 })
        await issueCode(ctx, member, body.phone, 'charge', body.deviceNo)
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
      return atDevice(ctx, body.deviceNo, async ({ id: deviceId, organiseId }) => {
        const { ownerId } = await useCode(db, codeId, 'charge', body)
        const payer = await findPayer(ctx, organiseId, body.phone)
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

/** Accepts only the field that the chosen limit needs. */
function limitOf({ limitBy, amount, minutes }: BodyOf<typeof consumeOrder.start>): RequestedLimit {
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
