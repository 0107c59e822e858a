import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { HeatCard, SitesCard, TrendCard, TypesCard } from './analysis.orders.tsx'
import { DowntimeCard, MembersCard, RetentionCard, UsageCard } from './analysis.upkeep.tsx'
import { AnalysisFilters } from './AnalysisFilters.tsx'
import { AnalysisKpis } from './AnalysisKpis.tsx'
import { useAnalysis } from './use-analysis.ts'
import './analysis.css'

export default function AnalysisPage() {
  const of = useAnalysis()
  return (
    <PageFrame title="数据分析">
      <AnalysisFilters of={of} />
      <AnalysisKpis of={of} />
      <div className="analysis-grid">
        <TrendCard of={of} />
        <TypesCard of={of} />
        <SitesCard of={of} />
        <HeatCard of={of} />
        <UsageCard of={of} />
        <MembersCard of={of} />
        <RetentionCard of={of} />
        <DowntimeCard of={of} />
      </div>
    </PageFrame>
  )
}
