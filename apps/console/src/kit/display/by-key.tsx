import { Fragment, type ReactNode } from 'react'

/** Keys a part of a text by its index; the parts never move. */
export const byKey = (place: number, node: ReactNode) => <Fragment key={place}>{node}</Fragment>
