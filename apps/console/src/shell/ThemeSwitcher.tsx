import { CheckOutlined } from '@ant-design/icons'
import { basicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { ColorPicker, Modal, Segmented } from 'antd'
import { setAppearance, useAppearance } from '../kit/appearance.ts'
import { type Appearance, brandColours, type ThemeChoice } from '../kit/brand.ts'
import { useSubmit } from '../kit/use-submit.ts'

const themes = [
  { value: 'light', label: '浅色' },
  { value: 'dark', label: '深色' },
  { value: 'system', label: '跟随系统' },
] as const

/** Acts at once and is saved with the account, so that it follows the person to the next browser. */
export default function ThemeSwitcher({ onClose }: { onClose: () => void }) {
  const now = useAppearance()
  const save = useSubmit(basicInfo.saveAppearance, { tell: 'silent' })
  function change(next: Appearance) {
    setAppearance(next)
    void save.run({ body: next })
  }
  return (
    <Modal open title="主题" width={420} footer={null} onCancel={onClose}>
      <div className="theme-switcher">
        <h2>外观</h2>
        <Segmented
          block
          aria-label="外观"
          value={now.theme}
          options={[...themes]}
          onChange={(theme: ThemeChoice) => change({ ...now, theme })}
        />
        <fieldset className="swatches">
          <legend>主题色</legend>
          {brandColours.map((colour) => (
            <button
              key={colour.value}
              type="button"
              title={colour.label}
              aria-label={colour.label}
              aria-pressed={colour.value === now.color}
              style={{ background: colour.value }}
              onClick={() => change({ ...now, color: colour.value })}
            >
              {colour.value === now.color && <CheckOutlined />}
            </button>
          ))}
        </fieldset>
        <ColorPicker
          value={now.color}
          disabledAlpha
          disabledFormat
          showText={() => `自定义 ${now.color}`}
          onChangeComplete={(colour) => change({ ...now, color: `#${colour.toHex().slice(0, 6).toUpperCase()}` })}
        />
        <p className="meta">文字与按钮会自动采用该颜色中对比度不低于 4.5:1 的一级。</p>
      </div>
    </Modal>
  )
}
