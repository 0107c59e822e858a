import { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { notification } from '@wattdeck/contract/auth/notification.ts'
import { Link } from 'react-router'
import { MenuIcon } from '../../../kit/display/menu-icons.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { Block, NothingHere } from '../_shared/Block.tsx'
import { LatestNotices } from './LatestNotices.tsx'
import { RecentLogins } from './RecentLogins.tsx'
import type { CardProps } from './card-props.ts'

/** The same query as the notification bell of the shell, so one call serves both. */
const firstNotices = { pageNum: 1, pageSize: 20 } as const

export function NoticesCard({ title }: CardProps) {
  const read = useDetail(notification.list, { query: firstNotices })
  const unread = read.data?.unreadCount ?? 0
  return (
    <Block title={title} area="notices" query={read} extra={unread > 0 && <Tag tone="run">{`${unread} 条未读`}</Tag>}>
      {(data) => <LatestNotices rows={data.rows} />}
    </Block>
  )
}

export function LoginsCard({ title }: CardProps) {
  const read = useDetail(workTable.logins)
  return (
    <Block title={title} area="logins" query={read}>
      {(data) => <RecentLogins logins={data} />}
    </Block>
  )
}

export function ShortcutsCard({ title, shortcuts }: CardProps) {
  return (
    <section className="panel block" data-area="shortcuts" aria-label={title}>
      <header className="block-head">
        <h2>{title}</h2>
      </header>
      {shortcuts.length === 0 && <NothingHere>暂无可用菜单</NothingHere>}
      <ul className="shortcuts">
        {shortcuts.map((shortcut) => (
          <li key={shortcut.key}>
            <Link to={shortcut.path}>
              <span className="shortcut-icon">
                <MenuIcon name={shortcut.icon} />
              </span>
              {shortcut.title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
