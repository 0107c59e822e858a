import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { usePrinting } from '../kit/display/printing.ts'
import { minuteText } from '../kit/display/time-text.ts'
import './print.css'

/** On paper only: the user and the time of the print. The page's own title follows below. */
export default function PrintHead({ user }: { user: UserInfo }) {
  const printedAt = usePrinting()
  if (!printedAt) return null
  return (
    <p className="print-head">
      <span>物联网控制中心 · {user.organiseName}</span>
      <span>
        打印人 {user.userName} · 打印时间 {minuteText(printedAt)}
      </span>
    </p>
  )
}
