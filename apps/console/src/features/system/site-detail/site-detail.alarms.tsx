import { alarmCenter, alarmList } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmKind, unclosedAlarms } from '@wattdeck/contract/product/alarm-codes.ts'
import type { SiteDetail } from '@wattdeck/contract/system/site-detail.ts'
import { Link, useNavigate } from 'react-router'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import type { Alarm } from '@wattdeck/contract/product/alarm-center.ts'

/** The alarms of the site: unclosed ones first, most severe on top. */
export function SiteAlarms({ row: { id, organiseId } }: { row: SiteDetail }) {
  const navigate = useNavigate()
  const state = useLocalListState(alarmCenter.list, { organiseId, siteId: id })
  const {
    title: _title,
    exporting: _exporting,
    filters,
    ...list
  } = useFieldList(alarmList, {
    listKey: 'site-alarm',
    liveKey: 'alarm',
    columns: {
      status: { card: 'tag' },
      lastAt: { render: (row: Alarm) => cells.ago(row.lastAt) },
      portNo: { align: 'start' },
      siteName: false,
      agentName: false,
      organiseName: false,
    },
  })
  const query = new URLSearchParams({ siteId: id, unclosed: unclosedAlarms.code.only }).toString()
  return (
    <ListPanel
      {...list}
      state={state}
      nameOf={(row) => `${row.deviceNo} ${alarmKind.show(row.kind).label}`}
      filters={filters.filter(({ kind }) => kind !== 'owner')}
      rowActions={(row) => [{ label: '处理', onClick: () => void navigate(`/product/alarmCenter?alarmId=${row.id}`) }]}
      toolbar={<Link to={`/product/alarmCenter?${query}`}>在告警中心处理</Link>}
    />
  )
}
