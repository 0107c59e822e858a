import { type FocusEvent, type MouseEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react'

/** A pointer that only passes over sends no request. */
const restMs = 350
/** Long enough to move from the link into its card. */
const leaveMs = 200

/** Opens after the pointer has rested on the anchor or the keyboard has reached it; closes on leaving, Escape and scrolling. */
export function useHoverCard() {
  const id = useId()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** The element beside the open card. */
  const [anchor, setAnchor] = useState<HTMLElement>()
  const open = anchor !== undefined

  function turn(to: HTMLElement | undefined, afterMs: number) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setAnchor(to), afterMs)
  }
  function close() {
    clearTimeout(timer.current)
    setAnchor(undefined)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!open) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // Escape closes only the card, not the drawer around it.
      event.stopPropagation()
      setAnchor(undefined)
    }
    const onScroll = () => setAnchor(undefined)
    document.addEventListener('keydown', onKeyDown, true)
    document.addEventListener('scroll', onScroll, true)
    return () => {
      document.removeEventListener('keydown', onKeyDown, true)
      document.removeEventListener('scroll', onScroll, true)
    }
  }, [open])

  return {
    anchor,
    show: ({ currentTarget }: MouseEvent<HTMLElement>) => turn(currentTarget, 0),
    card: { id, onEnter: () => clearTimeout(timer.current), onLeave: () => turn(undefined, leaveMs) },
    onPointerEnter: ({ pointerType, currentTarget }: PointerEvent<HTMLElement>) => {
      if (pointerType === 'mouse') turn(currentTarget, restMs)
    },
    onPointerLeave: () => turn(undefined, open ? leaveMs : 0),
    // A click also focuses, but it opens the object itself.
    onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => {
      if (currentTarget.matches(':focus-visible')) turn(currentTarget, restMs)
    },
    onBlur: close,
  }
}
