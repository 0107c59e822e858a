import { App } from 'antd'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { readToken } from '../api/token.ts'
import { guardUnsaved } from './unsaved.ts'

export const abandonQuestion = {
  title: '确定要放弃未保存的修改吗？',
  okText: '放弃修改',
  cancelText: '继续编辑',
} as const

/**
 * Asks before a link, the back button or a closed tab discards unsaved input. While there is some, the end of the
 * session does not leave the page either: the login opens over it.
 */
export function useDirtyGuard(isDirty: () => boolean, onAbandon?: () => void) {
  const { modal } = App.useApp()
  // After logout nothing can be saved; a question would keep the user on a dead page.
  const mustAsk = () => readToken() !== null && isDirty()
  const blocker = useBlocker(({ currentLocation, nextLocation }) =>
    mustAsk() ? currentLocation.pathname !== nextLocation.pathname : false,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const proceed = () => {
      onAbandon?.()
      blocker.proceed()
    }
    void modal.confirm({ ...abandonQuestion, onOk: proceed, onCancel: () => blocker.reset() })
  }, [blocker, modal, onAbandon])
  useEffect(() => guardUnsaved(isDirty), [isDirty])
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (readToken() !== null && isDirty()) event.preventDefault()
    }
    globalThis.addEventListener('beforeunload', ask)
    return () => globalThis.removeEventListener('beforeunload', ask)
  }, [isDirty])
}
