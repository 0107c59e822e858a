import { type ComponentType, lazy, Suspense } from 'react'

/** A dialog or drawer that is loaded when it is first opened, so that a list page carries only the list. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Part = lazy(async () => ({ default: await load() }))
  return (props: P) => (
    <Suspense fallback={null}>
      <Part {...props} />
    </Suspense>
  )
}
