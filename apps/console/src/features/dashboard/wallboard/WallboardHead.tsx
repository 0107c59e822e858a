import { Clock } from './Clock.tsx'
import { rotations, useQuiet } from './turns.ts'
import { useWallboardView } from './view.ts'
import type { WallboardState } from './WallboardFrame.tsx'

type Props = { title: string; state: WallboardState; onFullScreen: () => void; onLeave?: (() => void) | undefined }

/** Time, title and switches of a stage. */
export function WallboardHead({ title, state, onFullScreen, onLeave }: Props) {
  const { live, paused, setPaused } = state
  const view = useWallboardView()
  const quiet = useQuiet()
  return (
    <header className="stage-head">
      <Clock />
      <h1>{title}</h1>
      <div className="stage-tools">
        <fieldset className="wallboard-tabs" aria-label="轮播">
          {rotations.map((seconds) => (
            <button
              key={seconds}
              type="button"
              aria-pressed={view.rotation === seconds}
              disabled={quiet && seconds > 0}
              title={quiet && seconds > 0 ? '系统已设置减少动态效果' : undefined}
              onClick={() => view.set({ rotate: String(seconds) })}
            >
              {seconds === 0 ? '停' : `${seconds}秒`}
            </button>
          ))}
        </fieldset>
        {view.rotation > 0 && !quiet && (
          <button type="button" className="stage-tool" aria-pressed={paused} onClick={() => setPaused(!paused)}>
            {paused ? '继续' : '暂停'}
          </button>
        )}
        <button type="button" className="stage-tool" title="F" onClick={onFullScreen}>
          全屏
        </button>
        {onLeave && (
          <button type="button" className="stage-tool" onClick={onLeave}>
            退出
          </button>
        )}
        <output className="stage-live" data-live={live ? true : undefined}>
          {live ? '实时' : '轮询'}
        </output>
      </div>
    </header>
  )
}
