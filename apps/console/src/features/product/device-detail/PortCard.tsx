import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import type { DeviceDetail, DevicePort } from '@wattdeck/contract/product/device-detail.ts'
import { PortActions } from './PortActions.tsx'
import '../_shared/product.css'

const measure = (value: number | null, size: number, unit: string) =>
  value === null ? null : `${Math.round((value / size) * 100) / 100} ${unit}`

/** A port as it is now: what it does, since when, and what it measures while it works. */
export function PortCard({ device, port }: { device: DeviceDetail; port: DevicePort }) {
  const { label, tone = 'off' } = plugStatus.show(port.status as never)
  const facts = [
    ['功率', measure(port.powerDw, 10, 'W')],
    ['电量', measure(port.energyWh, 1000, 'kWh')],
    ['时长', measure(port.minutes, 1, '分钟')],
    ['温度', measure(port.temperatureC, 1, '℃')],
    ['订单', port.orderNo],
  ] as const
  return (
    <li className="port-card" data-tone={tone}>
      <header>
        <strong>{port.portNo} 号端口</strong>
        <span>{port.enabled ? label : `${label}（已禁用）`}</span>
      </header>
      <dl>
        {facts
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <footer>
        自 {port.statusSince.slice(5, 16)} 起
        <PortActions device={device} port={port} />
      </footer>
    </li>
  )
}
