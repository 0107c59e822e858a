import { ColorPicker, Modal } from 'antd'
import { useAppearance } from '../kit/theme/appearance.ts'
import { AppearancePicker } from '../kit/theme/AppearancePicker.tsx'
import { useChangeAppearance } from '../kit/theme/use-change-appearance.ts'
import { dialogWidth } from '../kit/form/dialog-width.ts'

export default function ThemeSwitcher({ onClose }: { onClose: () => void }) {
  const now = useAppearance()
  const change = useChangeAppearance()
  return (
    <Modal open title="主题" width={dialogWidth.s} footer={null} onCancel={onClose}>
      <AppearancePicker />
      <ColorPicker
        value={now.color}
        disabledAlpha
        disabledFormat
        showText={() => `自定义 ${now.color}`}
        onChangeComplete={(colour) => change({ ...now, color: `#${colour.toHex().slice(0, 6).toUpperCase()}` })}
      />
      <p className="meta">文字与按钮会自动采用该颜色中对比度不低于 4.5:1 的一级。</p>
    </Modal>
  )
}
