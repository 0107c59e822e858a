import { chargeOrder, type LiveCharge } from '@wattdeck/contract/dashboard/live-operations.ts'
import { payerText } from '@wattdeck/contract/order/order-row.ts'
import { energyText, wattText } from '@wattdeck/domain/tariff/labels.ts'
import { Segmented } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { Block, NothingHere } from '../_shared/Block.tsx'
import { kilowatts, minutesOf, progressOf } from './charge-progress.ts'
import { useChargePatches } from './use-charge-patches.ts'
import type { LiveQuery, Panels } from './use-panels.ts'

type Props = { panels: Panels; query: LiveQuery; onOrder: (order: LiveQuery['order']) => void }

/** The running charges. */
export function RunningCharges({ panels, query, onOrder }: Props) {
  const { charges: read } = panels
  useChargePatches(panels, query)
  return (
    <Block
      title="正在充电"
      area="charges"
      query={read}
      rows={6}
      extra={
        <Segmented
          aria-label="排序"
          value={query.order ?? chargeOrder.code.newest}
          options={chargeOrder.options}
          onChange={(order) => onOrder(order === chargeOrder.code.newest ? undefined : order)}
        />
      }
    >
      {({ count, rows }) =>
        rows.length === 0 ? (
          <NothingHere>当前没有充电</NothingHere>
        ) : (
          <>
            <ul className="charges" aria-label="正在充电">
              {rows.map((row) => (
                <ChargeLine key={row.id} charge={row} now={read.dataUpdatedAt} />
              ))}
            </ul>
            <p className="meta">
              共 {cells.count(count)} 笔{count > rows.length && `，显示前 ${rows.length} 笔`}
            </p>
          </>
        )
      }
    </Block>
  )
}

function ChargeLine({ charge, now }: { charge: LiveCharge; now: number }) {
  const { id, deviceId, deviceNo, portNo, siteId, siteName, powerDw, energyDwh, amount, online } = charge
  const { percent, text } = progressOf(charge, now)
  return (
    <li className="charge">
      <span className="charge-where">
        <strong className="one-line">
          <ObjectLink kind="site" id={siteId}>
            {siteName ?? '未分配站点'}
          </ObjectLink>
        </strong>
        <ObjectLink kind="device" id={deviceId}>
          {deviceNo}
        </ObjectLink>
        <ObjectLink kind="port" id={`${deviceId}/${portNo}`}>
          {portNo} 号端口
        </ObjectLink>
        {!online && <Tag tone="bad">离线</Tag>}
      </span>
      <span className="charge-power">{powerDw === null ? cells.dash : `${kilowatts(wattText(powerDw))} kW`}</span>
      <span className="charge-who">
        <ObjectLink kind="order" id={id}>
          {id}
        </ObjectLink>
        <ObjectLink kind="member" id={charge.memberId}>
          {cells.text(payerText(charge))}
        </ObjectLink>
      </span>
      <span className="charge-figures">
        {energyDwh === null ? null : <span>{energyText(energyDwh)} kWh</span>}
        {amount === null ? null : <span>¥{amount}</span>}
        <span>{minutesOf(charge, now)} 分钟</span>
        {percent === undefined && text !== '' && <span className="meta">{text}</span>}
      </span>
      {percent !== undefined && (
        <span className="charge-goal">
          <progress max={100} value={percent} aria-label={`${text}，已完成 ${percent}%`} />
          <span className="meta">
            {text} · {percent}%
          </span>
        </span>
      )}
    </li>
  )
}
