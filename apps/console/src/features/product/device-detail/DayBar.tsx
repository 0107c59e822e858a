import type { Period } from '@wattdeck/domain/tariff/rules.ts'
import { clockText, periodText } from '@wattdeck/domain/tariff/labels.ts'
import { useRef } from 'react'
import { periodTone } from '../tariff/tariff-form.ts'
import '../tariff/tariff.css'

type Part = { fromMin: number; toMin: number; period: Period }
type Props = {
  segments: readonly Part[]
  /** Without it the bar is read-only. */
  onMove?: (at: number, minute: number) => void
}

const day = 1440
const share = (minutes: number) => `${(minutes / day) * 100}%`

/** A day as a bar of prices in their tones, with edges that can be dragged or moved by the arrow keys. */
export function DayBar({ segments, onMove }: Props) {
  const bar = useRef<HTMLDivElement>(null)
  const minuteAt = (x: number) => {
    const box = bar.current?.getBoundingClientRect()
    return box === undefined ? 0 : ((x - box.left) / box.width) * day
  }
  return (
    <div className="day-bar">
      <div className="day-bar-parts" ref={bar}>
        {segments.map(({ fromMin, toMin, period }) => (
          <span
            key={fromMin}
            className="day-bar-part"
            data-tone={periodTone[period]}
            style={{ width: share(toMin - fromMin) }}
            title={`${clockText(fromMin)}–${clockText(toMin)} ${periodText[period]}`}
          >
            {toMin - fromMin >= 60 ? periodText[period] : ''}
          </span>
        ))}
        {onMove &&
          segments.slice(0, -1).map(({ toMin }, at) => (
            <span
              // The edge keeps its index while it moves.
              // oxlint-disable-next-line react/no-array-index-key -- edges have no other name than their place
              key={at}
              className="day-bar-edge"
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- several edges share one bar, which no input does
              role="slider"
              tabIndex={0}
              aria-label={`第${at + 1}段结束时间`}
              aria-valuemin={0}
              aria-valuemax={day}
              aria-valuenow={toMin}
              aria-valuetext={clockText(toMin)}
              style={{ insetInlineStart: share(toMin) }}
              onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
              onPointerMove={(event) => {
                if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(at, minuteAt(event.clientX))
              }}
              onKeyDown={({ key }) => {
                const by = key === 'ArrowLeft' ? -30 : key === 'ArrowRight' ? 30 : 0
                if (by !== 0) onMove(at, toMin + by)
              }}
            />
          ))}
      </div>
      <div className="day-bar-hours" aria-hidden>
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour} style={{ insetInlineStart: share(hour * 60) }}>
            {hour}
          </span>
        ))}
      </div>
    </div>
  )
}
