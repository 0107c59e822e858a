import { Tabs } from 'antd'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { DownloadFiles } from './download.files.tsx'

const DownloadJobs = lazyPart(async () => (await import('./download.jobs.tsx')).DownloadJobs)

/** Exports and batch jobs, which the worker runs in the background. */
export default function DownloadPage() {
  const [params, setParams] = useSearch()
  const tab = params.get('tab') === 'batch' ? 'batch' : 'files'
  return (
    <PageFrame title="下载管理">
      <Tabs
        activeKey={tab}
        onChange={(key) => setParams(key === 'batch' ? { tab: 'batch' } : {})}
        destroyOnHidden
        items={[
          { key: 'files', label: '导出文件', children: <DownloadFiles /> },
          { key: 'batch', label: '批量任务', children: <DownloadJobs /> },
        ]}
      />
    </PageFrame>
  )
}
