import { consumptionStandard, type StandardDetail } from '@wattdeck/contract/product/consumption-standard.ts'
import { rulesOf } from '@wattdeck/contract/product/tariff-sheet.ts'
import { Button, Drawer, Tabs } from 'antd'
import { useState } from 'react'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { Can } from '../../../kit/api/Can.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { EmptyPane, States } from '../../../kit/display/States.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { PublishDialog } from './consumption-standard.dialogs.tsx'
import { TariffVersions } from './consumption-standard.versions.tsx'
import { DayBar } from '../device-detail/DayBar.tsx'
import { Meaning } from '../tariff/tariff-preview.tsx'
import { TariffLab } from '../tariff/tariff-lab.tab.tsx'
import { TariffDevices } from '../tariff/tariff-push.list.tsx'
import '../tariff/tariff.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Props = { id: string; onClose: () => void; onEdit: () => void }

/** One tariff: its rules, its versions, its devices, and the effect of a new version. */
export function TariffDrawer({ id, onClose, onEdit }: Props) {
  const [search, setSearch] = useSearch()
  const [publishing, setPublishing] = useState(false)
  useReturnFocus(publishing)
  const stored = useDetail(consumptionStandard.read, { params: { id } })
  const onTab = (tab: string) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        next.set('tab', tab)
        return next
      },
      { replace: true },
    )
  const draft = stored.data?.own === true ? stored.data.draft : null
  return (
    <Drawer
      open
      title={<h2 className="tariff-title">{stored.data?.name ?? '消费标准'}</h2>}
      size={dialogWidth.xl}
      onClose={onClose}
      extra={
        stored.data?.own === true && (
          <>
            <Can route={consumptionStandard.edit}>
              <Button onClick={onEdit}>编辑</Button>{' '}
            </Can>
            {draft && (
              <Can route={consumptionStandard.publish}>
                <Button type="primary" onClick={() => setPublishing(true)}>
                  发布第 {draft.no} 版
                </Button>
              </Can>
            )}
          </>
        )
      }
    >
      <States query={stored} rows={10}>
        {(data) => (
          <Tabs
            activeKey={search.get('tab') ?? 'prices'}
            onChange={onTab}
            destroyOnHidden
            items={[
              { key: 'prices', label: '价格公示', children: <Prices of={data} /> },
              { key: 'versions', label: '版本记录', children: <TariffVersions of={data} /> },
              { key: 'devices', label: '设备与下发', children: <TariffDevices id={id} /> },
              { key: 'lab', label: '试算', children: <TariffLab of={data} /> },
            ]}
          />
        )}
      </States>
      {publishing && stored.data && draft && (
        <PublishDialog
          id={id}
          name={stored.data.name}
          versionId={draft.versionId}
          no={draft.no}
          onClose={() => setPublishing(false)}
        />
      )}
    </Drawer>
  )
}

function Prices({ of }: { of: StandardDetail }) {
  const shown = of.inForce ?? of.scheduled ?? of.draft
  if (shown === null) return <EmptyPane filtered={false} text="还没有发布" />
  const rules = rulesOf(shown.sheet)
  return (
    <>
      <p>
        第 {shown.no} 版 {of.inForce ? <Tag tone="ok">生效中</Tag> : <Tag tone="off">未生效</Tag>}
      </p>
      {rules.billingType === 0 && <DayBar segments={rules.segments} />}
      <Meaning rules={rules} />
    </>
  )
}
