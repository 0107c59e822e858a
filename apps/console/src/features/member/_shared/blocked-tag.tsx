import { blockScope } from '@wattdeck/contract/member/blacklist.ts'
import type { MemberRow } from '@wattdeck/contract/member/wechat-user.ts'
import { Tag } from '../../../kit/display/StatusTag.tsx'

const texts = { charge: '禁止充电', recharge: '禁止充值', both: '黑名单' }
const textOf = new Map(Object.entries(texts).map(([name, text]) => [blockScope.code[name as keyof typeof texts], text]))

/** What blocks bar a member from; nothing for a member without a block. */
export const BlockedTag = ({ scope }: { scope: MemberRow['blocked'] }) =>
  scope === null ? null : <Tag tone={blockScope.show(scope).tone ?? 'bad'}>{textOf.get(scope) ?? '黑名单'}</Tag>
