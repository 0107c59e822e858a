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
  paid: money.describe('part paid from recharged money'),
  gift: money.describe('part paid from gift money'),
  refunded: money.describe('refunded in this period, for payments of any date'),
  orderCount: count.describe('billed charges'),
})
/** Periods up to now: today, yesterday, this month and year, and the total. */
const spansOf = <T extends z.ZodType>(span: T) => ({
  today: span,
  yesterday: span,
  month: span,
  year: span,
  total: span,
})
export const Transaction = row({
  ...spansOf(moneySpan),
  soFarUpto: time.describe('last full hour; end of the comparison, for yesterday at the same hour'),
  todaySoFar: moneySpan.describe('today up to the last full hour, for comparison with yesterday'),
  yesterdaySoFar: moneySpan.describe('yesterday up to the same hour'),
})

export const OrderAnalysis = z
  .array(
    row({
      period: z.string().describe('YYYY-MM-DD or YYYY-MM'),
      orderCount: count.describe('billed charges'),
      releasedCount: count.describe('released charges, without a bill'),
      turnover,
      refunded: money,
      energyDwh,
    }),
  )
  .describe('30 days or 12 months without gaps, oldest first')

export const OrderNumbers = row({
  todayCount: count.describe('billed charges'),
  yesterdayCount: count,
  releasedCount: count.describe('released charges of today, without a bill'),
  refundCount: count.describe('refunds of today'),
  hours: z.array(row({ hour: z.int(), today: count, yesterday: count })).describe('24'),
})

const chargeSpan = row({
  orderCount: count.describe('billed charges'),
  seconds: count,
  energyDwh,
  averageSeconds: z.int().nullable().describe('null without a charge'),
  averageEnergyDwh: z.int().nullable(),
})
export const ChargingAnalysis = row({
  workingPortNum: count.describe('ports that are charging'),
  totalPortCount: count,
  today: chargeSpan,
  month: chargeSpan,
  hours: z
    .array(row({ hour: z.int(), seconds: count, energyDwh }))
    .describe('24 entries of today, by the hour of the end'),
})

export const TurnoverRanking = row({
  by: ownerKind.schema.describe('organisations; sites if one organisation is selected or visible'),
  ranking: z.array(row({ id: z.string(), name: z.string(), orderCount: count, turnover, energyDwh })).max(rankingSize),
  turnover: turnover.describe('total, including unlisted owners'),
})

export const TypeShare = row({
  items: z
    .array(
      row({
        deviceTypeId: z.string().nullable().describe('null: all other types together'),
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
      deviceNo: z.string().nullable().describe('null: the device now belongs to another owner'),
      deviceName: z.string().nullable(),
      siteName: z.string().nullable(),
      positionX,
      positionY,
      orderCount: count,
      turnover,
    }),
  )
  .max(rankingSize)
  .describe('a moved device is ranked at each of its sites')

export const Flylines = row({
  level: areaLevel.schema,
  to: row({ name: z.string(), positionX: z.number(), positionY: z.number() }).describe(
    "the region's centre; without a region, that of the organisation or the platform",
  ),
  lines: z
    .array(
      row({
        code: z.string(),
        name: z.string(),
        positionX: z.number(),
        positionY: z.number(),
        countNum: count.describe('billed charges of today'),
        turnover,
      }),
    )
    .max(areaPoints)
    .describe('one line per area with charges today, most charges first'),
})

export const LatestOrder = row({
  id: z.string(),
  status: orderStatus.schema,
  endedAt: time,
  organiseName: z.string(),
  siteName: z.string().nullable(),
  regionName: z.string().describe(`city and district; ${unknownRegion} if unknown`),
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
  totalCount: count.describe('members of all areas, including unlisted ones'),
})
export const MemberRanking = row({ level: areaLevel.schema, ranking: z.array(MemberArea).max(rankingSize) })
export const MemberOrganise = row({
  by: ownerKind.schema.describe('organisations; sites if one organisation is selected or visible'),
  ranking: z.array(row({ id: z.string(), name: z.string(), countNum: count })).max(rankingSize),
  totalCount: count.describe('all members, including those without a site'),
  todayCount: count.describe('members who registered today'),
})

const memberSpan = row({
  registered: count,
  rechargeCount: count,
  recharged: money,
  rechargeRefunded: money,
})
export const OrderPc = row(spansOf(row({ ...moneySpan.shape, energyDwh })))
export const MemberPc = row({ memberCount: count.describe('current members'), ...spansOf(memberSpan) })

/** Events of the stream of a screen. */
export const ScreenEvent = z.discriminatedUnion('kind', [
  row({ kind: z.literal('beat'), at: time }).describe('heartbeat, at once and every five seconds'),
  row({ kind: z.literal('changed'), what: z.enum(['order', 'device', 'member']), at: time }).describe(
    'figures of this scope changed; reload their panels',
  ),
  row({ kind: z.literal('revoked') }).describe('access was revoked; the stream ends'),
])
export type ScreenEvent = z.infer<typeof ScreenEvent>
