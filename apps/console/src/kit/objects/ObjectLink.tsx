import type { ObjectKind } from '@wattdeck/contract/kit/object-kinds.ts'
import { lazy, type ReactNode, Suspense } from 'react'

type Props = { kind: ObjectKind; id: string | null | undefined; children: ReactNode }

const plain = ({ children }: { children: ReactNode }) => children
/** A list renders without its links, which load afterwards. */
const KnownObject = lazy(async () => ({
  default: await import('./KnownObject.tsx').then(
    (loaded) => loaded.KnownObject,
    () => plain,
  ),
}))

/** The name of an object, as a link for a user who may open it. */
export function ObjectLink({ kind, id, children }: Props) {
  if (id === null || id === undefined || id === '') return children
  return (
    <Suspense fallback={children}>
      <KnownObject kind={kind} id={id}>
        {children}
      </KnownObject>
    </Suspense>
  )
}
