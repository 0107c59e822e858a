import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { linkSource, tokenInAddress } from './wallboard/link-source.ts'
import { lowestOf } from './wallboard/region.ts'
import { WallboardStage } from './wallboard/WallboardStage.tsx'
import { WallboardHead } from './wallboard/WallboardHead.tsx'
import { toggleFullScreen } from './wallboard/use-wallboard-keys.ts'
import { useWallboardViewState } from './wallboard/view.ts'
import { Wallboard } from './wallboard/Wallboard.tsx'
import { WallboardFrame } from './wallboard/WallboardFrame.tsx'

function onHash(changed: () => void) {
  globalThis.addEventListener('hashchange', changed)
  return () => globalThis.removeEventListener('hashchange', changed)
}

/** A wallboard opened by a link. There is no session; the link determines the scope. */
export default function DataScreenPage() {
  const hash = useSyncExternalStore(onHash, () => globalThis.location.hash)
  return (
    <main>
      <LinkedScreen key={hash} />
    </main>
  )
}

function LinkedScreen() {
  const [link] = useState(tokenInAddress)
  const [ended, setEnded] = useState(false)
  const end = useCallback(() => setEnded(true), [])
  if (link === undefined) return <Ended title="大屏链接无效或已失效" text="请使用管理员提供的完整链接打开" />
  if (ended) return <Ended title="大屏链接已失效" text="链接已被撤销或已过期，请联系管理员获取新的链接" />
  return <LiveScreen link={link} onEnded={end} />
}

type Link = NonNullable<ReturnType<typeof tokenInAddress>>

function LiveScreen({ link, onEnded }: { link: Link; onEnded: () => void }) {
  const { token, claims } = link
  const source = useMemo(() => linkSource(token, claims, onEnded), [token, claims, onEnded])
  const fixed = claims.deviceFirstClass === undefined ? {} : { deviceFirstClass: claims.deviceFirstClass }
  const view = useWallboardViewState({ home: lowestOf(claims), rotation: 30, fixed })
  const fullScreen = () => void toggleFullScreen()
  useEffect(() => {
    document.title = claims.title
  }, [claims.title])
  return (
    <WallboardFrame source={source} view={view} onFullScreen={fullScreen} onEnded={onEnded}>
      {(state) => (
        <WallboardStage label={claims.title}>
          <WallboardHead title={claims.title} state={state} onFullScreen={fullScreen} />
          <Wallboard />
        </WallboardStage>
      )}
    </WallboardFrame>
  )
}

const Ended = ({ title, text }: { title: string; text: string }) => (
  <WallboardStage label={title}>
    <div className="stage-end" role="alert">
      <h1>{title}</h1>
      <p>{text}</p>
    </div>
  </WallboardStage>
)
