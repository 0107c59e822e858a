import {
  areaMost,
  areaWhere,
  type OperationArea,
  operationArea,
  polygonText,
} from '@wattdeck/contract/system/operation-area.ts'
import { Modal, Tabs } from 'antd'
import { useState } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { type RowOf, useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import type { AreaChoice } from './area-choice.ts'
import { MemberChooser } from '../_shared/MemberChooser.tsx'
import { MemberDialog } from '../_shared/MemberDialog.tsx'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

const SitesMap = lazyPart(async () => (await import('./operation-area.sites-map.tsx')).SitesMap)

type SiteRow = RowOf<typeof operationArea.sites>
type Props = { of: OperationArea; onClose: () => void }
const titleOf = (of: OperationArea) => `分配站点：${of.name}`

const columns: Column<SiteRow>[] = [
  { key: 'name', title: '站点名称', width: 200, render: (row) => row.name },
  { key: 'code', title: '站点编号', width: 120, render: (row) => row.code },
  { key: 'region', title: '省市区', width: 200, render: (row) => cells.text(row.regionName) },
  { key: 'agentName', title: '所属代理商', render: (row) => cells.text(row.agentName) },
  { key: 'located', title: '经纬度', width: 90, render: (row) => (row.located ? '已设置' : cells.dash) },
]

export function AreaSitesDialog({ of, onClose }: Props) {
  const now = useDetail(operationArea.assigned, { params: { id: of.id } })
  // Cached data of an earlier opening may be stale.
  if (now.data && now.isFetchedAfterMount) {
    const { sites, polygon } = now.data
    const assignment = { sites: new Map(sites.map(({ id, name }) => [id, name])), corners: polygon }
    return <SitesChoice of={of} held={assignment} onClose={onClose} />
  }
  return (
    <Modal open title={titleOf(of)} width={dialogWidth.xl} footer={null} onCancel={onClose}>
      <States query={now}>{() => null}</States>
    </Modal>
  )
}

function SitesChoice({ of, held: assignment, onClose }: Props & { held: AreaChoice }) {
  const [chosen, setChosen] = useState<AreaChoice>()
  const now = chosen ?? assignment
  const submit = useSubmit(operationArea.assignSites, {
    refresh: [operationArea.list],
    feedback: 'inline',
    onDone: onClose,
  })
  const save = () =>
    void submit.run({
      body: {
        id: of.id,
        siteIds: [...now.sites.keys()],
        ...(now.corners.length > 0 ? { polygon: polygonText(now.corners) } : {}),
      },
    })
  return (
    <MemberDialog
      title={titleOf(of)}
      dirty={chosen !== undefined}
      problem={now.sites.size > areaMost.sites ? `一个区域最多分配${areaMost.sites}个站点` : undefined}
      {...submit}
      onSave={save}
      onClose={onClose}
    >
      <Tabs
        items={[
          {
            key: 'list',
            label: `列表选择（已选 ${now.sites.size}）`,
            children: (
              <MemberChooser
                listKey="operation-area-sites"
                route={operationArea.sites}
                params={{ id: of.id }}
                columns={columns}
                nameOf={(row) => row.name}
                filters={[
                  { kind: 'text', name: 'keyword', label: '名称/编号' },
                  { kind: 'select', name: 'where', label: '范围', options: areaWhere.options },
                ]}
                word="站点"
                value={now.sites}
                onChange={(sites) => setChosen({ ...now, sites })}
              />
            ),
          },
          {
            key: 'map',
            label: '地图圈选',
            children: <SitesMap of={of} value={now} onChange={setChosen} />,
          },
        ]}
      />
    </MemberDialog>
  )
}
