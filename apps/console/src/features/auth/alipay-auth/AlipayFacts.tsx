import type { AlipayProgress } from '@wattdeck/contract/auth/alipay-auth.ts'
import * as cells from '../../../kit/display/cells.tsx'

/** The authorising account, the organisation and the time. */
export function AlipayFacts({ organiseName, authorisation }: Pick<AlipayProgress, 'organiseName' | 'authorisation'>) {
  return (
    <dl className="alipay-facts">
      <dt>机构名称</dt>
      <dd>{organiseName}</dd>
      <dt>授权账号</dt>
      <dd>{cells.text(authorisation?.account)}</dd>
      <dt>授权时间</dt>
      <dd>{cells.time(authorisation?.authorisedAt)}</dd>
    </dl>
  )
}
