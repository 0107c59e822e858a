import { notification as notices, popupType } from '@wattdeck/contract/auth/notification.ts'
import { Button, Drawer, Segmented } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as cells from '../kit/display/cells.tsx'
import { ownPath } from '../kit/routing/own-path.ts'
import { useList } from '../kit/api/queries.ts'
import { EmptyPane, States } from '../kit/display/States.tsx'
import { StatusTag } from '../kit/display/StatusTag.tsx'
import { useSubmit } from '../kit/form/use-submit.ts'
import { firstNotices } from './use-live-notices.ts'

export default function NotificationDrawer({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [unreadOnly, setUnreadOnly] = useState(false)
  const [pageSize, setPageSize] = useState<number>(firstNotices.pageSize)
  const query = useList(notices.list, {
    query: { pageNum: 1, pageSize, ...(unreadOnly ? { unread: true } : {}) },
  })
  const markRead = useSubmit(notices.markRead, { refresh: [notices.list], feedback: 'silent' })

  return (
    <Drawer
      open
      title="通知"
      size={420}
      onClose={onClose}
      extra={
        <Button
          size="small"
          disabled={!query.data?.unreadCount}
          loading={markRead.pending}
          onClick={() => void markRead.run({ body: {} })}
        >
          全部已读
        </Button>
      }
    >
      <Segmented
        block
        aria-label="通知范围"
        value={unreadOnly ? 'unread' : 'all'}
        onChange={(value) => setUnreadOnly(value === 'unread')}
        options={[
          { value: 'all', label: '全部' },
          { value: 'unread', label: `未读 ${query.data?.unreadCount ?? 0}` },
        ]}
      />
      <States query={query}>
        {(page) =>
          page.rows.length === 0 ? (
            <div className="state-pane">
              <EmptyPane filtered={unreadOnly} onClear={() => setUnreadOnly(false)} />
            </div>
          ) : (
            <ul className="notices">
              {page.rows.map((notice) => (
                <li key={notice.id} data-unread={!notice.read}>
                  <button
                    type="button"
                    onClick={() => {
                      if (!notice.read) void markRead.run({ body: { ids: [notice.id] } })
                      if (!notice.route) return
                      onClose()
                      void navigate(ownPath(notice.route, '/'))
                    }}
                  >
                    <span className="notice-head">
                      <StatusTag of={popupType} value={notice.type} />
                      <strong>{notice.title}</strong>
                      {!notice.read && <span className="visually-hidden">未读</span>}
                    </span>
                    <span className="notice-body">{notice.body}</span>
                    <span className="meta">{cells.ago(notice.createdAt)}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </States>
      {query.data && (query.data.total ?? 0) > pageSize && pageSize < 500 && (
        <Button block loading={query.isFetching} onClick={() => setPageSize(Math.min(500, pageSize + 20))}>
          加载更多
        </Button>
      )}
    </Drawer>
  )
}
