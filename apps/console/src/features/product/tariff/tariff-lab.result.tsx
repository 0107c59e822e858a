import type { LabResult, LabRun } from '@wattdeck/contract/product/tariff-lab.ts'
import { Alert } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import './tariff.css'

/** Differences in fen as bigint, so no amount becomes a floating-point number. */
const fenOf = (yuan: string) => BigInt(yuan.replace('.', ''))
const lessOf = (after: string, before: string) => {
  const fen = fenOf(after) - fenOf(before)
  const digits = (fen < 0n ? -fen : fen).toString().padStart(3, '0')
  return `${fen < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function Change({ yuan }: { yuan: string }) {
  const fen = fenOf(yuan)
  if (fen === 0n) return <>0.00</>
  return <span className={fen > 0n ? 'lab-up' : 'lab-down'}>{fen > 0n ? `+${yuan}` : yuan}</span>
}

const parts = [
  ['electricity', '电费'],
  ['service', '服务费'],
  ['occupancy', '占位费'],
  ['total', '合计'],
] as const

/** The amounts under the tested version, by part, by site and by member. */
export function LabFigures({ run, result }: { run: LabRun; result: LabResult }) {
  if (result.count === 0)
    return <Alert type="info" showIcon title={`近 ${run.days} 天没有可试算的订单，请选择有订单的站点`} />
  const { dearer, cheaper, count } = result
  return (
    <section aria-label="试算结果">
      <p>
        第 {run.versionNo} 版，近 {run.days} 天共 {cells.count(count)} 单：{cells.count(dearer)} 单变贵，
        {cells.count(cheaper)} 单变便宜，{cells.count(count - dearer - cheaper)} 单不变。
        {result.skipped > 0 && `另有 ${cells.count(result.skipped)} 单计量异常，未计入。`}
      </p>
      <p className="meta">
        {result.lawHolds ? '电费与服务费分开标示，符合规定。' : '电费与服务费未分开标示，不能发布。'}
        按原有用量重新计价；价格变化可能影响用户的充电行为，结果仅供参考。
      </p>
      <table className="lab-table">
        <thead>
          <tr>
            <th scope="col">收入（元）</th>
            <th scope="col">原账单</th>
            <th scope="col">试算</th>
            <th scope="col">差额</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(([key, label]) => (
            <tr key={key}>
              <td>{label}</td>
              <td>{result.before[key]}</td>
              <td>{result.after[key]}</td>
              <td>
                <Change yuan={lessOf(result.after[key], result.before[key])} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>按站点{result.siteCount > result.sites.length && `（变化最大的 ${result.sites.length} 个）`}</h3>
      <Sides rows={result.sites} what="站点" />
      <div className="lab-people">
        <div>
          <h3>多付最多的用户</h3>
          <Sides rows={result.losers} what="用户" />
        </div>
        <div>
          <h3>少付最多的用户</h3>
          <Sides rows={result.gainers} what="用户" />
        </div>
      </div>
    </section>
  )
}

function Sides({ rows, what }: { rows: LabResult['sites']; what: string }) {
  if (rows.length === 0) return <p className="meta">没有</p>
  return (
    <div className="lab-wide">
      <table className="lab-table">
        <thead>
          <tr>
            <th scope="col">{what}</th>
            <th scope="col">订单</th>
            <th scope="col">原账单</th>
            <th scope="col">试算</th>
            <th scope="col">差额</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- masked names repeat; the order is the result's own
            <tr key={at}>
              <td>{row.name}</td>
              <td>{cells.count(row.count)}</td>
              <td>{row.before}</td>
              <td>{row.after}</td>
              <td>
                <Change yuan={row.difference} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
