import { CheckOutlined } from '@ant-design/icons'
import { basicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { Segmented } from 'antd'
import { setAppearance, useAppearance } from '../kit/appearance.ts'
import { type Appearance, brandColours, type ThemeChoice } from '../kit/brand.ts'
import { useSubmit } from '../kit/use-submit.ts'

const themes: { value: ThemeChoice; label: string }[] = [
  { value: 'light', label: '浅色' },
  { value: 'dark', label: '深色' },
  { value: 'system', label: '跟随系统' },
]

/** Acts at once, and is saved with the account. */
export function AppearancePicker() {
  const now = useAppearance()
  const save = useSubmit(basicInfo.saveAppearance, { refresh: [basicInfo.read], tell: 'silent' })
  function change(next: Appearance) {
    setAppearance(next)
    void save.run({ body: next })
  }
  return (
    <div className="appearance">
      <h3>主题</h3>
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
