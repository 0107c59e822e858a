import { contrast, isHexColour, mix, textShade, textTint } from './colour.ts'

export type Look = 'light' | 'dark'
export type ThemeChoice = 'light' | 'dark' | 'system'
export type Appearance = { theme: ThemeChoice; color: string }

export const brandColours = [
  { value: '#1890FF', label: '拂晓蓝' },
  { value: '#2F54EB', label: '极客蓝' },
  { value: '#722ED1', label: '酱紫' },
  { value: '#EB2F96', label: '法式洋红' },
  { value: '#F5222D', label: '薄暮红' },
  { value: '#FA8C16', label: '日暮橙' },
  { value: '#13C2C2', label: '明青' },
  { value: '#52C41A', label: '极光绿' },
] as const
export const defaultColour = '#1890FF'

export const darkGround = '#141414'

export type Shades = { solid: string; text: string; fill: string }

/** The readable shades of a brand colour: solid buttons, text, and the fill under selected text. */
export function shadesOf(look: Look, seed: string): Shades {
  const dark = look === 'dark'
  const ground = dark ? darkGround : '#FFFFFF'
  const text = dark ? textTint(seed, darkGround) : textShade(seed)
  let share = dark ? 0.28 : 0.1
  while (share > 0.02 && contrast(text, mix(seed, ground, share)) < 4.6) share -= 0.01
  return { solid: textShade(seed), text, fill: mix(seed, ground, share) }
}

/** The CSS variables of the console's style sheets. */
export function brandVariables(look: Look, seed: string): Record<string, string> {
  const { solid, text, fill } = shadesOf(look, seed)
  return { '--brand': seed, '--brand-solid': solid, '--brand-text': text, '--brand-fill': fill }
}

const choices: readonly ThemeChoice[] = ['light', 'dark', 'system']

/** The stored appearance, with the default for each invalid part. */
export function readAppearance(theme: string | null, color: string | null): Appearance {
  return {
    theme: choices.find((choice) => choice === theme) ?? 'light',
    color: color !== null && isHexColour(color) ? color.toUpperCase() : defaultColour,
  }
}
