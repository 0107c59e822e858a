import type { ComponentType } from 'react'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'

/** A lazy chart or map of a wallboard; its panel shows the same placeholder as for missing figures. */
export const laterDrawing = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazyPart(load, 'needed', <span className="wallboard-wait" />)
