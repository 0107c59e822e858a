import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'

dayjs.locale('zh-cn')

type Props = { id?: string; value?: string; onChange?: (moment: string | undefined) => void }

/** A time with seconds as text in the format of forms and the wire: Shanghai time, wherever the user is. */
export function MomentPicker({ id, value, onChange }: Props) {
  return (
    <DatePicker
      {...(id ? { id } : {})}
      style={{ width: '100%' }}
      showTime
      value={value ? dayjs(value) : null}
      onChange={(moment) => onChange?.(moment?.format('YYYY-MM-DD HH:mm:ss'))}
      // Enter accepts the typed moment; it must not submit the form as well.
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault()
      }}
    />
  )
}
