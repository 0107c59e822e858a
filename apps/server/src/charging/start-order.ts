import { chargeLimit } from '@wattdeck/contract/order/order-codes.ts'
import { whenOffline } from '@wattdeck/contract/product/device-command.ts'
import { orderSerial } from '@wattdeck/device-protocol/ykc/serial.ts'
import { type AskedLimit, deviceLimit, heldFor } from '@wattdeck/domain/tariff/limit.ts'
import { leastHeldFen } from '@wattdeck/domain/tariff/rules.ts'
import { giveCommand } from '../devices/command.store.ts'
import { portProblem } from '../devices/port-problem.ts'
import type { Db } from '../kit/db.ts'
import { conflict, notFound } from '../kit/refusal.ts'
import type { Scope } from '../kit/scope.ts'
import { balancesOf, post } from '../ledger/ledger.ts'
import * as store from './order.store.ts'
import { orderTime } from './order-time.ts'
import { confirmedVersion } from './tariff-push.store.ts'
import { takePort } from './taken-port.store.ts'

export type StartWish = {
  deviceId: string
  portNo: number
  member: { id: string; organiseId: string; enabled: boolean }
  startMode: number
  limit: AskedLimit
  by: { userId: string | null; name: string }
  codeId?: string | undefined
}

/** A device that has not begun by then will not. */
const commandS = 60

/**
 * A charge for a member: the price as it is now, the money put aside, the port taken, the device told. All in the
 * caller's transaction, in the scope of whoever asks; either all of it happens or nothing.
 */
export async function startOrder(db: Db, scope: Scope, wish: StartWish): Promise<{ orderId: string; heldFen: bigint }> {
  const { deviceId, portNo, member, limit, by, codeId } = wish
  const port = await store.findStartable(db, scope, deviceId, portNo)
  if (port === undefined || port.organiseId !== member.organiseId) throw notFound()
  const problem = portProblem(port) ?? (member.enabled ? undefined : '该用户已停用，不能充电')
  if (problem !== undefined) throw conflict(problem)
  const { rules, siteId } = port
  if (rules === null) throw conflict('该设备未设置消费标准，不能充电')
  if (siteId === null) throw conflict('该设备未投放到站点，不能充电')
  // It counts money itself: by other prices than ours it would end too early or too late.
  if (port.adapter === 'ykc' && (await confirmedVersion(db, scope, deviceId)) !== port.versionId)
    throw conflict('设备尚未确认当前价格，请稍后再试')

  const startMs = Date.now()
  const circumstance = { startMs, ratedW: port.ratedW }
  const held = await fundsFor(db, scope, wish, heldFor(rules, limit, circumstance), BigInt(leastHeldFen(rules)))
  const heldFen = held.paidFen + held.giftFen
  const id = await store.newOrderId(db, scope)
  const wireNo = port.adapter === 'ykc' ? orderSerial(port.wireId, portNo, startMs, Number(BigInt(id) % 10_000n)) : id
  const commandId = await giveCommand(db, scope, {
    deviceId,
    command: {
      kind: 'startPort',
      port: portNo,
      orderNo: wireNo,
      // A pile of YKC counts money itself, by the prices it was given.
      limit: port.adapter === 'ykc' ? { by: 'full' } : deviceLimit(rules, limit, heldFen, circumstance),
      stopWhenFull: rules.fullStop,
      maxDurationS: rules.maxMinutes * 60,
      balanceFen: Number(heldFen),
    },
    whenOffline: whenOffline.code.fail,
    livesS: commandS,
    by,
    codeId,
  })
  if (commandId === undefined) throw notFound()
  const order: store.NewOrder = {
    id,
    port,
    portNo,
    wireNo,
    memberId: member.id,
    startMode: wish.startMode,
    limit: storedLimit(limit),
    held,
    commandId,
  }
  // The port first: of two at once the second waits here and is refused before any money is touched.
  await takePort(db, scope, order)
  await store.addOrder(db, scope, order)
  await post(db, scope, [
    {
      key: `order/${id}/hold`,
      keyAt: orderTime(id),
      place: { organiseId: port.organiseId, agentId: port.agentId, siteId },
      kind: 'hold',
      ref: id,
      lines: [
        { account: 'memberPaid', owner: member.id, fen: -held.paidFen },
        { account: 'memberPaidHeld', owner: member.id, fen: held.paidFen },
        { account: 'memberGift', owner: member.id, fen: -held.giftFen },
        { account: 'memberGiftHeld', owner: member.id, fen: held.giftFen },
      ],
    },
  ])
  return { orderId: id, heldFen }
}

/** Own money first, then what was given. Whoever wants a full battery puts in what they have, up to what it can cost. */
async function fundsFor(db: Db, scope: Scope, { member, limit }: StartWish, neededFen: bigint, leastFen: bigint) {
  const [paid = 0n, gift = 0n] = await balancesOf(db, scope, member.organiseId, [
    { account: 'memberPaid', owner: member.id },
    { account: 'memberGift', owner: member.id },
  ])
  const wanted = limit.by === 'full' && paid + gift < neededFen ? paid + gift : neededFen
  if (wanted <= 0n || wanted < leastFen || paid + gift < wanted) throw conflict('余额不足，请先充值')
  const paidFen = paid < wanted ? paid : wanted
  return { paidFen, giftFen: wanted - paidFen }
}

const storedLimit = (limit: AskedLimit): { by: number; value: number } => {
  if (limit.by === 'money') return { by: chargeLimit.code.money, value: limit.fen }
  if (limit.by === 'minutes') return { by: chargeLimit.code.minutes, value: limit.minutes }
  if (limit.by === 'energy') return { by: chargeLimit.code.energy, value: limit.energyDwh }
  return { by: chargeLimit.code.full, value: 0 }
}
