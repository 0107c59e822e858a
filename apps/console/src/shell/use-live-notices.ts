import type { LiveEvent } from '@wattdeck/contract/session/notification.ts'
import { notification as notices } from '@wattdeck/contract/session/notification.ts'
import { App } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { openLive } from '../kit/live.ts'
import { refetchRoutes, useDetail } from '../kit/queries.ts'
import { refreshSession } from '../kit/session.ts'
import { announceSessionEnd } from '../kit/session-end.ts'
import type { LiveState } from '../kit/sse.ts'

const pollMs = 30_000
export const firstNotices = { pageNum: 1, pageSize: 20 } as const

/** The live stream of this tab, and how many notices are unread. */
export function useLiveNotices(): { live: LiveState; unread: number } {
  const { notification } = App.useApp()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [live, setLive] = useState<LiveState>('polling')
  const list = useDetail(notices.list, { query: firstNotices })

  const onEvent = useEffectEvent((event: LiveEvent) => {
    if (event.kind === 'notice') {
      const { id, title, body, route } = event.notice
      const description = title === body ? body : `${title}：${body}`
      notification.info({
        key: id,
        title: '通知',
        description,
        ...(route ? { onClick: () => void navigate(route) } : {}),
      })
      void refetchRoutes([notices.list])
    }
    if (event.kind === 'rights') void refreshSession().then(() => revalidate())
    if (event.kind === 'revoked') announceSessionEnd()
  })
  const onState = useEffectEvent((state: LiveState) => setLive(state))

  useEffect(() => openLive({ onEvent: (event) => onEvent(event), onState: (state) => onState(state) }), [])
  useEffect(() => {
    const timer = live === 'live' ? undefined : setInterval(() => void refetchRoutes([notices.list]), pollMs)
    return () => clearInterval(timer)
  }, [live])
  return { live, unread: list.data?.unreadCount ?? 0 }
}
