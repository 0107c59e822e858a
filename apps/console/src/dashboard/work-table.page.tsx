import { ReloadOutlined } from '@ant-design/icons'
import { basicServiceStatus } from '@wattdeck/contract/common.ts'
import { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { notification } from '@wattdeck/contract/session/notification.ts'
import { Button, Tooltip } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { MenuIcon } from '../kit/menu-icons.tsx'
import { PageFrame } from '../kit/PageFrame.tsx'
import { homePath } from '../kit/paths.ts'
import { useDetail } from '../kit/queries.ts'
import { basicServiceText } from '../kit/service-text.ts'
import { Tag } from '../kit/StatusTag.tsx'
import { useUser } from '../kit/user.ts'
import { Block, NothingHere } from './Block.tsx'
import './dashboard.css'
import { dayText, greetingAt } from './greeting-at.ts'
import { LatestNotices } from './LatestNotices.tsx'
import { RecentLogins } from './RecentLogins.tsx'
import { shortcutsOf } from './shortcuts.ts'
import { ToDoTiles } from './ToDoTiles.tsx'

/** What the bell of the shell reads too, so that one call serves both. */
const firstNotices = { pageNum: 1, pageSize: 20 } as const

export default function WorkTablePage() {
  const user = useUser()
  const [openedAt] = useState(() => Date.now())
  const table = useDetail(workTable.read)
  const notices = useDetail(notification.list, { query: firstNotices })
  const busy = table.isRefetching || notices.isRefetching
  const refresh = () => {
    void table.refetch()
    void notices.refetch()
  }
  if (!user) return null
  const status = table.data?.basicServiceStatus ?? user.basicServiceStatus
  const { label, tone = 'off' } = basicServiceStatus.show(status)
  const now = Math.max(openedAt, table.dataUpdatedAt)
  const standing = [table.data?.organiseName ?? user.organiseName, user.departmentFullName, dayText(now)]
  const shortcuts = shortcutsOf(user.menuTree, user.roleCodeList, homePath)

  return (
    <PageFrame title={`${greetingAt(now)}，${user.userName}`} note={standing.filter(Boolean).join(' · ')}>
      <div className="work-table">
        <section className="panel block service" data-area="service" data-tone={tone} aria-label="基础服务">
          <header className="block-head">
            <h2>基础服务</h2>
          </header>
          <p className="service-label">{label}</p>
          <p className="service-text">{basicServiceText(status, user.serviceExpiresOn, now)}</p>
        </section>
        <Block title="待处理" area="to-do" query={table} extra={<Refresh busy={busy} onClick={refresh} />}>
          {(data) => <ToDoTiles items={data.toDo} />}
        </Block>
        <section className="panel block" data-area="shortcuts" aria-label="快捷入口">
          <header className="block-head">
            <h2>快捷入口</h2>
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
        <Block
          title="最新通知"
          area="notices"
          query={notices}
          extra={
            notices.data && notices.data.unreadCount > 0 && <Tag tone="run">{`${notices.data.unreadCount} 条未读`}</Tag>
          }
        >
          {(data) => <LatestNotices rows={data.rows} />}
        </Block>
        <Block title="最近登录" area="logins" query={table}>
          {(data) => <RecentLogins logins={data.recentLogins} />}
        </Block>
      </div>
    </PageFrame>
  )
}

function Refresh({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  return (
    <Tooltip title="刷新">
      <Button type="text" icon={<ReloadOutlined spin={busy} />} aria-label="刷新" data-shortcut="r" onClick={onClick} />
    </Tooltip>
  )
}
