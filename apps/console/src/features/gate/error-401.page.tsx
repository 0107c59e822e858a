import { GateResult } from './_shared/GateResult.tsx'

export default function Error401Page() {
  return <GateResult code="401" title="抱歉，您无权访问该页面" />
}
