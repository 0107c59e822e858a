import { commandKind } from '@wattdeck/contract/product/device-command.ts'
import { deviceEventKind, plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import {
  comparedRows,
  messageReplay,
  type ReplayComparison as Compared,
} from '@wattdeck/contract/product/message-replay.ts'
import { Alert } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { contentText, eventText, kindText } from '../../../kit/display/message-labels.ts'

type Line = { key: string; name: string; before: string | null; after: string | null; same: boolean }

const portText = (portNo: number | null) => (portNo === null ? '' : `${portNo} 号端口`)
const words = (...parts: string[]) => parts.filter((part) => part !== '').join(' ')
const eventKinds = new Map<string, string>(deviceEventKind.options.map(({ value, label }) => [value, label]))
const plugs = new Map<number, string>(plugStatus.options.map(({ value, label }) => [value, label]))

const eventLines = ({ events }: Compared): Line[] =>
  events.map(({ kind, portNo, detail, before, after }, place) => ({
    key: String(place),
    name: words(eventKinds.get(kind) ?? kind, portText(portNo), eventText(detail)),
    before: `${before} 次`,
    after: `${after} 次`,
    same: before === after,
  }))

const recordLines = ({ records }: Compared): Line[] =>
  records.map(({ id, kind, portNo, same, before, after }) => ({
    key: id,
    name: words(kindText(kind), portText(portNo)),
    before: before && contentText(before),
    after: after && contentText(after),
    same,
  }))

const standing = (status: number, energyWh: number | null, minutes: number | null) =>
  [
    plugs.get(status) ?? String(status),
    ...(energyWh === null ? [] : [`${energyWh / 1000} kWh`]),
    ...(minutes === null ? [] : [`${minutes} 分钟`]),
  ].join('，')

const portLines = ({ ports }: Compared): Line[] =>
  ports.map((port) => {
    const before = standing(port.statusBefore, port.energyWhBefore, port.minutesBefore)
    const after = standing(port.statusAfter, port.energyWhAfter, port.minutesAfter)
    return { key: String(port.portNo), name: portText(port.portNo), before, after, same: before === after }
  })

/** The effects of the messages then and now; differences are highlighted. */
export function ReplayComparison({ id }: { id: string }) {
  const read = useDetail(messageReplay.compare, { params: { id } })
  return (
    <States query={read} rows={8}>
      {(data) => {
        const parts = [
          { caption: '充电记录', lines: recordLines(data) },
          { caption: '端口状态', lines: portLines(data) },
          { caption: '事件', lines: eventLines(data) },
        ]
        return (
          <>
            <Verdict
              compared={data}
              differing={parts.flatMap(({ lines }) => lines.filter(({ same }) => !same)).length}
            />
            {parts.map(({ caption, lines }) => (
              <CompareTable key={caption} caption={caption} lines={lines} />
            ))}
            <SentCommands rows={data.sentCommands} />
          </>
        )
      }}
    </States>
  )
}

function Verdict({ compared, differing }: { compared: Compared; differing: number }) {
  const { sent, taken: processedCount } = compared.messages
  return (
    <>
      {processedCount < sent && (
        <Alert
          className="replay-note after"
          type="warning"
          showIcon
          title={`已重放 ${sent} 条，其中 ${sent - processedCount} 条未能处理`}
          description="无法处理的报文在设备管理的「异常报文」中。"
        />
      )}
      <Alert
        className="replay-note after"
        type={differing === 0 ? 'success' : 'warning'}
        showIcon
        title={differing === 0 ? '重放结果与当时一致' : `有 ${differing} 项与当时不同`}
      />
    </>
  )
}

const CompareTable = ({ caption, lines }: { caption: string; lines: readonly Line[] }) => (
  <table className="diff-table">
    <caption>
      {caption}
      {lines.length === comparedRows && `（仅列出前 ${comparedRows} 项，不同的在前）`}
    </caption>
    <thead>
      <tr>
        <th scope="col">内容</th>
        <th scope="col">当时</th>
        <th scope="col">重放</th>
      </tr>
    </thead>
    <tbody>
      {lines.length === 0 && (
        <tr>
          <td colSpan={3}>该时间段内没有</td>
        </tr>
      )}
      {lines.map(({ key, name, before, after, same }) => (
        <tr key={key} data-differs={!same}>
          <th scope="row">{name}</th>
          <td>{before ?? cells.dash}</td>
          <td>{after ?? cells.dash}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const commands = new Map<string, string>(commandKind.options.map(({ value, label }) => [value, label]))

/** The journal stores a command inside an event of the gateway. */
function commandText(portNo: number | null, content: Readonly<Record<string, unknown>>): string {
  const command = (content['command'] ?? { kind: '' }) as Readonly<Record<string, unknown>> & { kind: string }
  const { kind } = command
  return words(commands.get(kind) ?? kind, portText(portNo), contentText(command))
}

/** The commands sent during the original period; they are shown but not replayed. */
const SentCommands = ({ rows: commandRows }: { rows: Compared['sentCommands'] }) =>
  commandRows.length > 0 && (
    <table className="diff-table">
      <caption>当时下发的指令（不重放）</caption>
      <thead>
        <tr>
          <th scope="col">时间</th>
          <th scope="col">内容</th>
        </tr>
      </thead>
      <tbody>
        {commandRows.map(({ id, at, portNo, content }) => (
          <tr key={id}>
            <th scope="row">{at}</th>
            <td>{commandText(portNo, content)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
