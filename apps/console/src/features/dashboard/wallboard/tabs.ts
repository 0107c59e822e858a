import type { ReactNode } from 'react'
import type { WallboardFilter } from './wallboard-filter.ts'

/** A panel that shares its place with others shows the buttons between them in its head. */
export type TabProps = { filter: WallboardFilter; tabs?: ReactNode }
