import { chargeLimit } from '@wattdeck/contract/order/order-codes.ts'
import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { whenOffline } from '@wattdeck/contract/product/device-command.ts'
import type { AccountStatusName } from '@wattdeck/device-protocol/account-status.ts'
import type { StartPortCommand } from '@wattdeck/device-protocol/message.ts'
import { orderSerial } from '@wattdeck/device-protocol/ykc/serial.ts'
import {
  chooseBenefits,
  type Circumstance,
  coveredPrice,
  deviceLimit,
  leastReservation,
  type RequestedLimit,
  reservationFor,
} from '@wattdeck/domain/tariff/limit.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { enqueueCommand } from '../devices/command.store.ts'
import { portProblem } from '../devices/port-problem.ts'
import type { Db } from '../../kit/db/db.ts'
import { notFound, Refusal, orNotFound } from '../../kit/http/refusal.ts'
import { post } from '../ledger/ledger.ts'
import { benefitsFor, takeBenefits } from './benefits.store.ts'
import type { CouponChoice } from './coupon.store.ts'
import * as store from './order.store.ts'
import { orderTime } from './order-time.ts'
import { type Funds, fundsOf, ownFirst, type Payer, reserveLines } from './payer.ts'
import { confirmedVersion } from '../tariffs/tariff-push.store.ts'
import { isBlocked } from './member-block.store.ts'
import { takePort } from './occupied-port.store.ts'

/** The payer of a start. A card includes its printed number and its holder, if known. */
type StartPayer = Payer & { organiseId: string; enabled: boolean; cardNo?: string; memberId?: string | null }
export type StartParams = {
  deviceId: string
  portNo: number
  payer: StartPayer
  startMode: number
  limit: RequestedLimit
  by: { userId: string | null; name: string }
  codeId?: string | undefined
  /** The coupon that the payer chose. */
  coupon?: CouponChoice
}

/** Lifetime of the start command, in seconds. */
const commandS = 60

/** A refused start: a message for the caller, and `account` as the answer for a card reader. */
export class StartRefused extends Refusal {
  readonly account: AccountStatusName
  constructor(message: string, account: AccountStatusName) {
    super(409, message)
    this.account = account
  }
}

/** `coveredFen`: the list price that the reservation and the benefits cover. */
type Started = { orderId: string; wireNo: string; heldFen: bigint; coveredFen: bigint }

/**
 * Starts a charge for a member or a card: applies the tariff in force, reserves the money, occupies the port and queues the
 * start command. All of it happens in the caller's transaction and scope, or nothing does.
 */
export async function startOrder(db: Db, params: StartParams): Promise<Started> {
  const { deviceId, portNo, payer, limit, coupon } = params
  const port = await store.findStartable(db, deviceId, portNo)
  if (port === undefined || port.organiseId !== payer.organiseId) throw notFound()
  const { rules, siteId } = await checkPort(db, port, payer)
  const startMs = Date.now()
  const benefits = chooseBenefits(
    rules,
    await benefitsFor(db, port, payer, 'lock', coupon),
    { startMs, ratedW: port.ratedW },
    limit,
  )
  const circumstance = { startMs, ratedW: port.ratedW, benefits }
  const reserved = await reservableFunds(db, payer, limit, { rules, ...circumstance })
  if (reserved === undefined) throw new StartRefused('余额不足，请先充值', 'tooLittleMoney')
  const heldFen = reserved.paidFen + reserved.giftFen
  const id = await store.newOrderId(db)
  const wireNo = port.adapter === 'ykc' ? orderSerial(port.wireId, portNo, startMs, Number(BigInt(id) % 10_000n)) : id
  // A YKC pile starts by itself when the card is accepted.
  const commandId =
    port.adapter === 'ykc' && payer.kind === 'card'
      ? null
      : await enqueueStart(db, params, wireNo, {
          // A YKC pile counts money itself, by the prices that were pushed to it.
          limit: port.adapter === 'ykc' ? { by: 'full' } : deviceLimit(rules, limit, heldFen, circumstance),
          stopWhenFull: rules.fullStop,
          maxDurationS: rules.maxMinutes * 60,
          balanceFen: Number(coveredPrice(rules, heldFen, circumstance)),
        })
  const order: store.NewOrder = {
    id,
    port,
    portNo,
    wireNo,
    memberId: payer.kind === 'member' ? payer.id : (payer.memberId ?? null),
    cardId: payer.kind === 'card' ? payer.id : null,
    cardNo: payer.cardNo,
    startMode: params.startMode,
    limit: storedLimit(limit),
    held: reserved,
    benefits,
    commandId,
  }
  // The port comes first: of two concurrent starts the second waits here and fails before any money moves.
  await takePort(db, order)
  await store.addOrder(db, order)
  await takeBenefits(db, { id, organiseId: port.organiseId, benefits })
  if (heldFen > 0n) await reserveFunds(db, order, siteId, payer)
  return { orderId: id, wireNo, heldFen, coveredFen: coveredPrice(rules, heldFen, circumstance) }
}

