import { useEffect, useState } from 'react'

const pauseMs = 200

/** Debounces typed text, so that not every letter sends a request. */
export function useDebouncedText(text: string): string {
  const [settled, setSettled] = useState(() => text.trim())
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
