import { type ThemeConfig, theme as antdTheme } from 'antd'
import { darkGround, type Look } from './brand.ts'
import { mix, textShade, textTint } from './colour.ts'

/** Visual language of the console: antd tokens for both themes, from one brand colour. */
const fontFamily =
  "'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', system-ui, -apple-system, 'Segoe UI', sans-serif"

export function antdThemeOf(look: Look, seed: string): ThemeConfig {
  const dark = look === 'dark'
  const solid = textShade(seed)
  const text = dark ? textTint(seed, darkGround) : solid
  const fill = dark ? mix(seed, darkGround, 0.28) : mix(seed, '#FFFFFF', 0.1)
  const still = globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches
  return {
    algorithm: dark ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm,
    cssVar: { key: 'wattdeck' },
    token: {
      fontFamily,
      fontSize: 14,
      borderRadius: 6,
      borderRadiusLG: 8,
      fontWeightStrong: 600,
      motion: !still,
      colorPrimary: solid,
      colorInfo: seed,
      colorError: dark ? '#FF5A5F' : '#CF1322',
      colorLink: text,
      ...(dark ? darkText : lightText),
    },
    components: componentsOf(text, fill, solid, seed),
  }
}

const lightText: ThemeConfig['token'] = {
  colorBgLayout: '#F3F5F8',
  colorTextSecondary: 'rgba(0,0,0,0.65)',
  colorTextTertiary: 'rgba(0,0,0,0.6)',
  colorTextDescription: 'rgba(0,0,0,0.6)',
  colorTextPlaceholder: 'rgba(0,0,0,0.56)',
  colorWarningText: '#AD4E00',
  colorSuccessText: '#237804',
}
const darkText: ThemeConfig['token'] = {
  colorBgLayout: '#0B0F14',
  colorBgContainer: darkGround,
  colorTextSecondary: 'rgba(255,255,255,0.72)',
  colorTextTertiary: 'rgba(255,255,255,0.65)',
  colorTextDescription: 'rgba(255,255,255,0.65)',
  colorTextPlaceholder: 'rgba(255,255,255,0.56)',
}

function componentsOf(text: string, fill: string, solid: string, seed: string): NonNullable<ThemeConfig['components']> {
  return {
    Button: {
      colorPrimary: solid,
      defaultHoverColor: text,
      defaultHoverBorderColor: text,
      defaultActiveColor: text,
      defaultActiveBorderColor: text,
      primaryShadow: 'none',
      defaultShadow: 'none',
      dangerShadow: 'none',
      fontWeight: 400,
    },
    Checkbox: { colorPrimary: seed, colorPrimaryHover: seed },
    Table: { rowSelectedBg: fill, rowSelectedHoverBg: fill, headerSplitColor: 'transparent', cellPaddingBlock: 11 },
    Pagination: { colorPrimary: text, colorPrimaryHover: text },
    Tabs: { itemSelectedColor: text, itemHoverColor: text, itemActiveColor: text, inkBarColor: text },
    Segmented: { itemSelectedColor: text },
    Select: { optionSelectedBg: fill, optionSelectedColor: text },
    Tree: { nodeSelectedBg: fill, nodeSelectedColor: text, directoryNodeSelectedBg: fill },
    Modal: { titleFontSize: 16 },
    Form: { itemMarginBottom: 20, verticalLabelPadding: '0 0 6px' },
    Steps: { colorPrimary: solid },
  }
}
