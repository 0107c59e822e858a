import type { ReactNode } from 'react'
import type { WallboardFilter } from './wallboard-filter.ts'

/** A panel in a shared place shows the tab buttons in its header. */
export type TabProps = { filter: WallboardFilter; tabs?: ReactNode }
