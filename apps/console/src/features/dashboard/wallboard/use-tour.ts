import { useEffect, useEffectEvent, useRef } from 'react'
import { useAreas } from './use-areas.ts'
import { useWallboardView } from './view.ts'

/** So long after somebody has gone somewhere the wallboard stays there. */
const restMs = 60_000

/**
 * Goes round: home, then each of the regions of its ranking, then home again. Whoever goes somewhere by hand is left
 * alone for a while.
 */
export function useTour(seconds: number): void {
  const { home, adcode, siteId = '', go } = useWallboardView()
  const areas = useAreas()
  const stops = useRef<readonly string[]>([])
  const touchedAt = useRef(0)
  const expected = useRef(`${adcode} ${siteId}`)

  // What home is made of is known while one is there.
  useEffect(() => {
    if (adcode === home && areas.data?.ofSites === false)
      stops.current = areas.data.ranking.map(({ code }) => code).filter((code) => code !== '')
  }, [adcode, home, areas.data])
  useEffect(() => {
    const here = `${adcode} ${siteId}`
    if (here !== expected.current) touchedAt.current = Date.now()
    expected.current = here
  }, [adcode, siteId])

  const next = useEffectEvent(() => {
    if (stops.current.length === 0 || Date.now() - touchedAt.current < restMs) return
    const to = stops.current[stops.current.indexOf(adcode) + 1] ?? home
    expected.current = `${to} `
    go(to)
  })
  useEffect(() => {
    if (seconds === 0) return undefined
    const timer = setInterval(() => next(), seconds * 1000)
    return () => clearInterval(timer)
  }, [seconds])
}
