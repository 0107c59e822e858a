import { attributeSetting, type DeviceAttribute } from '@wattdeck/contract/product/attribute-setting.ts'
import { valueProblem } from '@wattdeck/domain/attribute-value.ts'
import { Button } from 'antd'
import { useCallback, useState } from 'react'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { Can } from '../../../kit/api/Can.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { EmptyPane, States } from '../../../kit/display/States.tsx'
import { useDirtyGuard } from '../../../kit/form/use-dirty-guard.ts'
import { AttributeActions } from './attribute-setting.actions.tsx'
import { AttributeGroup } from './attribute-setting.group.tsx'
import { DeviceSelect } from './attribute-setting.select.tsx'
import { OnlineDot } from '../../../kit/devices/device-cells.tsx'
import '../_shared/product.css'

const BatchWriteDialog = lazyPart(async () => (await import('./attribute-setting.batch-dialog.tsx')).BatchWriteDialog)

/** The settings of a device: reported and desired values. The device id is in the URL. */
export default function AttributeSettingPage() {
  const [search, setSearch] = useSearch()
  const id = search.get('id') ?? ''
  const choose = (next: string) => setSearch({ id: next })
  return (
    <PageFrame title="属性设置" actions={<DeviceSelect value={id} onChange={choose} />}>
      {/^[1-9]\d{0,17}$/.test(id) ? (
        <DeviceAttributes key={id} id={id} />
      ) : (
        <section className="panel">
          <EmptyPane filtered={false} text="请选择要设置的设备" />
        </section>
      )}
    </PageFrame>
  )
}

const groupsOf = (attributes: readonly DeviceAttribute[]) => Map.groupBy(attributes, ({ groupName }) => groupName)

function DeviceAttributes({ id }: { id: string }) {
  const read = useDetail(attributeSetting.list, { params: { id } })
  const [edited, setEdited] = useState<Readonly<Record<string, string>>>({})
  const [batch, setBatch] = useState(false)
  const isDirty = useCallback(() => Object.keys(edited).length > 0, [edited])
  useDirtyGuard(isDirty)
  const values = Object.entries(edited).map(([identifier, value]) => ({ identifier, value }))
  const wrong = (attributes: readonly DeviceAttribute[]) =>
    attributes.some((one) => edited[one.identifier] !== undefined && valueProblem(one, edited[one.identifier] ?? ''))
  return (
    <States query={read} rows={8}>
      {({ device, attributes }) => (
        <>
          <section className="panel device-section attribute-bar">
            <span className="device-head">
              <OnlineDot online={device.online} />
              <strong>{device.deviceNo}</strong>
              <span>{device.name}</span>
              <span>{device.typeName}</span>
              <span className="meta">{device.templateName ?? '型号未关联属性模板'}</span>
            </span>
            <AttributeActions
              device={device}
              attributes={attributes}
              values={values}
              wrong={wrong(attributes)}
              onEdited={setEdited}
            />
            <Can route={attributeSetting.batchWrite}>
              <Button disabled={values.length === 0 || wrong(attributes)} onClick={() => setBatch(true)}>
                批量下发
              </Button>
            </Can>
          </section>
          {attributes.length === 0 && (
            <section className="panel">
              <EmptyPane filtered={false} text="该设备的型号没有属性模板，请先在设备类型中关联" />
            </section>
          )}
          {[...groupsOf(attributes)].map(([name, own]) => (
            <AttributeGroup key={name} name={name} attributes={own} edited={edited} onEdited={setEdited} />
          ))}
          {batch && <BatchWriteDialog device={device} values={values} onClose={() => setBatch(false)} />}
        </>
      )}
    </States>
  )
}
