import { type ThemeConfig, theme as antdTheme } from 'antd'
import { darkGround, type Look, type Shades, shadesOf } from './brand.ts'
import { mix } from './colour.ts'

/** Visual language of the console: antd tokens for both themes, from one brand colour. */
const fontFamily =
  "'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', system-ui, -apple-system, 'Segoe UI', sans-serif"

export function antdThemeOf(look: Look, seed: string): ThemeConfig {
  const dark = look === 'dark'
  const shades = shadesOf(look, seed)
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
      colorPrimary: shades.solid,
      colorInfo: seed,
      colorError: dark ? '#FF7875' : '#CF1322',
      colorLink: shades.text,
      colorLinkHover: shades.text,
      colorLinkActive: shades.text,
      ...(dark ? darkText : lightText),
    },
    components: componentsOf(shades, seed, look),
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

function componentsOf({ solid, text, fill }: Shades, seed: string, look: Look): NonNullable<ThemeConfig['components']> {
  return {
    Button: {
      colorPrimary: solid,
      // Darker on hover, not lighter, so that the white text stays readable.
      colorPrimaryHover: mix(solid, '#000000', 0.88),
      colorPrimaryActive: mix(solid, '#000000', 0.78),
      defaultHoverColor: text,
      defaultHoverBorderColor: text,
      defaultActiveColor: text,
      defaultActiveBorderColor: text,
      // The red of the dark theme is light enough for text, so the text on it must be dark.
      dangerColor: look === 'dark' ? darkGround : '#FFFFFF',
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
    Form: { itemMarginBottom: 22, verticalLabelPadding: '0 0 6px' },
    Steps: { colorPrimary: solid },
  }
}
