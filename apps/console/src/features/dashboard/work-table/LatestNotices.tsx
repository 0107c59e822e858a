import { type Notification, notification as notices, popupType } from '@wattdeck/contract/auth/notification.ts'
import { useNavigate } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import { ownPath } from '../../../kit/routing/own-path.ts'
import { homePath } from '../../../kit/routing/paths.ts'
import { StatusTag } from '../../../kit/display/StatusTag.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { NothingHere } from '../_shared/Block.tsx'

const most = 6

export function LatestNotices({ rows }: { rows: readonly Notification[] }) {
  const navigate = useNavigate()
  const markRead = useSubmit(notices.markRead, { refresh: [notices.list], feedback: 'silent' })
  function open({ id, read, route }: Notification) {
    if (!read) void markRead.run({ body: { ids: [id] } })
    if (route) void navigate(ownPath(route, homePath))
  }
  if (rows.length === 0) return <NothingHere>暂无通知</NothingHere>
  return (
    <ul className="latest-notices">
      {rows.slice(0, most).map((notice) => (
        <li key={notice.id}>
          <button type="button" data-unread={!notice.read} onClick={() => open(notice)}>
            <span className="notice-line">
              <StatusTag of={popupType} value={notice.type} />
              <span className="one-line">{notice.title}</span>
              {!notice.read && <span className="visually-hidden">未读</span>}
            </span>
            <span className="notice-text">{notice.body}</span>
            <span className="meta">{cells.ago(notice.createdAt)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
