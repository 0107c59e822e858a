import { GateResult } from './_shared/GateResult.tsx'

export default function Error500Page() {
  return <GateResult code="500" title="抱歉，服务器出错了" />
}
