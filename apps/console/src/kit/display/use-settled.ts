import { useEffect, useState } from 'react'

const pauseMs = 200

/** What is being typed, once the typing has paused: the server is not asked for every letter. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(() => text.trim())
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
