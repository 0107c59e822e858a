import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

/**
 * A dialog or drawer that is loaded when it is first opened, so that a list page carries only the list. A courtesy is
 * left out when it cannot be loaded, instead of taking the page with it. What has a place of its own on the page says
 * what stands there meanwhile.
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
