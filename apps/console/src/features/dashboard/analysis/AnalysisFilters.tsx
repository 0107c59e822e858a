import { analysis, analysisDays, analysisGrain } from '@wattdeck/contract/dashboard/analysis.ts'
import { Segmented, Select, Skeleton } from 'antd'
import { lazy, Suspense } from 'react'
import { ownerLevels } from '../../../kit/owner-region/owner.ts'
import { useDetail } from '../../../kit/api/queries.ts'
import { grainsFor, presets } from './analysis-state.ts'
import type { Analysis } from './use-analysis.ts'

const DateRange = lazy(() => import('../../../kit/form/DateRange.tsx'))
const OwnerFilter = lazy(() => import('../../../kit/owner-region/OwnerFilter.tsx'))

/** The filters of the whole page. A selection applies at once. */
export function AnalysisFilters({ of: { state, change } }: { of: Analysis }) {
  const types = useDetail(analysis.deviceTypes).data ?? []
  const { organiseId = null, agentId = null, siteId = null, deviceTypeId } = state.owners
  const grains = analysisGrain.options.filter(({ value }) => grainsFor(state.days).includes(value))
  return (
    <search className="panel analysis-filters">
      <div className="analysis-scroll">
        <Segmented
          aria-label="时间范围"
          value={state.preset ?? ''}
          options={[...presets]}
          onChange={(range) => change({ range })}
        />
      </div>
      <Suspense fallback={<Skeleton.Input />}>
        <DateRange
          label="时间"
          mostDays={analysisDays.most}
          value={[state.days.from, state.days.to]}
          onChange={([from, to]) => {
            if (from !== undefined && to !== undefined) change({ from, to })
            else change({ range: '30d' })
          }}
        />
      </Suspense>
      {grains.length > 1 && (
        <Segmented
          aria-label="粒度"
          value={state.grain}
          options={grains}
          onChange={(grain) => change({ grain: String(grain) })}
        />
      )}
      <Select
        className="filter-select"
        aria-label="设备类型"
        placeholder="设备类型"
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        value={deviceTypeId}
        options={types.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(id: string | undefined) => change({ deviceTypeId: id })}
      />
      <Suspense fallback={<Skeleton.Input className="filter-select" />}>
        <OwnerFilter
          levels={ownerLevels}
          value={{ organiseId, agentId, siteId }}
          onChange={(owner) => change({ organiseId: owner.organiseId, agentId: owner.agentId, siteId: owner.siteId })}
        />
      </Suspense>
    </search>
  )
}