/** Reserves the money of an order. */
export async function reserveFunds(db: Db, order: store.NewOrder, siteId: string | null, payer: Payer) {
  const { id, port, held } = order
  const { organiseId, agentId } = port
  const place = { organiseId, agentId, siteId }
  const lines = reserveLines(payer, held)
  await post(db, [{ key: `order/${id}/hold`, keyAt: orderTime(id), place, kind: 'hold', ref: id, lines }])
}

async function checkPort(db: Db, port: store.Startable, payer: StartPayer) {
  const problem = portProblem(port)
  if (problem !== undefined) throw new StartRefused(problem, portAccounts.get(port.portStatus) ?? 'notHere')
  if (!payer.enabled) throw new StartRefused('该用户已停用，不能充电', 'frozen')
  if (port.hasBlocks && (await isBlocked(db, personOf(payer), 'charge')))
    throw new StartRefused('该用户已被列入黑名单，不能充电', 'frozen')
  const { rules, siteId } = port
  if (rules === null) throw new StartRefused('该设备未设置消费标准，不能充电', 'notHere')
  if (siteId === null) throw new StartRefused('该设备未投放到站点，不能充电', 'notHere')
  // A YKC pile counts money itself: with outdated prices it would stop too early or too late.
  if (port.adapter === 'ykc' && (await confirmedVersion(db, port.deviceId)) !== port.versionId)
    throw new StartRefused('设备尚未确认当前价格，请稍后再试', 'notHere')
  return { rules, siteId }
}
const personOf = ({ kind, id, organiseId, memberId = null }: StartPayer) =>
  kind === 'card' ? { organiseId, memberId, cardId: id } : { organiseId, memberId: id, cardId: null }

const portAccounts = new Map<number, AccountStatusName>([
  [plugStatus.code.working, 'alreadyCharging'],
  [plugStatus.code.fault, 'portFault'],
])

async function enqueueStart(
  db: Db,
  { deviceId, portNo, by, codeId }: StartParams,
  orderNo: string,
  how: Omit<StartPortCommand, 'kind' | 'port' | 'orderNo'>,
): Promise<string> {
  return orNotFound(
    await enqueueCommand(db, {
      deviceId,
      command: { kind: 'startPort', port: portNo, orderNo, ...how },
      whenOffline: whenOffline.code.fail,
      livesS: commandS,
      by,
      codeId,
    }),
  )
}

type Priced = Circumstance & { rules: TariffRules }

/**
 * The amount to reserve, paid balance first, then gift. A charge until full reserves the whole balance, up to the highest
 * possible cost. Nothing is reserved if benefits cover the charge. Undefined if the balance is too low.
 */
export async function reservableFunds(
  db: Db,
  payer: Payer & { organiseId: string },
  limit: RequestedLimit,
  { rules, ...circumstance }: Priced,
): Promise<Funds | undefined> {
  const funds = await fundsOf(db, payer.organiseId, payer)
  const [has, needed] = [funds.paidFen + funds.giftFen, reservationFor(rules, limit, circumstance)]
  const amountFen = limit.by === 'full' && has < needed ? has : needed
  if (has < amountFen || amountFen < leastReservation(rules, circumstance)) return undefined
  if (amountFen === 0n && (circumstance.benefits ?? []).length === 0) return undefined
  return ownFirst(funds, amountFen)
}

const storedLimit = (limit: RequestedLimit): { by: number; value: number } => {
  if (limit.by === 'money') return { by: chargeLimit.code.money, value: limit.fen }
  if (limit.by === 'minutes') return { by: chargeLimit.code.minutes, value: limit.minutes }
  if (limit.by === 'energy') return { by: chargeLimit.code.energy, value: limit.energyDwh }
  return { by: chargeLimit.code.full, value: 0 }
}
