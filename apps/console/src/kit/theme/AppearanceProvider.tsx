import { App, ConfigProvider } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import { type ReactNode, useMemo } from 'react'
import { useAppearance, useLook } from './appearance.ts'
import { antdThemeOf } from './theme.ts'

/** Theme, language and the message context for everything below. */
export function AppearanceProvider({ children }: { children: ReactNode }) {
  const look = useLook()
  const { color } = useAppearance()
  const theme = useMemo(() => antdThemeOf(look, color), [look, color])
  return (
    <ConfigProvider locale={zhCN} theme={theme} button={{ autoInsertSpace: false }} form={formDefaults}>
      <App className="app" message={{ maxCount: 3 }} notification={{ placement: 'topRight', maxCount: 4 }}>
        {children}
      </App>
    </ConfigProvider>
  )
}

const formDefaults = {
  requiredMark: true,
  validateMessages: { required: '请输入${label}' },
  scrollToFirstError: { focus: true, block: 'center' },
} as const
