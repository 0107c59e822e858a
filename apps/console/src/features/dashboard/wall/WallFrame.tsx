import { type ReactNode, useState } from 'react'
import { type WallSource, WallSourceContext } from './source.ts'
import { TurnContext, useQuiet } from './turns.ts'
import { useTour } from './use-tour.ts'
import { useWallBeat } from './use-figures.ts'
import { useWallKeys } from './use-wall-keys.ts'
import { type WallView, WallViewContext } from './view.ts'

export type WallState = { live: boolean; paused: boolean; setPaused: (paused: boolean) => void; turning: boolean }
type Props = {
  source: WallSource
  view: WallView
  onFullScreen: () => void
  onEnded: () => void
  children: (state: WallState) => ReactNode
}

/** What panels on a stage and in a page share: where figures come from, where one looks, who takes turns, and the keys. */
export function WallFrame({ source, view, onFullScreen, onEnded, children }: Props) {
  const quiet = useQuiet()
  const [paused, setPaused] = useState(false)
  const live = useWallBeat(source, onEnded)
  const seconds = quiet || paused ? 0 : view.rotation
  useWallKeys({
    onFullScreen,
    onPause: () => setPaused(!paused),
    onUp: () => view.go(view.siteId === undefined ? (view.path.at(-2) ?? view.home) : view.adcode),
  })
  return (
    <WallSourceContext value={source}>
      <WallViewContext value={view}>
        <TurnContext value={seconds}>
          <Tour seconds={seconds} />
          {children({ live, paused, setPaused, turning: seconds > 0 })}
        </TurnContext>
      </WallViewContext>
    </WallSourceContext>
  )
}

function Tour({ seconds }: { seconds: number }) {
  useTour(seconds)
  return null
}
