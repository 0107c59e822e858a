import { Button } from 'antd'
import { useEffect, useMemo } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { CopyId } from '../kit/display/CopyId.tsx'
import { errorText, requestIdOf } from '../kit/api/error-handling.ts'
import { homePath } from '../kit/routing/paths.ts'
import { report } from '../kit/api/report.ts'
import { ResultPane } from '../kit/display/ResultPane.tsx'
import { NoPermission } from '../kit/display/States.tsx'
import { uniqueId } from '../kit/api/unique-id.ts'

/** Replaces a page that failed; the shell around it keeps working. */
export function PageBoundary() {
  const error = useRouteError()
  const reportId = useMemo(() => requestIdOf(error) ?? uniqueId(), [error])
  const refused = isRouteErrorResponse(error) && error.status === 403
  useEffect(() => {
    if (!refused) report(error, reportId)
  }, [error, refused, reportId])
  if (refused) return <NoPermission {...(error.data as { menuKey?: string })} />
  return (
    <ResultPane
      code="500"
      title="抱歉，页面出错了"
      actions={
        <>
          <Button type="primary" onClick={() => globalThis.location.reload()}>
            重新加载
          </Button>
          <Button href={homePath}>返回首页</Button>
        </>
      }
    >
      {errorText(error)}
      <br />
      报告编号 <CopyId value={reportId} what="报告编号" />
    </ResultPane>
  )
}
