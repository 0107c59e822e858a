import { useLayoutEffect, useRef, useState } from 'react'

/** Tracks the width of an element. */
export function useWidth<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setWidth(ref.current?.clientWidth ?? 0)
    measure()
    const watch = new ResizeObserver(measure)
    if (ref.current) watch.observe(ref.current)
    return () => watch.disconnect()
  }, [])
  return { ref, width }
}
