import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'

dayjs.locale('zh-cn')

type Props = { id?: string; value?: string; onChange?: (day: string | undefined) => void }

/** A day as text in the format of forms and the wire. */
export function DayPicker({ id, value, onChange }: Props) {
  return (
    <DatePicker
      {...(id ? { id } : {})}
      style={{ width: '100%' }}
      value={value ? dayjs(value) : null}
      onChange={(day) => onChange?.(day?.format('YYYY-MM-DD'))}
      // Enter accepts the typed day; it must not submit the form as well.
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault()
      }}
    />
  )
}
