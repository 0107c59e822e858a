import type { ObjectKind } from '@wattdeck/contract/kit/object-kinds.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useUser } from '../api/user.ts'
import { lazyPart } from '../routing/lazy-part.tsx'
import { mayReadFacts, objectPath } from './object-types.ts'
import { useHoverCard } from './use-hover-card.ts'
import './object.css'

const ObjectCard = lazyPart(async () => (await import('./ObjectCard.tsx')).ObjectCard, 'courtesy')

type Props = { kind: ObjectKind; id: string; children: ReactNode }

/**
 * A user who may open the object gets a link, a user who may only read its facts a button that shows them, all others
 * the text. Hovering or focusing it shows the facts.
 */
export function KnownObject({ kind, id, children }: Props) {
  const user = useUser()
  const { card, anchor, show, ...handlers } = useHoverCard()
  const path = objectPath(kind, id, user)
  const readable = mayReadFacts(kind, user)
  if (path === undefined && !readable) return children
  const shown = readable && anchor !== undefined
  const naming = { ...(readable ? handlers : {}), ...(shown ? { 'aria-describedby': card.id } : {}) }
  return (
    <>
      {path === undefined ? (
        <button type="button" className="object-link" {...naming} onClick={show}>
          {children}
        </button>
      ) : (
        <Link to={path} className="object-link" {...naming}>
          {children}
        </Link>
      )}
      {shown && <ObjectCard object={{ kind, id }} anchor={anchor} {...card} />}
    </>
  )
}
