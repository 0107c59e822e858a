import { enabledStatus } from '@wattdeck/contract/common.ts'
import { chargeLimit, orderStatus, startMode } from '@wattdeck/contract/order/order-codes.ts'
import { type OpenPort, openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { whenOffline } from '@wattdeck/contract/product/device-command.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { readBill } from '@wattdeck/domain/tariff/bill-json.ts'
import { displayText } from '@wattdeck/domain/tariff/display.ts'
import { estimate } from '@wattdeck/domain/tariff/estimate.ts'
import { explain } from '@wattdeck/domain/tariff/explain.ts'
import { chooseBenefits, type RequestedLimit, reservationFor } from '@wattdeck/domain/tariff/limit.ts'
import { benefitsFor } from '../../../core/charging/benefits.store.ts'
import { findStartable, recordStop } from '../../../core/charging/order.store.ts'
import { endText } from '../../../core/charging/order-labels.ts'
import { startOrder } from '../../../core/charging/start-order.ts'
import { enqueueCommand } from '../../../core/devices/command.store.ts'
import { portProblem } from '../../../core/devices/port-problem.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { conflict, invalid, orNotFound } from '../../../kit/http/refusal.ts'
import { balancesOf } from '../../../core/ledger/ledger.ts'
import { assertAppOpen } from '../_shared/closed-app.store.ts'
import { findPort, type PortRequest } from '../_shared/port.store.ts'
import * as store from './open-charging.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
type Named = { deviceNo?: string | undefined; portNo?: number | undefined; code?: string | undefined }

const openChargingHandlers = ({ codes }: Pick<Deps, 'codes'>): Handlers<typeof openCharging> => {
  /** Rejects a code that the platform has not signed. */
  function portRequestOf({ deviceNo, portNo, code }: Named): PortRequest {
    if (code !== undefined) {
      const codeNo = codes.read(code)
      if (codeNo === undefined) throw invalid('二维码无效，或不是本平台的二维码', 'code')
      return { codeNo, portNo: portNo ?? null }
    }
    if (deviceNo === undefined || portNo === undefined) throw invalid('请提供设备编号和端口号')
    return { deviceNo, portNo }
  }

  async function requirePort({ db }: Some, named: Named) {
    return orNotFound(await findPort(db, portRequestOf(named)))
  }

  async function portOf(ctx: Some, named: Named) {
    const { deviceId, ...place } = await requirePort(ctx, named)
    const port = orNotFound(await findStartable(ctx.db, deviceId, place.portNo))
    return { ...place, port }
  }

  return {
    port: async (ctx): Promise<OpenPort> => {
      const { port, portNo, deviceName, siteName } = await portOf(ctx, ctx.query)
      const why = portProblem(port) ?? (port.rules === null ? '该设备未设置消费标准，不能充电' : undefined)
      return {
        deviceNo: port.deviceNo,
        deviceName,
        siteName,
        portNo,
        status: port.portStatus as OpenPort['status'],
        online: port.online,
        canStart: why === undefined,
        why: why ?? null,
        price: port.rules === null ? null : displayText(port.rules),
        presets: port.rules?.presets ?? [],
      }
    },

    saveMember: async ({ db, actor, body }) => {
      const app = await store.findApp(db, actor.organiseId, body.appId)
      if (app === undefined) throw invalid('该应用未登记', 'appId')
      if (app.status !== enabledStatus.code.enabled) throw conflict('该小程序已停用，请联系运营商')
      return { memberId: await store.saveMember(db, actor.organiseId, app, body) }
    },

    member: async (ctx) => {
      const { id, nickname } = await memberOf(ctx, ctx.params.memberId)
      const [paid = 0n, gift = 0n, paidHeld = 0n, giftHeld = 0n] = await balancesOf(ctx.db, ctx.actor.organiseId, [
        { account: 'memberPaid', owner: id },
        { account: 'memberGift', owner: id },
        { account: 'memberPaidHeld', owner: id },
        { account: 'memberGiftHeld', owner: id },
      ])
      return {
        memberId: id,
        nickname,
        balance: yuanText(paid),
        gift: yuanText(gift),
        held: yuanText(paidHeld + giftHeld),
      }
    },

    estimate: async (ctx) => {
      const { port } = await portOf(ctx, ctx.body)
      const { rules, ratedW } = port
      if (rules === null) throw conflict('该设备未设置消费标准，不能充电')
      const limit = limitOf(ctx.body)
      const [startMs, minutes] = [Date.now(), ctx.body.minutes ?? 60]
      const member = ctx.body.memberId === undefined ? undefined : await memberOf(ctx, ctx.body.memberId)
      const offered =
        member === undefined
          ? []
          : await benefitsFor(ctx.db, port, { kind: 'member', id: member.id }, 'look', ctx.body.couponId)
      const benefits = chooseBenefits(rules, offered, { startMs, ratedW }, limit)
      const reservedFen = reservationFor(rules, limit, { startMs, ratedW, benefits })
      const bill = estimate(rules, { startMs, minutes, powerW: ratedW }, { benefits })
      return { held: yuanText(reservedFen), text: explain(bill) }
    },

    start: async (ctx) => {
      const { db, actor, body } = ctx
      const { deviceId, portNo, codeId } = await requirePort(ctx, body)
      const { id, organiseId, status } = await memberOf(ctx, body.memberId)
      await assertAppOpen(db, id)
      const { orderId, heldFen } = await startOrder(db, {
        deviceId,
        portNo,
        payer: { kind: 'member', id, organiseId, enabled: status === 1 },
        startMode: startMode.code.scan,
        limit: limitOf(body),
        by: { userId: null, name: actor.userName },
        codeId: codeId ?? undefined,
        coupon: body.couponId,
      })
      return { orderNo: orderId, held: yuanText(heldFen) }
    },

    stop: async (ctx) => {
      const { db, actor, body } = ctx
      const order = await orderOf(ctx, body.orderNo)
      const { starting, charging } = orderStatus.code
      if (order.status !== starting && order.status !== charging) throw conflict('订单已结束')
      const commandId = orNotFound(
        await enqueueCommand(db, {
          deviceId: order.deviceId,
          command: { kind: 'stopPort', port: order.portNo, orderNo: order.wireNo },
          whenOffline: whenOffline.code.fail,
          livesS: 60,
          by: { userId: null, name: actor.userName },
        }),
      )
      await recordStop(db, order.orderNo, commandId)
      return { orderNo: order.orderNo }
    },

    order: async (ctx) => {
      const { bill, deviceId: _, wireNo: __, ...order } = await orderOf(ctx, ctx.params.orderNo)
      const {
        heldFen,
        electricityFen,
        serviceFen,
        occupancyFen,
        totalFen,
        discountFen,
        stopReason: reason,
        ...plain
      } = order
      return {
        ...plain,
        stopReason: endText(plain.status, reason),
        held: yuanText(BigInt(heldFen)),
        electricity: yuanText(BigInt(electricityFen)),
        service: yuanText(BigInt(serviceFen)),
        occupancy: yuanText(BigInt(occupancyFen)),
        total: yuanText(BigInt(totalFen)),
        discount: yuanText(BigInt(discountFen)),
        explanation: bill === null ? [] : explain(readBill(bill)),
      }
    },
  }
}

const memberOf = async ({ db }: Some, id: string) => orNotFound(await store.findMember(db, id))

const orderOf = async ({ db }: Some, id: string) => orNotFound(await store.readOrder(db, id))

type Params = {
  limitBy: number
  amount?: bigint | undefined
  minutes?: number | undefined
  energyWh?: number | undefined
}

/** Exactly the value that the limit type needs, and no other. */
function limitOf({ limitBy, amount, minutes, energyWh }: Params): RequestedLimit {
  const { money, minutes: byMinutes, energy } = chargeLimit.code
  const fieldCount = [amount, minutes, energyWh].filter((value) => value !== undefined).length
  if (limitBy === money && amount !== undefined && fieldCount === 1) return { by: 'money', fen: Number(amount) }
  if (limitBy === byMinutes && minutes !== undefined && fieldCount === 1) return { by: 'minutes', minutes }
  if (limitBy === energy && energyWh !== undefined && fieldCount === 1)
    return { by: 'energy', energyDwh: energyWh * 10 }
  if (limitBy === chargeLimit.code.full && fieldCount === 0) return { by: 'full' }
  throw invalid('请按充电方式只填写金额、时长、电量中的一项')
}

export const openChargingFeature = defineFeature(openCharging, openChargingHandlers)
