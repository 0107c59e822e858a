import type { ComponentType } from 'react'
import { lazyPart } from '../routing/lazy-part.tsx'
import { LateSkeleton } from '../display/States.tsx'

/** Loads a chart after its page, because charts are large. A skeleton takes its place until then. */
export const lazyChart = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazyPart(load, 'needed', <LateSkeleton rows={6} />)
