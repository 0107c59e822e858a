import { daysOf, totalsMaxDays } from '@wattdeck/contract/order/order-row.ts'
import { invalid } from '../../../kit/http/refusal.ts'

/** A sum reads every order in its range, so the range is limited to a month. */
export function checkSpan(filter: { from: string; to: string }): void {
  const days = daysOf(filter) ?? 0
  if (days < 1) throw invalid('结束日期不能早于开始日期', 'to')
  if (days > totalsMaxDays) throw invalid(`合计的时间范围不能超过${totalsMaxDays}天`, 'to')
}
