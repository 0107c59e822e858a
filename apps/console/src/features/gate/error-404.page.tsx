import { GateResult } from './_shared/GateResult.tsx'

export default function Error404Page() {
  return <GateResult code="404" title="抱歉，您访问的页面不存在" />
}
