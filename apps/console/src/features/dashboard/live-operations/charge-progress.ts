import type { LiveCharge } from '@wattdeck/contract/dashboard/live-operations.ts'
import { chargeLimit } from '@wattdeck/contract/order/order-codes.ts'
import { energyText, feeText } from '@wattdeck/domain/tariff/labels.ts'
import { shanghaiTime } from '../../../kit/display/time-text.ts'

/** percent: undefined when the progress is unknown. */
export type Progress = { percent: number | undefined; text: string }
type Charge = Pick<LiveCharge, 'startedAt' | 'energyDwh' | 'amount' | 'limitBy' | 'limitValue'>

/** Whole minutes since the start. */
export const minutesOf = ({ startedAt }: Pick<Charge, 'startedAt'>, now: number) =>
  Math.max(0, Math.floor((now - shanghaiTime(startedAt).getTime()) / 60_000))

const share = (done: number, of: number) => (of <= 0 ? undefined : Math.min(100, Math.floor((100 * done) / of)))

/** The progress of a charge towards its limit. */
export function progressOf(charge: Charge, now: number): Progress {
  const { limitBy, limitValue, energyDwh, amount } = charge
  const { money, minutes, energy, full } = chargeLimit.code
  if (limitBy === minutes)
    return { percent: share(minutesOf(charge, now), limitValue), text: `选择 ${limitValue} 分钟` }
  if (limitBy === energy)
    return {
      percent: energyDwh === null ? undefined : share(energyDwh, limitValue),
      text: `选择 ${energyText(limitValue)} kWh`,
    }
  if (limitBy === money) {
    // In fen, only for the bar: the text has the exact amount.
    const fen = amount === null ? undefined : Number(amount.replace('.', ''))
    return { percent: fen === undefined ? undefined : share(fen, limitValue), text: `选择 ¥${feeText(limitValue)}` }
  }
  return { percent: undefined, text: limitBy === full ? '充满为止' : '' }
}

const twoDecimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
/** Watts as decimal text to kW for display: 6400 is 6.40. */
export const kilowatts = (watts: string) => (Number(watts) / 1000).toLocaleString('zh-CN', twoDecimals)
