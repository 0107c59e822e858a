import { useEffect, useEffectEvent, useRef } from 'react'
import { useAreas } from './use-areas.ts'
import { useWallboardView } from './view.ts'

/** The rotation pauses this long after manual navigation. */
const restMs = 60_000

/**
 * Rotates through the home region and the regions of its ranking. Manual navigation pauses the rotation for a while.
 */
export function useTour(seconds: number): void {
  const { home, adcode, siteId = '', go } = useWallboardView()
  const areas = useAreas()
  const stops = useRef<readonly string[]>([])
  const touchedAt = useRef(0)
  const expected = useRef(`${adcode} ${siteId}`)

  // The regions of home are known only while it is displayed.
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
