import { AuthResult } from './_shared/AuthResult.tsx'

export default function Error500Page() {
  return <AuthResult code="500" title="抱歉，服务器出错了" />
}
