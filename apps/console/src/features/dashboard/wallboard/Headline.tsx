import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import { countText, kwhText, moneyNumber, moneyShort, moneyText, shortText } from './number-text.ts'
import { NumberFlop } from './NumberFlop.tsx'
import { StaleMark } from './ScreenPanel.tsx'
import { useWallboardSource } from './source.ts'
import { useFigures } from './use-figures.ts'
import { memberFilter, type WallboardFilter } from './wallboard-filter.ts'

/** The key figures: today with rolling digits, below it the month and the total. */
export function Headline({ filter }: { filter: WallboardFilter }) {
  const { hasMembers } = useWallboardSource()
  const money = useFigures(bigScreen.orderTransaction, filter, { of: ['order'] })
  const charging = useFigures(bigScreen.orderCharging, filter, { of: ['order'] })
  const members = useFigures(bigScreen.memberOrganiseCount, memberFilter(filter), {
    of: ['member'],
    pace: 'slow',
    enabled: hasMembers,
  })
  const { today, soFarUpto, todaySoFar, yesterdaySoFar, month, total } = money.data ?? {}
  const stale = money.staleSince ?? charging.staleSince
  return (
    <section className="wallboard-headline" aria-label="今日概况" data-stale={stale === undefined ? undefined : true}>
      <NumberFlop label="今日营收" value={today && moneyText(today.turnover)} unit="元" />
      <NumberFlop label="今日计费订单" value={today && countText(today.orderCount)} unit="单" />
      <NumberFlop label="今日充电量" value={charging.data && kwhText(charging.data.today.energyDwh)} unit="kWh" />
      <dl className="wallboard-strip">
        <Fact
          label={soFarUpto === undefined ? '今日 / 昨日' : `今日 / 昨日，均截至 ${soFarUpto.slice(11, 16)}`}
          value={todaySoFar && yesterdaySoFar && compared(todaySoFar.turnover, yesterdaySoFar.turnover)}
        />
        <Fact label="本月营收" value={month && moneyShort(month.turnover)} />
        <Fact label="累计营收" value={total && moneyShort(total.turnover)} />
        <Fact label="累计计费订单" value={total && shortText(total.orderCount)} />
        {hasMembers && <Fact label="会员" value={members.data && shortText(members.data.totalCount)} />}
        {hasMembers && <Fact label="今日新增会员" value={members.data && countText(members.data.todayCount)} />}
      </dl>
      {stale !== undefined && <StaleMark since={stale} />}
    </section>
  )
}

const Fact = ({ label, value }: { label: string; value: string | undefined }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value ?? '–'}</dd>
  </div>
)

/** Both amounts of the same hours, and the percentage when the base is not zero. */
function compared(now: string, before: string): string {
  const [value, base] = [moneyNumber(now), moneyNumber(before)]
  const both = `${moneyShort(now)} / ${moneyShort(before)}`
  if (base === 0) return both
  const percent = ((value - base) / base) * 100
  return `${both} ${percent >= 0 ? '+' : ''}${percent.toFixed(1)}%`
}
