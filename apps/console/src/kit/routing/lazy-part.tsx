import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

/**
 * A component that is loaded at its first render, so that a list page includes only the list. A 'courtesy' is left out if
 * it cannot be loaded, instead of failing the page. `waiting` is rendered while it loads.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  how: 'needed' | 'courtesy' = 'needed',
  waiting: ReactNode = null,
): ComponentType<P> {
  const nothing: ComponentType<P> = () => null
  const Part = lazy(async () => ({ default: await (how === 'needed' ? load() : load().catch(() => nothing)) }))
  return (props: P) => (
    <Suspense fallback={waiting}>
      <Part {...props} />
    </Suspense>
  )
}
