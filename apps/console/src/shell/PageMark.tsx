import { session, type UserInfo } from '@wattdeck/contract/auth/session.ts'
import { Watermark } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call } from '../kit/api/api.ts'
import { minuteText } from '../kit/display/time-text.ts'

const minuteMs = 60_000
// Neither black nor white: it is seen on both, and on paper, which is white whatever the theme.
const colour = 'rgba(128, 128, 128, 0.16)'

/** Name, last digits of the phone and the minute. */
const linesOf = (user: UserInfo, at: Date) => [`${user.userName} ${user.phone.slice(-4)}`, minuteText(at)]

function useMinute() {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setTimeout(() => setNow(new Date()), minuteMs - (now.getTime() % minuteMs))
    return () => clearTimeout(timer)
  }, [now])
  return now
}

/**
 * Over everything that is shown, so that a photograph of the screen tells whose screen it was. A layer of its own beside
 * the page: it takes no click, and the page does not wait for it. Taking it away puts it back and stands in the log.
 */
export default function PageMark({ user }: { user: UserInfo }) {
  const now = useMinute()
  const toldAt = useRef(0)
  function tell() {
    // Once a minute is enough to know.
    if (Date.now() - toldAt.current < minuteMs) return
    toldAt.current = Date.now()
    void call(session.watermarkRemoved).catch(() => undefined)
  }
  return (
    <div className="page-mark" aria-hidden>
      <Watermark
        content={linesOf(user, now)}
        font={{ color: colour, fontSize: 14 }}
        gap={[120, 110]}
        style={{ position: 'absolute', inset: 0 }}
        onRemove={tell}
      />
    </div>
  )
}
