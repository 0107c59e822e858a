import { enabledStatus } from '@wattdeck/contract/common.ts'
import { followStatus, type MemberRow, miniColumns, wechatColumns } from '@wattdeck/contract/member/member-row.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import { MemberLink } from '../../../kit/display/MemberLink.tsx'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import './member.css'

const titles = { ...wechatColumns, ...miniColumns }
type Key = keyof typeof titles
type More = Partial<Column<MemberRow>>

const column = (key: Key, width: number, render: Column<MemberRow>['render'], more: More = {}): Column<MemberRow> => ({
  key,
  title: titles[key],
  width,
  render,
  ...more,
})
const amount = (
  key: 'balance' | 'paidBalance' | 'giftBalance' | 'frozen' | 'recharged' | 'consumed',
  more: More = {},
) => column(key, 105, (row) => cells.money(row[key]), { align: 'end', ...more })
const masked = (key: 'openId' | 'unionId', more: More = {}) =>
  column(
    key,
    180,
    (row) => <MaskedText value={row[key]} kind="memberIdentity" id={row.id} field={key} what={titles[key]} />,
    { card: 'none', ...more },
  )

/** The first letter stands for a picture: those of WeChat lie on servers that a console must not call. */
const whoOf = ({ memberId, nickname }: MemberRow) => (
  <span className="member-name">
    <span className="member-face" aria-hidden="true">
      {Array.from(nickname)[0]}
    </span>
    <MemberLink id={memberId} name={nickname} />
  </span>
)

const first = (): Column<MemberRow>[] => [
  column('nickname', 180, whoOf, { fixed: 'start' }),
  column('memberId', 110, (row) => row.memberId),
  column('phone', 150, (row) => (
    <MaskedText value={row.phone} kind="member" id={row.memberId} field="phone" what="手机号" />
  )),
]
const money = (): Column<MemberRow>[] => [
  amount('balance'),
  amount('paidBalance'),
  amount('giftBalance'),
  amount('frozen'),
  amount('recharged'),
  amount('consumed'),
]
const moments = (): Column<MemberRow>[] => [
  column('registeredAt', 180, (row) => cells.time(row.registeredAt)),
  column('lastConsumedAt', 120, (row) => cells.ago(row.lastConsumedAt)),
]

export const wechatTableColumns = (user: UserInfo | undefined): Column<MemberRow>[] => [
  ...first(),
  column('following', 100, (row) => cells.status(followStatus, row.following), { card: 'tag' }),
  ...money(),
  { ...column('appName', 140, (row) => row.appName), title: wechatColumns.appName },
  ...ownerColumns(user),
  ...moments(),
  masked('openId'),
]

export const miniTableColumns = (user: UserInfo | undefined): Column<MemberRow>[] => [
  ...first(),
  column('status', 90, (row) => cells.status(enabledStatus, row.status), { card: 'tag' }),
  ...money(),
  { ...column('appName', 140, (row) => row.appName), title: miniColumns.appName },
  ...ownerColumns(user),
  ...moments(),
  column('lastLoginAt', 120, (row) => cells.ago(row.lastLoginAt)),
  masked('openId'),
  masked('unionId', { hidden: true }),
]

type Apps = readonly { id: string; name: string; organiseName: string }[]
/** Who sees apps of several organisations is told whose each is. */
export function appOptions(apps: Apps | undefined) {
  const several = new Set(apps?.map((app) => app.organiseName)).size > 1
  return (apps ?? []).map(({ id, name, organiseName }) => ({
    value: id,
    label: several ? `${name}（${organiseName}）` : name,
  }))
}
