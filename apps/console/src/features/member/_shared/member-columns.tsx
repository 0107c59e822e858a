import type { MemberRow } from '@wattdeck/contract/member/wechat-user.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import { BlockedTag } from './blocked-tag.tsx'
import './member.css'

const masked = (key: 'openId' | 'unionId', what: string) => ({
  card: 'none' as const,
  render: (row: MemberRow) => <MaskedText value={row[key]} kind="memberIdentity" id={row.id} field={key} what={what} />,
})
const money = (key: 'balance' | 'paidBalance' | 'giftBalance' | 'frozen' | 'recharged' | 'consumed') => ({
  render: (row: MemberRow) => cells.money(row[key]),
})

/** The first letter replaces the picture: pictures of WeChat are on servers that the console must not call. */
const whoOf = ({ nickname }: MemberRow) => (
  <span className="member-name">
    <span className="member-face" aria-hidden="true">
      {Array.from(nickname)[0]}
    </span>
    {nickname}
  </span>
)

/** Changes to the declared columns of the contract for both member pages. */
export const memberColumns: ColumnChanges<MemberRow> = {
  nickname: { render: whoOf },
  // The badge is beside the number, because a long nickname would clip it.
  memberId: {
    render: ({ memberId, blocked }) => (
      <span className="member-number">
        {memberId}
        <BlockedTag scope={blocked} />
      </span>
    ),
  },
  phone: {
    render: (row) => <MaskedText value={row.phone} kind="member" id={row.memberId} field="phone" what="手机号" />,
  },
  balance: money('balance'),
  paidBalance: money('paidBalance'),
  giftBalance: money('giftBalance'),
  frozen: money('frozen'),
  recharged: money('recharged'),
  consumed: money('consumed'),
  lastConsumedAt: { render: (row) => cells.ago(row.lastConsumedAt) },
  lastLoginAt: { render: (row) => cells.ago(row.lastLoginAt) },
  openId: masked('openId', 'OpenID'),
  unionId: masked('unionId', 'UnionID'),
}

type Apps = readonly { id: string; name: string; organiseName: string }[]
/** Users who see apps of several organisations also see the organisation of each app. */
export function appFilter(label: string, apps: Apps = []) {
  const several = new Set(apps.map((app) => app.organiseName)).size > 1
  const options = apps.map(({ id, name, organiseName }) => ({
    value: id,
    label: several ? `${name}（${organiseName}）` : name,
  }))
  return { kind: 'select', name: 'appId', label, options } as const
}
