import { useEffect } from 'react'
import { Outlet, useMatches } from 'react-router'
import type { Screen } from '../kit/screen.ts'
import { Logo } from '../kit/Logo.tsx'
import { documentTitle } from './guard.ts'

/** The screen on show, which each route carries as its handle. */
export const useScreen = () => useMatches().findLast((match) => match.handle)?.handle as Screen | undefined

export function RootFrame() {
  const title = useScreen()?.title
  useEffect(() => {
    if (title) document.title = documentTitle(title)
  }, [title])
  return <Outlet />
}

/** While the first screen comes. */
export function Splash() {
  return (
    <output className="splash" aria-label="加载中…">
      <Logo size={40} />
    </output>
  )
}
