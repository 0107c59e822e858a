import { Button } from 'antd'
import { errorText } from '../api/error-handling.ts'
import './tree-retry.css'

type Query = { error: unknown; isFetching: boolean; refetch: () => unknown }

/** Shown above a tree that failed to load; the list beside it works without it. */
export function TreeRetry({ query, what }: { query: Query; what: string }) {
  if (!query.error) return null
  return (
    <div className="tree-retry" role="alert">
      {what}加载失败：{errorText(query.error)}
      <Button size="small" loading={query.isFetching} onClick={() => query.refetch()}>
        重试
      </Button>
    </div>
  )
}
