import { FullscreenOutlined, LinkOutlined } from '@ant-design/icons'
import { screenLink } from '@wattdeck/contract/dashboard/screen-link.ts'
import { Button, Segmented, Tooltip } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { Can } from '../../../kit/api/Can.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { CockpitFilters } from './CockpitFilters.tsx'
import { consoleSource } from '../wallboard/source.ts'
import { WallboardStage } from '../wallboard/WallboardStage.tsx'
import { WallboardHead } from '../wallboard/WallboardHead.tsx'
import { type Rotation, rotations, useQuiet } from '../wallboard/turns.ts'
import { toggleFullScreen } from '../wallboard/use-wallboard-keys.ts'
import { useWallboardViewState } from '../wallboard/view.ts'
import { Wallboard } from '../wallboard/Wallboard.tsx'
import { WallboardFrame } from '../wallboard/WallboardFrame.tsx'
import '../wallboard/wallboard.css'

const nothing = () => undefined

/** The panels of the data screen in a page, with filters; full screen switches to the stage. */
export default function DataCockpitPage() {
  const user = useUser()
  const quiet = useQuiet()
  const navigate = useNavigate()
  const [onStage, setOnStage] = useState(false)
  const view = useWallboardViewState({ home: '', rotation: 0 })
  const { organiseId } = view.choice
  const source = useMemo(() => consoleSource(organiseId), [organiseId])

  // Escape leaves full screen without an event in the page.
  useEffect(() => {
    const changed = () => setOnStage(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', changed)
    return () => document.removeEventListener('fullscreenchange', changed)
  }, [])
  async function fullScreen() {
    setOnStage(!onStage)
    if (onStage === (document.fullscreenElement !== null)) await toggleFullScreen()
  }
  const title = `${user?.organiseName ?? ''}数据驾驶舱`

  return (
    <WallboardFrame source={source} view={view} onFullScreen={() => void fullScreen()} onEnded={nothing}>
      {(state) =>
        onStage ? (
          <WallboardStage label={title}>
            <WallboardHead
              title={title}
              state={state}
              onFullScreen={() => void toggleFullScreen()}
              onLeave={() => void fullScreen()}
            />
            <Wallboard />
          </WallboardStage>
        ) : (
          <PageFrame
            title="数据驾驶舱"
            note={state.live ? '数据实时更新，点击地图或排名逐级下钻' : '正在连接实时数据，每 30 秒更新一次'}
            actions={
              <>
                <Tooltip title={quiet ? '系统已设置减少动态效果，不自动轮播' : '按排名轮播各区域'}>
                  <Segmented<Rotation>
                    aria-label="轮播"
                    disabled={quiet}
                    value={view.rotation}
                    options={rotations.map((value) => ({ value, label: value === 0 ? '关闭轮播' : `${value} 秒` }))}
                    onChange={(seconds) => view.set({ rotate: seconds === 0 ? undefined : String(seconds) })}
                  />
                </Tooltip>
                <Can route={screenLink.list}>
                  <Button icon={<LinkOutlined />} onClick={() => void navigate('/custom/screenLink')}>
                    大屏链接
                  </Button>
                </Can>
                <Button type="primary" icon={<FullscreenOutlined />} onClick={() => void fullScreen()}>
                  全屏
                </Button>
              </>
            }
          >
            <CockpitFilters view={view} />
            <div className="wallboard cockpit cockpit-grid">
              <Wallboard />
            </div>
          </PageFrame>
        )
      }
    </WallboardFrame>
  )
}
