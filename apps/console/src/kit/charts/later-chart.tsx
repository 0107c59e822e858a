import type { ComponentType } from 'react'
import { lazyPart } from '../routing/lazy-part.tsx'
import { LateSkeleton } from '../display/States.tsx'

/** A chart is heavy and comes after its page: until then its place waits as that of figures does. */
export const laterChart = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazyPart(load, 'needed', <LateSkeleton rows={6} />)
