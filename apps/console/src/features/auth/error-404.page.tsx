import { AuthResult } from './_shared/AuthResult.tsx'

export default function Error404Page() {
  return <AuthResult code="404" title="抱歉，您访问的页面不存在" />
}
