import { ScissorOutlined } from '@ant-design/icons'
import { segmentsMax } from '@wattdeck/domain/limits.ts'
import { clockText, periodText } from '@wattdeck/domain/tariff/labels.ts'
import { Button, Select } from 'antd'
import { DayBar } from '../device-detail/DayBar.tsx'
import { dropSegment, moveEdge, type SegmentRow, splitSegment } from './tariff-form.ts'
import { AmountInput, type Problems, RemoveButton, RowProblem } from './tariff-rows.tsx'

type Props = { rows: readonly SegmentRow[]; onChange: (rows: SegmentRow[]) => void; problems: Problems }

const periods = Object.entries(periodText).map(([value, label]) => ({ value: value as SegmentRow['period'], label }))

/** Half hours between the neighbours, and the current minute. */
function edges(from: number, to: number, now: number) {
  const minutes = new Set([now])
  for (let minute = from + 30; minute < to; minute += 30) minutes.add(minute - (minute % 30))
  return [...minutes].toSorted((a, b) => a - b).map((minute) => ({ value: minute, label: clockText(minute) }))
}

/** The segments of a day, which always cover it: edges move, segments split or merge into their neighbour. */
export function SegmentRows({ rows, onChange, problems }: Props) {
  const replaceRow = (at: number, row: SegmentRow) => onChange(rows.with(at, row))
  return (
    <>
      <DayBar segments={rows} onMove={(at, minute) => onChange(moveEdge(rows, at, minute))} />
      <ol className="tariff-rows">
        {rows.map((row, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- segments have no other name than their place
          <li className="tariff-row" key={at}>
            <span>{clockText(row.fromMin)} 至</span>
            {at === rows.length - 1 ? (
              <span className="tariff-choice">{clockText(row.toMin)}</span>
            ) : (
              <Select
                className="tariff-choice"
                aria-label={`第${at + 1}段结束时间`}
                options={edges(row.fromMin, rows[at + 1]?.toMin ?? 1440, row.toMin)}
                value={row.toMin}
                onChange={(minute) => onChange(moveEdge(rows, at, minute))}
              />
            )}
            <Select
              className="tariff-choice"
              aria-label={`第${at + 1}段类型`}
              options={periods}
              value={row.period}
              onChange={(period) => replaceRow(at, { ...row, period })}
            />
            <AmountInput
              wide
              lead="电费"
              label={`第${at + 1}段电费`}
              unit="元/度"
              value={row.electricity}
              onChange={(electricity) => replaceRow(at, { ...row, electricity })}
            />
            <AmountInput
              wide
              lead="服务费"
              label={`第${at + 1}段服务费`}
              unit="元/度"
              value={row.service}
              onChange={(service) => replaceRow(at, { ...row, service })}
            />
            <Button
              type="text"
              icon={<ScissorOutlined />}
              aria-label={`拆分第${at + 1}段`}
              title="拆分"
              disabled={rows.length >= segmentsMax || row.toMin - row.fromMin <= 30}
              onClick={() => onChange(splitSegment(rows, at))}
            />
            {rows.length > 1 && (
              <RemoveButton label={`删除第${at + 1}段`} onClick={() => onChange(dropSegment(rows, at))} />
            )}
            <RowProblem problems={problems} path={`segments.${at}`} />
          </li>
        ))}
      </ol>
      <p className="meta">拖动色条上的分界线或选择时间来调整时段，最多 {segmentsMax} 个。</p>
      <RowProblem problems={new Map([...problems].filter(([path]) => path === 'segments'))} path="segments" />
    </>
  )
}
