import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import 'dayjs/locale/zh-cn'

dayjs.locale('zh-cn')

type Texts = [string | undefined, string | undefined]

const presets = () => {
  const today = dayjs().startOf('day')
  const days = (count: number): [Dayjs, Dayjs] => [today.subtract(count - 1, 'day'), today]
  return [
    { label: '今日', value: days(1) },
    { label: '昨日', value: [today.subtract(1, 'day'), today.subtract(1, 'day')] as [Dayjs, Dayjs] },
    { label: '近7天', value: days(7) },
    { label: '近30天', value: days(30) },
    { label: '本月', value: [today.startOf('month'), today] as [Dayjs, Dayjs] },
  ]
}

/** Disables days too far from the first selected one. */
const tooFar =
  (mostDays: number) =>
  (day: Dayjs, { from }: { from?: Dayjs }) =>
    from !== undefined && Math.abs(day.diff(from, 'day')) >= mostDays

/** Two days as text in the format of the URL. */
export default function DateRange(props: {
  id?: string
  label: string
  /** The longest range in days; unlimited by default. */
  mostDays?: number
  value?: Texts
  onChange?: (value: Texts) => void
}) {
  const [from, to] = props.value ?? []
  return (
    <DatePicker.RangePicker
      {...(props.id ? { id: props.id } : {})}
      aria-label={props.label}
      // A chosen range has a chip with its label, and needs the width for the dates.
      prefix={from === undefined && to === undefined && props.label}
      placeholder={['开始日期', '结束日期']}
      allowEmpty
      presets={presets()}
      {...(props.mostDays === undefined ? {} : { disabledDate: tooFar(props.mostDays) })}
      value={[from ? dayjs(from) : null, to ? dayjs(to) : null]}
      onChange={(days) => props.onChange?.([days?.[0]?.format('YYYY-MM-DD'), days?.[1]?.format('YYYY-MM-DD')])}
    />
  )
}
