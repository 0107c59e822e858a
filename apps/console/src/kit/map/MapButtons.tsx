import {
  ArrowDownOutlined,
  ArrowLeftOutlined,
  ArrowRightOutlined,
  ArrowUpOutlined,
  FullscreenOutlined,
  MinusOutlined,
  PlusOutlined,
} from '@ant-design/icons'

const steps = [
  { to: 'in', text: '放大', icon: <PlusOutlined /> },
  { to: 'out', text: '缩小', icon: <MinusOutlined /> },
  { to: 'home', text: '显示全图', icon: <FullscreenOutlined /> },
  { to: 'left', text: '向西移动', icon: <ArrowLeftOutlined /> },
  { to: 'up', text: '向北移动', icon: <ArrowUpOutlined /> },
  { to: 'down', text: '向南移动', icon: <ArrowDownOutlined /> },
  { to: 'right', text: '向东移动', icon: <ArrowRightOutlined /> },
] as const

/** Buttons for everything that drag and wheel do. */
export const MapButtons = ({ go }: { go: (to: (typeof steps)[number]['to']) => void }) => (
  <div className="map-buttons" role="toolbar" aria-label="缩放和移动地图">
    {steps.map(({ to, text, icon }) => (
      <button key={to} type="button" aria-label={text} title={text} onClick={() => go(to)}>
        {icon}
      </button>
    ))}
  </div>
)
