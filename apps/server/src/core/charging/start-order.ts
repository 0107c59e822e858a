import { chargeLimit } from '@wattdeck/contract/order/order-codes.ts'
import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { whenOffline } from '@wattdeck/contract/product/device-command.ts'
import type { AccountStatusName } from '@wattdeck/device-protocol/account-status.ts'
import type { StartPortCommand } from '@wattdeck/device-protocol/message.ts'
import { orderSerial } from '@wattdeck/device-protocol/ykc/serial.ts'
import { type AskedLimit, deviceLimit, heldFor } from '@wattdeck/domain/tariff/limit.ts'
import { leastHeldFen, type TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { giveCommand } from '../devices/command.store.ts'
import { portProblem } from '../devices/port-problem.ts'
import type { Db } from '../../kit/db/db.ts'
import { notFound, Refusal, orNotFound } from '../../kit/http/refusal.ts'
import { post } from '../ledger/ledger.ts'
import * as store from './order.store.ts'
import { orderTime } from './order-time.ts'
import { type Funds, fundsOf, ownFirst, type Payer, putAside } from './payer.ts'
import { confirmedVersion } from '../tariffs/tariff-push.store.ts'
import { takePort } from './taken-port.store.ts'

/** Whoever pays; a card says what is printed on it and who carries it, if that is known. */
type StartPayer = Payer & { organiseId: string; enabled: boolean; cardNo?: string; memberId?: string | null }
export type StartWish = {
  deviceId: string
  portNo: number
  payer: StartPayer
  startMode: number
  limit: AskedLimit
  by: { userId: string | null; name: string }
  codeId?: string | undefined
}

/** A device that has not begun by then will not. */
const commandS = 60

/** Why nothing begins: in words for whoever asked, and as a device says it to whoever held a card to it. */
export class StartRefused extends Refusal {
  readonly account: AccountStatusName
  constructor(message: string, account: AccountStatusName) {
    super(409, message)
    this.account = account
  }
}

/**
 * A charge for a member or by a card: the price as it is now, the money put aside, the port taken, the device told. All in the
 * caller's transaction, in the scope of whoever asks; either all of it happens or nothing.
 */
export async function startOrder(
  db: Db,
  wish: StartWish,
): Promise<{ orderId: string; wireNo: string; heldFen: bigint }> {
  const { deviceId, portNo, payer, limit } = wish
  const port = await store.findStartable(db, deviceId, portNo)
  if (port === undefined || port.organiseId !== payer.organiseId) throw notFound()
  const { rules, siteId } = await checkPort(db, port, payer)
  const startMs = Date.now()
  const circumstance = { startMs, ratedW: port.ratedW }
  const held = await holdable(db, payer, limit, { rules, ...circumstance })
  if (held === undefined) throw new StartRefused('余额不足，请先充值', 'tooLittleMoney')
  const heldFen = held.paidFen + held.giftFen
  const id = await store.newOrderId(db)
  const wireNo = port.adapter === 'ykc' ? orderSerial(port.wireId, portNo, startMs, Number(BigInt(id) % 10_000n)) : id
  // A pile of YKC begins by itself when it is told that the card is good.
  const commandId =
    port.adapter === 'ykc' && payer.kind === 'card'
      ? null
      : await tellDevice(db, wish, wireNo, {
          // It counts money itself, by the prices it was given.
          limit: port.adapter === 'ykc' ? { by: 'full' } : deviceLimit(rules, limit, heldFen, circumstance),
          stopWhenFull: rules.fullStop,
          maxDurationS: rules.maxMinutes * 60,
          balanceFen: Number(heldFen),
        })
  const order: store.NewOrder = {
    id,
    port,
    portNo,
    wireNo,
    memberId: payer.kind === 'member' ? payer.id : (payer.memberId ?? null),
    cardId: payer.kind === 'card' ? payer.id : null,
    cardNo: payer.cardNo,
    startMode: wish.startMode,
    limit: storedLimit(limit),
    held,
    commandId,
  }
  // The port first: of two at once the second waits here and is refused before any money is touched.
  await takePort(db, order)
  await store.addOrder(db, order)
  await holdFor(db, order, siteId, payer)
  return { orderId: id, wireNo, heldFen }
}

/** Puts aside what an order was made with. */
export async function holdFor(db: Db, order: store.NewOrder, siteId: string | null, payer: Payer) {
  const { id, port, held } = order
  const { organiseId, agentId } = port
  const place = { organiseId, agentId, siteId }
  const lines = putAside(payer, held)
  await post(db, [{ key: `order/${id}/hold`, keyAt: orderTime(id), place, kind: 'hold', ref: id, lines }])
}

async function checkPort(db: Db, port: store.Startable, payer: StartPayer) {
  const problem = portProblem(port)
  if (problem !== undefined) throw new StartRefused(problem, portAccounts.get(port.portStatus) ?? 'notHere')
  if (!payer.enabled) throw new StartRefused('该用户已停用，不能充电', 'frozen')
  const { rules, siteId } = port
  if (rules === null) throw new StartRefused('该设备未设置消费标准，不能充电', 'notHere')
  if (siteId === null) throw new StartRefused('该设备未投放到站点，不能充电', 'notHere')
  // It counts money itself: by other prices than ours it would end too early or too late.
  if (port.adapter === 'ykc' && (await confirmedVersion(db, port.deviceId)) !== port.versionId)
    throw new StartRefused('设备尚未确认当前价格，请稍后再试', 'notHere')
  return { rules, siteId }
}
const portAccounts = new Map<number, AccountStatusName>([
  [plugStatus.code.working, 'alreadyCharging'],
  [plugStatus.code.fault, 'portFault'],
])

async function tellDevice(
  db: Db,
  { deviceId, portNo, by, codeId }: StartWish,
  orderNo: string,
  how: Omit<StartPortCommand, 'kind' | 'port' | 'orderNo'>,
): Promise<string> {
  return orNotFound(
    await giveCommand(db, {
      deviceId,
      command: { kind: 'startPort', port: portNo, orderNo, ...how },
      whenOffline: whenOffline.code.fail,
      livesS: commandS,
      by,
      codeId,
    }),
  )
}

type Priced = { rules: TariffRules; startMs: number; ratedW: number }

/**
 * What can be put aside: own money first, then what was given. Whoever wants a full battery puts in what they have, up to
 * what it can cost. Nothing, where that is too little.
 */
export async function holdable(
  db: Db,
  payer: Payer & { organiseId: string },
  limit: AskedLimit,
  { rules, ...circumstance }: Priced,
): Promise<Funds | undefined> {
  const funds = await fundsOf(db, payer.organiseId, payer)
  const [has, needed] = [funds.paidFen + funds.giftFen, heldFor(rules, limit, circumstance)]
  const wanted = limit.by === 'full' && has < needed ? has : needed
  if (wanted <= 0n || wanted < BigInt(leastHeldFen(rules)) || has < wanted) return undefined
  return ownFirst(funds, wanted)
}

const storedLimit = (limit: AskedLimit): { by: number; value: number } => {
  if (limit.by === 'money') return { by: chargeLimit.code.money, value: limit.fen }
  if (limit.by === 'minutes') return { by: chargeLimit.code.minutes, value: limit.minutes }
  if (limit.by === 'energy') return { by: chargeLimit.code.energy, value: limit.energyDwh }
  return { by: chargeLimit.code.full, value: 0 }
}
