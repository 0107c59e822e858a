import { menus } from '@wattdeck/contract/menu-keys.ts'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { MenuIcon } from '../display/menu-icons.tsx'
import { mostFacts } from './facts/fact-source.ts'
import { factsOf } from './object-facts.ts'
import { objectWarning } from './object-warning.ts'
import { type NamedObject, objectTypes } from './object-types.ts'
import './object-card.css'

type Props = {
  object: NamedObject
  /** Id of the element, for the aria-describedby of the link. */
  id: string
  anchor: HTMLElement
  onEnter: () => void
  onLeave: () => void
}

const gapPx = 6
/** Facts may be up to a minute old. */
const freshMs = 60_000

/** Places the card below the anchor, or above it where there is no room. */
function placeAt(anchor: HTMLElement, card: HTMLElement): void {
  const at = anchor.getBoundingClientRect()
  const { width, height } = card.getBoundingClientRect()
  const below = at.bottom + gapPx
  const top = below + height > globalThis.innerHeight ? Math.max(gapPx, at.top - gapPx - height) : below
  const left = Math.max(gapPx, Math.min(at.left, globalThis.innerWidth - width - gapPx))
  Object.assign(card.style, { top: `${top}px`, left: `${left}px` })
}

/** At most six facts of an object, beside its name. */
export function ObjectCard({ object, id: cardId, anchor, onEnter, onLeave }: Props) {
  const { kind, id } = object
  const element = useRef<HTMLDivElement>(null)
  const { word, homes } = objectTypes[kind]
  const query = useQuery({
    queryKey: ['object-card', kind, id],
    queryFn: async ({ signal }) => (await factsOf(kind))(id, signal),
    staleTime: freshMs,
  })
  const { data, error } = query
  // The height of the card depends on the loaded facts.
  useLayoutEffect(() => {
    if (element.current) placeAt(anchor, element.current)
  })
  const icon = homes[0] && menus[homes[0].menu].icon
  return createPortal(
    // Content must be in a landmark, and the end of the body is in none.
    <aside aria-label={`${word}摘要`}>
      <div
        ref={element}
        role="tooltip"
        id={cardId}
        className="object-card"
        onPointerEnter={onEnter}
        onPointerLeave={onLeave}
      >
        <h3>
          <MenuIcon name={icon ?? null} />
          <span className="meta">{word}</span> {data?.title}
        </h3>
        {error !== null && <p>{objectWarning(error).text}</p>}
        {error === null && data === undefined && <p className="meta">加载中…</p>}
        {data && (
          <dl>
            {data.facts.slice(0, mostFacts).map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </aside>,
    document.body,
  )
}
