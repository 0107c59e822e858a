import { createContext, use, useEffect, useState, useSyncExternalStore } from 'react'

/** Seconds per region and panel; 0 disables the rotation. */
export const rotations = [0, 15, 30, 60] as const
export type Rotation = (typeof rotations)[number]
export const readRotation = (text: string | null, usual: Rotation): Rotation =>
  rotations.find((seconds) => String(seconds) === text) ?? usual

const quietQuery = '(prefers-reduced-motion: reduce)'
function subscribe(changed: () => void) {
  const media = globalThis.matchMedia(quietQuery)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}
/** Whether the user prefers reduced motion, which disables flights, rolling digits and rotation. */
export const useQuiet = () => useSyncExternalStore(subscribe, () => globalThis.matchMedia(quietQuery).matches)

/** Seconds per turn, 0 while the rotation is off. */
export const TurnContext = createContext(0)

/** Counts turns from 0; does not count with fewer than two choices. */
export function useTurns(choices: number): number {
  const seconds = use(TurnContext)
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (seconds === 0 || choices < 2) return undefined
    const timer = setInterval(() => setTurn((now) => now + 1), seconds * 1000)
    return () => clearInterval(timer)
  }, [seconds, choices])
  return turn
}
