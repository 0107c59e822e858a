import { Tooltip } from 'antd'
import { type LiveState, liveStateText } from '../kit/live/sse.ts'

const explained = {
  live: '通知实时送达',
  polling: '实时连接中断，正在定时刷新并重连',
  off: '无法连接服务器，正在重试',
} as const

export function LiveMark({ state }: { state: LiveState }) {
  return (
    <Tooltip title={explained[state]}>
      <output className="live-mark" data-state={state}>
        {liveStateText[state]}
      </output>
    </Tooltip>
  )
}
