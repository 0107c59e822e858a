import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react'
import './wallboard.css'

const size = { width: 1920, height: 1080 }
const ScaleContext = createContext(1)
/** The zoom factor of the stage: a canvas needs that many more pixels to stay sharp. */
export const useScale = () => use(ScaleContext)

/** A stage of 1920 by 1080, scaled to fit the screen and centred. */
export function WallboardStage({ label, children }: { label: string; children: ReactNode }) {
  const ground = useRef<HTMLElement>(null)
  const [room, setRoom] = useState(size)
  useEffect(() => {
    if (ground.current === null) return undefined
    const watch = new ResizeObserver(([entry]) => {
      if (entry) setRoom({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    watch.observe(ground.current)
    return () => watch.disconnect()
  }, [])
  const scale = Math.min(room.width / size.width, room.height / size.height)
  const left = (room.width - size.width * scale) / 2
  const top = (room.height - size.height * scale) / 2
  return (
    <ScaleContext value={scale}>
      <section ref={ground} className="wallboard stage-ground" aria-label={label}>
        <div className="stage" style={{ transform: `translate(${left}px, ${top}px) scale(${scale})` }}>
          {children}
        </div>
      </section>
    </ScaleContext>
  )
}
