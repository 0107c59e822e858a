import type { LiveEvent, Notification } from '@wattdeck/contract/auth/notification.ts'
import { alwaysPopsUp, notification as notices } from '@wattdeck/contract/auth/notification.ts'
import { App } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { openLive } from '../kit/live/live.ts'
import { publishLive } from '../kit/live/live-bus.ts'
import { refetchRoutes, useDetail } from '../kit/api/queries.ts'
import { refreshSession } from '../kit/api/session.ts'
import { announceSessionEnd } from '../kit/api/session-end.ts'
import type { LiveState } from '../kit/live/sse.ts'
import { useRenewals } from '../kit/api/token.ts'

const pollMs = 30_000
export const firstNotices = { pageNum: 1, pageSize: 20 } as const

/** The state of this tab's live stream, and the number of unread notifications. */
export function useLiveNotices(): { live: LiveState; unread: number } {
  const { notification } = App.useApp()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [live, setLive] = useState<LiveState>('polling')
  const wasLost = useRef(false)
  const renewals = useRenewals()
  const list = useDetail(notices.list, { query: firstNotices })

  const preferences = useDetail(notices.preferences)
  const popsUp = (type: Notification['type']) =>
    alwaysPopsUp(type) || (preferences.data?.find((one) => one.type === type)?.popup ?? true)

  function popUp({ id, title, body, route }: Notification) {
    const description = title === body ? body : `${title}：${body}`
    const onClick = route ? { onClick: () => void navigate(route) } : {}
    notification.info({ key: id, title: '通知', description, ...onClick })
  }

  // A failed call reports itself.
  const readRights = () =>
    void refreshSession().then(
      () => revalidate(),
      () => undefined,
    )

  const onEvent = useEffectEvent((event: LiveEvent) => {
    if (event.kind === 'notice') {
      if (popsUp(event.notice.type)) popUp(event.notice)
      void refetchRoutes([notices.list])
    }
    if (event.kind === 'rights') readRights()
    if (event.kind === 'revoked') void announceSessionEnd()
    publishLive(event)
  })
  const onState = useEffectEvent((state: LiveState) => {
    const isBack = state === 'live' && wasLost.current
    wasLost.current = state !== 'live'
    setLive(state)
    if (!isBack) return
    // Events during the interruption of the stream are lost.
    void refetchRoutes([notices.list])
    readRights()
  })

  const onRenewal = useEffectEvent((count: number) => {
    if (count > 0) void revalidate()
  })

  // After a login over the page the old stream would only report the end of the old session.
  useEffect(() => {
    onRenewal(renewals)
    return openLive({ onEvent: (event) => onEvent(event), onState: (state) => onState(state) })
  }, [renewals])
  useEffect(() => {
    const timer = live === 'live' ? undefined : setInterval(() => void refetchRoutes([notices.list]), pollMs)
    return () => clearInterval(timer)
  }, [live])
  return { live, unread: list.data?.unreadCount ?? 0 }
}
