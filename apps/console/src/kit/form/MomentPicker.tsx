import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'

dayjs.locale('zh-cn')

type Props = { id?: string; value?: string; onChange?: (moment: string | undefined) => void }

/** A second as text, as it stands in a form and on the wire: what a clock in Shanghai shows, wherever the reader is. */
export function MomentPicker({ id, value, onChange }: Props) {
  return (
    <DatePicker
      {...(id ? { id } : {})}
      style={{ width: '100%' }}
      showTime
      value={value ? dayjs(value) : null}
      onChange={(moment) => onChange?.(moment?.format('YYYY-MM-DD HH:mm:ss'))}
      // Enter takes the moment that was typed; it must not send the form as well.
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault()
      }}
    />
  )
}
