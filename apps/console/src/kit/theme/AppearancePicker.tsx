import { CheckOutlined } from '@ant-design/icons'
import { Segmented } from 'antd'
import './appearance.css'
import { useAppearance } from './appearance.ts'
import { brandColours, type ThemeChoice } from './brand.ts'
import { useChangeAppearance } from './use-change-appearance.ts'

const themes: { value: ThemeChoice; label: string }[] = [
  { value: 'light', label: '浅色' },
  { value: 'dark', label: '深色' },
  { value: 'system', label: '跟随系统' },
]

export function AppearancePicker() {
  const now = useAppearance()
  const change = useChangeAppearance()
  return (
    <div className="appearance">
      <Segmented
        block
        aria-label="主题"
        value={now.theme}
        options={themes}
        onChange={(theme) => change({ ...now, theme })}
      />
      <fieldset className="swatches">
        <legend>颜色</legend>
        {brandColours.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            title={label}
            aria-label={label}
            aria-pressed={value === now.color}
            style={{ background: value }}
            onClick={() => change({ ...now, color: value })}
          >
            {value === now.color && <CheckOutlined />}
          </button>
        ))}
      </fieldset>
      <p className="meta">
        当前颜色：{brandColours.find(({ value }) => value === now.color)?.label ?? `自定义 ${now.color}`}
      </p>
    </div>
  )
}
