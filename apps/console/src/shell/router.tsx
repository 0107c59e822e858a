import { createBrowserRouter, redirect, type RouteObject } from 'react-router'
import { registerScreens } from '../kit/routing/current-screen.ts'
import type { Screen } from '../kit/routing/screen.ts'
import { registerRouter } from '../kit/api/session.ts'
import { guardLoader } from './guard-loader.ts'
import { PageBoundary } from './PageBoundary.tsx'
import { RootFrame, Splash } from './RootFrame.tsx'
import { screens } from '../features/screens.ts'

const toRoute = (screen: Screen): RouteObject => ({
  id: screen.name,
  path: screen.path,
  handle: screen,
  loader: guardLoader(screen),
  lazy: { Component: async () => (await screen.lazy()).default },
  ErrorBoundary: PageBoundary,
})

const notFound = screens.find((screen) => screen.name === 'error-404')

export const router = createBrowserRouter([
  {
    Component: RootFrame,
    HydrateFallback: Splash,
    ErrorBoundary: PageBoundary,
    children: [
      { path: '/', loader: () => redirect('/login') },
      ...screens.filter((screen) => screen.bare).map((screen) => toRoute(screen)),
      {
        id: 'shell',
        lazy: { Component: async () => (await import('./ConsoleShell.tsx')).ConsoleShell },
        children: screens.filter((screen) => !screen.bare).map((screen) => toRoute(screen)),
      },
      ...(notFound ? [{ ...toRoute(notFound), id: 'unknown', path: '*' }] : []),
    ],
  },
])

registerScreens(screens)
registerRouter((path) => void router.navigate(path))
