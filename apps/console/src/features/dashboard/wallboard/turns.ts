import { createContext, use, useEffect, useState, useSyncExternalStore } from 'react'

/** How many seconds each region and each panel stays; 0: until somebody chooses another. */
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
/** Whoever asks for less motion gets none: nothing flies, rolls or takes turns. */
export const useQuiet = () => useSyncExternalStore(subscribe, () => globalThis.matchMedia(quietQuery).matches)

/** Seconds a turn lasts, 0 while nothing takes turns. */
export const TurnContext = createContext(0)

/** Counts turns: 0, 1, 2 … and stands still where there is nothing to choose from. */
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
