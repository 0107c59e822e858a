export type SideWidth = { width: number; open: boolean }
export const sideWidths = { least: 180, most: 420, usual: 240, step: 16 } as const

const between = (width: number) => Math.min(sideWidths.most, Math.max(sideWidths.least, Math.round(width)))

export const parseWidth = (text: string | null) => {
  const width = Number(text ?? Number.NaN)
  return Number.isFinite(width) && width !== 0 ? between(width) : sideWidths.usual
}

/** The state after a key press on the separator; undefined for other keys. */
export function sideWidthAfterKey({ width, open }: SideWidth, key: string): SideWidth | undefined {
  const widths: Readonly<Record<string, number>> = {
    ArrowLeft: width - sideWidths.step,
    ArrowRight: width + sideWidths.step,
    Home: sideWidths.least,
    End: sideWidths.most,
  }
  const next = widths[key]
  if (next !== undefined) return { width: between(next), open: true }
  return key === 'Enter' || key === ' ' ? { width, open: !open } : undefined
}
