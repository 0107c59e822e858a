import type { ComponentType } from 'react'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'

/** A chart or a map of a wallboard is heavy and comes after its panel, which waits as it does for figures. */
export const laterDrawing = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazyPart(load, 'needed', <span className="wallboard-wait" />)
