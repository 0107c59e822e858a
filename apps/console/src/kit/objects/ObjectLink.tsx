import type { ObjectKind } from '@wattdeck/contract/kit/object-kinds.ts'
import { lazy, type ReactNode, Suspense } from 'react'

type Props = { kind: ObjectKind; id: string | null | undefined; children: ReactNode }

const plain = ({ children }: { children: ReactNode }) => children
/** A list is read without its links: they come when the list is there. */
const KnownObject = lazy(async () => ({
  default: await import('./KnownObject.tsx').then(
    (loaded) => loaded.KnownObject,
    () => plain,
  ),
}))

/** An object where it is named, as a link for a reader who may open it. */
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
