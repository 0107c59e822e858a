import { Fragment, type ReactNode } from 'react'

/** A part of a text has no other name than its place, and none of them moves. */
export const byKey = (place: number, node: ReactNode) => <Fragment key={place}>{node}</Fragment>
