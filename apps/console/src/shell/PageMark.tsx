import { session, type UserInfo } from '@wattdeck/contract/auth/session.ts'
import { Watermark } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call } from '../kit/api/api.ts'
import { minuteText } from '../kit/display/time-text.ts'

const minuteMs = 60_000
// Grey, so that it is visible on black and white, and on paper, which is white in both themes.
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
 * A watermark over the whole page, so that a photo of the screen identifies its user. A separate layer: it takes no click,
 * and the page does not wait for it. Its removal restores it and is logged.
 */
export default function PageMark({ user }: { user: UserInfo }) {
  const now = useMinute()
  const reportedAt = useRef(0)
  function reportRemoval() {
    // One log entry a minute is enough.
    if (Date.now() - reportedAt.current < minuteMs) return
    reportedAt.current = Date.now()
    void call(session.watermarkRemoved).catch(() => undefined)
  }
  return (
    <div className="page-mark" aria-hidden>
      <Watermark
        content={linesOf(user, now)}
        font={{ color: colour, fontSize: 14 }}
        gap={[120, 110]}
        style={{ position: 'absolute', inset: 0 }}
        onRemove={reportRemoval}
      />
    </div>
  )
}
