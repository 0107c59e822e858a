import { z } from 'zod'
import { personal } from '../kit/personal.ts'
import { money, row, time } from '../kit/wire.ts'
import { orderStatus } from '../order/order-codes.ts'
import {
  area,
  areaLevel,
  areaPoints,
  count,
  energyDwh,
  ownerKind,
  positionX,
  positionY,
  rankingSize,
  turnover,
  unknownRegion,
} from './big-screen-fields.ts'

const moneySpan = row({
  turnover,
  paid: money.describe('of it, from money that was paid in'),
  gift: money.describe('of it, from money that was given'),
  refunded: money.describe('given back in this time, whenever it was paid'),
  orderCount: count.describe('charges that were billed'),
})
/** Up to now: today, yesterday, this month and year, and since the beginning. */
const spansOf = <T extends z.ZodType>(span: T) => ({
  today: span,
  yesterday: span,
  month: span,
  year: span,
  total: span,
})
export const Transaction = row({
  ...spansOf(moneySpan),
  soFarUpto: time.describe('the last full hour: up to it today is compared, and yesterday up to the same hour'),
  todaySoFar: moneySpan.describe('today up to the last full hour: what can be compared with yesterday'),
  yesterdaySoFar: moneySpan.describe('yesterday up to the same hour'),
})

export const OrderAnalysis = z
  .array(
    row({
      period: z.string().describe('YYYY-MM-DD or YYYY-MM'),
      orderCount: count.describe('charges that were billed'),
      releasedCount: count.describe('charges that never began'),
      turnover,
      refunded: money,
      energyDwh,
    }),
  )
  .describe('30 days or 12 months, the oldest first, every one of them')

export const OrderNumbers = row({
  todayCount: count.describe('charges that were billed'),
  yesterdayCount: count,
  releasedCount: count.describe('charges of today that never began'),
  refundCount: count.describe('refunds of today'),
  hours: z.array(row({ hour: z.int(), today: count, yesterday: count })).describe('24'),
})

const chargeSpan = row({
  orderCount: count.describe('charges that were billed'),
  seconds: count,
  energyDwh,
  averageSeconds: z.int().nullable().describe('null without a charge'),
  averageEnergyDwh: z.int().nullable(),
})
export const ChargingAnalysis = row({
  workingPortNum: count.describe('ports that charge now'),
  totalPortCount: count,
  today: chargeSpan,
  month: chargeSpan,
  hours: z.array(row({ hour: z.int(), seconds: count, energyDwh })).describe('24, of today; by the hour of the end'),
})

export const TurnoverRanking = row({
  by: ownerKind.schema.describe('organisations; once one is chosen, or is all one sees, its sites'),
  ranking: z.array(row({ id: z.string(), name: z.string(), orderCount: count, turnover, energyDwh })).max(rankingSize),
  turnover: turnover.describe('of all, also those that are not listed'),
})

export const TypeShare = row({
  items: z
    .array(
      row({
        deviceTypeId: z.string().nullable().describe('null: all others together'),
        name: z.string(),
        orderCount: count,
        turnover,
      }),
    )
    .max(rankingSize + 1),
  orderCount: count,
  turnover,
})

export const DeviceTurnover = z
  .array(
    row({
      deviceId: z.string(),
      deviceNo: z.string().nullable().describe('null: the device belongs to somebody else now'),
      deviceName: z.string().nullable(),
      siteName: z.string().nullable(),
      positionX,
      positionY,
      orderCount: count,
      turnover,
    }),
  )
  .max(rankingSize)
  .describe('a device that was moved is ranked at each of its sites')

export const Flylines = row({
  level: areaLevel.schema,
  to: row({ name: z.string(), positionX: z.number(), positionY: z.number() }).describe(
    "the region's centre; without a region, where the organisation or the platform is at home",
  ),
  lines: z
    .array(
      row({
        code: z.string(),
        name: z.string(),
        positionX: z.number(),
        positionY: z.number(),
        countNum: count.describe('charges that were billed today'),
        turnover,
      }),
    )
    .max(areaPoints)
    .describe('from where people charge, one for each area with a charge today, the most first'),
})

export const LatestOrder = row({
  id: z.string(),
  status: orderStatus.schema,
  endedAt: time,
  organiseName: z.string(),
  siteName: z.string().nullable(),
  regionName: z.string().describe(`city and district; ${unknownRegion} where nobody has said`),
  deviceNo: z.string(),
  deviceName: z.string().nullable(),
  memberPhone: personal('phone').nullable(),
  durationS: count,
  energyDwh,
  turnover,
})
export type LatestOrder = z.infer<typeof LatestOrder>

export const MemberArea = row({
  ...area,
  countNum: count.describe('members'),
  totalCount: count.describe('members of all there are, also those that are not listed'),
})
export const MemberRanking = row({ level: areaLevel.schema, ranking: z.array(MemberArea).max(rankingSize) })
export const MemberOrganise = row({
  by: ownerKind.schema.describe('organisations; once one is chosen, or is all one sees, its sites'),
  ranking: z.array(row({ id: z.string(), name: z.string(), countNum: count })).max(rankingSize),
  totalCount: count.describe('members of all, also those of no site'),
  todayCount: count.describe('members who registered today'),
})

const memberSpan = row({
  registered: count,
  rechargeCount: count,
  recharged: money,
  rechargeRefunded: money,
})
export const OrderPc = row(spansOf(row({ ...moneySpan.shape, energyDwh })))
export const MemberPc = row({ memberCount: count.describe('there are now'), ...spansOf(memberSpan) })

/** What the stream of a screen carries. */
export const ScreenEvent = z.discriminatedUnion('kind', [
  row({ kind: z.literal('beat'), at: time }).describe('at once, and every five seconds: the stream lives'),
  row({ kind: z.literal('changed'), what: z.enum(['order', 'device', 'member']), at: time }).describe(
    'figures of this scope have changed: read those panels again',
  ),
  row({ kind: z.literal('revoked') }).describe('who looks may look no longer; the stream ends'),
])
export type ScreenEvent = z.infer<typeof ScreenEvent>
