import { type ReactNode, useState } from 'react'
import { type WallboardSource, WallboardSourceContext } from './source.ts'
import { TurnContext, useQuiet } from './turns.ts'
import { useTour } from './use-tour.ts'
import { useWallboardBeat } from './use-figures.ts'
import { useWallboardKeys } from './use-wallboard-keys.ts'
import { type WallboardView, WallboardViewContext } from './view.ts'

export type WallboardState = { live: boolean; paused: boolean; setPaused: (paused: boolean) => void; turning: boolean }
type Props = {
  source: WallboardSource
  view: WallboardView
  onFullScreen: () => void
  onEnded: () => void
  children: (state: WallboardState) => ReactNode
}

/** The shared frame of stage and page: data source, current view, rotation and keyboard. */
export function WallboardFrame({ source, view, onFullScreen, onEnded, children }: Props) {
  const quiet = useQuiet()
  const [paused, setPaused] = useState(false)
  const live = useWallboardBeat(source, onEnded)
  const seconds = quiet || paused ? 0 : view.rotation
  useWallboardKeys({
    onFullScreen,
    onPause: () => setPaused(!paused),
    onUp: () => view.go(view.siteId === undefined ? (view.path.at(-2) ?? view.home) : view.adcode),
  })
  return (
    <WallboardSourceContext value={source}>
      <WallboardViewContext value={view}>
        <TurnContext value={seconds}>
          <Tour seconds={seconds} />
          {children({ live, paused, setPaused, turning: seconds > 0 })}
        </TurnContext>
      </WallboardViewContext>
    </WallboardSourceContext>
  )
}

function Tour({ seconds }: { seconds: number }) {
  useTour(seconds)
  return null
}
