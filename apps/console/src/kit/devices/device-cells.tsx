import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import type { Device } from '@wattdeck/contract/product/device-manage.ts'
import { type Signal, signalOf } from '@wattdeck/domain/signal.ts'
import * as cells from '../display/cells.tsx'
import './device-cells.css'

type Ports = Device['ports']

/** '共 10 个端口：空闲 8，故障 2' */
const portsText = (ports: Ports) => {
  const parts = plugStatus.options
    .map(({ value, label }) => ({ label, count: ports.filter((port) => port.status === value).length }))
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${label} ${count}`)
  return `共 ${ports.length} 个端口：${parts.join('，')}`
}

/** One square for each port in the colour of its status; of an offline device, its last reported status. */
export function PlugStrip({ ports, online }: { ports: Ports; online: boolean }) {
  if (ports.length === 0) return cells.dash
  return (
    <span className={online ? 'plug-strip' : 'plug-strip last-known'}>
      <span className="visually-hidden">{portsText(ports) + (online ? '' : '（离线前）')}</span>
      {ports.map(({ portNo, status }) => {
        const { label, tone = 'off' } = plugStatus.show(status)
        return (
          <span key={portNo} className="plug" data-tone={tone} title={`${portNo}号端口 ${label}`} aria-hidden>
            {portNo}
          </span>
        )
      })}
    </span>
  )
}

export const OnlineDot = ({ online }: { online: boolean }) => (
  <span className="online-dot" data-online={online}>
    {online ? '在线' : '离线'}
  </span>
)

const signals: Record<Signal, { bars: number; text: string }> = {
  strong: { bars: 4, text: '强' },
  medium: { bars: 3, text: '中' },
  weak: { bars: 2, text: '弱' },
  veryWeak: { bars: 1, text: '极弱' },
  unknown: { bars: 0, text: '未知' },
}

export function SignalBars({ csq }: { csq: number | null }) {
  if (csq === null) return cells.dash
  const { bars, text } = signals[signalOf(csq)]
  return (
    <span className="signal" title={`CSQ ${csq}`}>
      <svg viewBox="0 0 18 14" width={18} height={14} aria-hidden>
        {[1, 2, 3, 4].map((bar) => (
          <rect
            key={bar}
            className={bar <= bars ? 'bar on' : 'bar'}
            x={bar * 4.5 - 4}
            y={14 - bar * 3.5}
            width={3}
            height={bar * 3.5}
          />
        ))}
      </svg>
      {text}
    </span>
  )
}
