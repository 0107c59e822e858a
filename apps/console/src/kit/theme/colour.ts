/** Colours as numbers: contrast of WCAG 2.2 and the darker half of the Ant Design palette, for any brand colour. */
type Rgb = readonly [number, number, number]

export const isHexColour = (text: string) => /^#[\da-f]{6}$/i.test(text)

const toRgb = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb
const toHex = (rgb: readonly number[]) =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`.toUpperCase()

const linear = (part: number) => {
  const share = part / 255
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
function luminance(hex: string): number {
  const [red, green, blue] = toRgb(hex)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** `share` of the first colour over the second. */
export function mix(over: string, under: string, share: number): string {
  const [top, ground] = [toRgb(over), toRgb(under)]
  return toHex(top.map((part, at) => part * share + (ground[at] ?? 0) * (1 - share)))
}

type Hsv = { hue: number; saturation: number; value: number }

function toHsv(hex: string): Hsv {
  const [red, green, blue] = toRgb(hex).map((part) => part / 255) as unknown as Rgb
  const most = Math.max(red, green, blue)
  const spread = most - Math.min(red, green, blue)
  let hue = 0
  if (spread > 0) {
    if (most === red) hue = ((green - blue) / spread + 6) % 6
    else hue = most === green ? (blue - red) / spread + 2 : (red - green) / spread + 4
  }
  return { hue: Math.round(hue * 60), saturation: most === 0 ? 0 : spread / most, value: most }
}

function fromHsv({ hue, saturation, value }: Hsv): string {
  const part = (offset: number) => {
    const place = (offset + hue / 60) % 6
    return 255 * (value - value * saturation * Math.max(0, Math.min(place, 4 - place, 1)))
  }
  return toHex([part(5), part(3), part(1)])
}

/** Step 6 is the seed itself, 7 to 10 are darker: the palette rule of Ant Design. */
export function paletteStep(seed: string, step: 6 | 7 | 8 | 9 | 10): string {
  if (step === 6) return seed.toUpperCase()
  const at = step - 6
  const { hue, saturation, value } = toHsv(seed)
  const turned = hue >= 60 && hue <= 240 ? hue + 2 * at : hue - 2 * at
  const grey = hue === 0 && saturation === 0
  const fuller = grey ? saturation : saturation + (at === 4 ? 0.16 : 0.05 * at)
  return fromHsv({
    hue: (turned + 360) % 360,
    saturation: Math.round(Math.min(1, fuller) * 100) / 100,
    value: Math.round(Math.max(0, value - 0.15 * at) * 100) / 100,
  })
}

const readable = 4.5

/** The colour for text and solid buttons: the first palette step that is readable on white, and white on it. */
export function textShade(seed: string): string {
  const steps = ([6, 7, 8, 9, 10] as const).map((step) => paletteStep(seed, step))
  const found = steps.find((step) => contrast(step, '#FFFFFF') >= readable)
  return found ?? darkerUntilReadable(steps[4] ?? seed)
}

function darkerUntilReadable(colour: string): string {
  let shade = colour
  while (contrast(shade, '#FFFFFF') < readable) shade = mix(shade, '#000000', 0.9)
  return shade
}

/** The same on a dark ground: the seed mixed with white, up to a contrast of 8 that leaves room for tinted rows. */
export function textTint(seed: string, ground: string): string {
  let tint = seed.toUpperCase()
  while (contrast(tint, ground) < 8) tint = mix(tint, '#FFFFFF', 0.85)
  return tint
}
