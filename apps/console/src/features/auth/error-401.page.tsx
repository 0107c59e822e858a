import { AuthResult } from './_shared/AuthResult.tsx'

export default function Error401Page() {
  return <AuthResult code="401" title="抱歉，您无权访问该页面" />
}
