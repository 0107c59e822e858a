import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import type { DeviceDetail, DevicePort } from '@wattdeck/contract/product/device-detail.ts'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { PortActions } from './PortActions.tsx'
import { portFacts } from './port-facts.ts'
import '../_shared/product.css'

const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

/** The current state of a port: its status, the start of the status, and readings during a charge. */
export function PortCard({ device, port }: { device: DeviceDetail; port: DevicePort }) {
  const [search] = useSearch()
  // A link to a port scrolls to its card.
  const isNamed = search.get('port') === String(port.portNo)
  const { label, tone = 'off' } = plugStatus.show(port.status as never)
  const facts = portFacts(port)
  return (
    <li
      className="port-card"
      data-tone={tone}
      aria-current={isNamed ? 'true' : undefined}
      ref={isNamed ? intoView : null}
    >
      <header>
        <strong>{port.portNo} 号端口</strong>
        <span>{port.enabled ? label : `${label}（已停用）`}</span>
      </header>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {name === '订单' ? (
                <ObjectLink kind="order" id={port.orderId}>
                  {value}
                </ObjectLink>
              ) : (
                value
              )}
            </dd>
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
