import { App } from 'antd'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'

export const abandonQuestion = {
  title: '确定要放弃未保存的修改吗？',
  okText: '放弃修改',
  cancelText: '继续编辑',
} as const

/** Asks before a link, the back button or a closed tab takes unsaved work away. */
export function useDirtyGuard(isDirty: () => boolean) {
  const { modal } = App.useApp()
  const blocker = useBlocker(({ currentLocation, nextLocation }) =>
    isDirty() ? currentLocation.pathname !== nextLocation.pathname : false,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void modal.confirm({ ...abandonQuestion, onOk: () => blocker.proceed(), onCancel: () => blocker.reset() })
  }, [blocker, modal])
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isDirty()) event.preventDefault()
    }
    globalThis.addEventListener('beforeunload', ask)
    return () => globalThis.removeEventListener('beforeunload', ask)
  }, [isDirty])
}
