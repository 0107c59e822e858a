import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { useScreen } from '../kit/routing/current-screen.ts'
import { Logo } from '../kit/display/Logo.tsx'
import { documentTitle } from './guard.ts'
import { OfflineBar } from './OfflineBar.tsx'

export function RootFrame() {
  const title = useScreen()?.title
  useEffect(() => {
    if (title) document.title = documentTitle(title)
  }, [title])
  return (
    <>
      <Outlet />
      <OfflineBar />
    </>
  )
}

/** Shown while the first screen loads. */
export function Splash() {
  return (
    <output className="splash" aria-label="加载中…">
      <Logo size={40} />
    </output>
  )
}
