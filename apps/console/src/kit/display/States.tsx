import { Button, Empty, Skeleton } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { CopyId } from './CopyId.tsx'
import { errorText, requestIdOf } from '../api/error-handling.ts'
import { homePath } from '../routing/paths.ts'
import { ResultPane } from './ResultPane.tsx'

type Query<D> = { data: D | undefined; error: unknown; refetch: () => unknown }

/** Renders the content once there is data, also after a failed refetch; before that the error or a skeleton. */
export function States<D>({
  query,
  rows = 4,
  children,
}: {
  query: Query<D>
  rows?: number
  children: (data: D) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <FailedPane error={query.error} onRetry={query.refetch} />
  return <LateSkeleton rows={rows} />
}

/** A skeleton that appears after 200 ms, so that a fast response does not flicker. */
export function LateSkeleton({ rows }: { rows: number }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200)
    return () => clearTimeout(timer)
  }, [])
  return (
    <output className="late-skeleton" aria-label="加载中…">
      {late && <Skeleton active title={false} paragraph={{ rows }} />}
    </output>
  )
}

type FailedProps = { error: unknown; onRetry: () => unknown; rescue?: ReactNode }

export function FailedPane({ error, onRetry, rescue }: FailedProps) {
  const requestId = requestIdOf(error)
  return (
    <div className="state-pane" role="alert">
      <p>{errorText(error)}</p>
      {requestId && (
        <p className="meta">
          报告编号 <CopyId value={requestId} what="报告编号" />
        </p>
      )}
      <Button onClick={() => onRetry()}>重试</Button> {rescue}
    </div>
  )
}

export function EmptyPane({
  filtered,
  text = filtered ? '没有符合条件的记录' : '暂无数据',
  onClear,
  action,
}: {
  filtered: boolean
  text?: string
  onClear?: () => void
  action?: ReactNode
}) {
  return (
    <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={text}>
      {filtered ? onClear && <Button onClick={onClear}>清除筛选</Button> : action}
    </Empty>
  )
}

export function NoPermission({ menuKey }: { menuKey?: string }) {
  return (
    <ResultPane
      code="403"
      title="抱歉，您无权访问该页面"
      actions={
        <Button type="primary" href={homePath}>
          返回首页
        </Button>
      }
    >
      {menuKey && `菜单编码 ${menuKey}。`}如需使用，请联系管理员申请权限。
    </ResultPane>
  )
}
