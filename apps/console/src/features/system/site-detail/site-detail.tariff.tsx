import { consumptionStandard, type StandardDetail } from '@wattdeck/contract/product/consumption-standard.ts'
import { rulesOf } from '@wattdeck/contract/product/tariff-sheet.ts'
import type { SiteDetail } from '@wattdeck/contract/system/site-detail.ts'
import { displayText } from '@wattdeck/domain/tariff/display.ts'
import { useDetail } from '../../../kit/api/queries.ts'
import { EmptyPane, States } from '../../../kit/display/States.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'

/** The tariff of the site, which applies to devices without their own. */
export function SiteTariff({ row: { tariffId } }: { row: SiteDetail }) {
  return (
    <section className="panel site-section">
      {tariffId === null ? (
        <EmptyPane filtered={false} text="站点没有绑定消费标准，只有单独设置了消费标准的设备可以充电" />
      ) : (
        <SiteStandard id={tariffId} />
      )}
    </section>
  )
}

function SiteStandard({ id }: { id: string }) {
  const standard = useDetail(consumptionStandard.read, { params: { id } })
  return (
    <States query={standard} rows={6}>
      {(data) => <Prices of={data} />}
    </States>
  )
}

function Prices({ of: { id, name, inForce, scheduled } }: { of: StandardDetail }) {
  return (
    <>
      <h2>
        <ObjectLink kind="tariff" id={id}>
          {name}
        </ObjectLink>{' '}
        {inForce === null ? <Tag tone="off">未发布</Tag> : <Tag tone="ok">{`第 ${inForce.no} 版 生效中`}</Tag>}
      </h2>
      {inForce !== null && <pre className="site-prices">{displayText(rulesOf(inForce.sheet))}</pre>}
      {scheduled !== null && (
        <p className="meta">{`第 ${scheduled.no} 版将于 ${scheduled.effectiveAt.slice(0, 16)} 生效`}</p>
      )}
      <p className="meta">设备单独设置了消费标准时，以设备的为准。</p>
    </>
  )
}
