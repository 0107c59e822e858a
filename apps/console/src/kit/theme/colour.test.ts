import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brandColours, brandVariables, darkGround, defaultColour, readAppearance } from './brand.ts'
import { contrast, isHexColour, mix, paletteStep, textShade, textTint } from './colour.ts'

const hex = (value: number) => `#${value.toString(16).padStart(6, '0')}`.toUpperCase()
const fifty = [
  ...brandColours.map((colour) => colour.value),
  '#000000',
  '#FFFFFF',
  '#808080',
  '#FFFF00',
  '#00FF00',
  '#00FFFF',
  '#FF0000',
  ...Array.from({ length: 35 }, (_, at) => hex((at * 479_001 + 12_345) % 0x1_00_00_00)),
]
const anyColour = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => hex(value))

describe('contrast', () => {
  it('is that of WCAG', () => {
    expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21)
    expect(contrast('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2)
    expect(contrast('#FFFFFF', '#1890FF')).toBeCloseTo(3.24, 2)
  })
})

describe('text in the brand colour', () => {
  it('is tried with fifty colours', () => expect(new Set(fifty).size).toBe(50))

  it('is readable on white, and white on it, for fifty colours', () => {
    expect(fifty.filter((seed) => contrast(textShade(seed), '#FFFFFF') < 4.5)).toEqual([])
  })

  it('is readable on the dark ground, for fifty colours', () => {
    expect(fifty.filter((seed) => contrast(textTint(seed, darkGround), darkGround) < 4.5)).toEqual([])
  })

  it.each(['light', 'dark'] as const)('is readable on its own fill in the %s theme, for fifty colours', (look) => {
    const faint = fifty.filter((seed) => {
      const { '--brand-text': text = '', '--brand-fill': fill = '' } = brandVariables(look, seed)
      return contrast(text, fill) < 4.5
    })
    expect(faint).toEqual([])
  })

  it('is readable in any colour', () => {
    fc.assert(
      fc.property(anyColour, (seed) => {
        expect(contrast(textShade(seed), '#FFFFFF')).toBeGreaterThanOrEqual(4.5)
        expect(contrast(textTint(seed, darkGround), darkGround)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  it('is the palette step of the design for the default colour', () => {
    expect(textShade(defaultColour)).toBe('#096DD9')
  })

  it('is the colour itself if that is readable already', () => expect(textShade('#722ed1')).toBe('#722ED1'))
})

it('the palette is that of Ant Design', () => {
  expect(([6, 7, 8, 9, 10] as const).map((step) => paletteStep('#1890FF', step))).toEqual([
    '#1890FF',
    '#096DD9',
    '#0050B3',
    '#003A8C',
    '#002766',
  ])
})

it('mixes from one colour to the other', () => {
  expect([0, 0.5, 1].map((share) => mix('#FFFFFF', '#000000', share))).toEqual(['#000000', '#808080', '#FFFFFF'])
})

describe('stored appearance', () => {
  it('is used if it is valid', () => {
    expect(readAppearance('dark', '#13c2c2')).toEqual({ theme: 'dark', color: '#13C2C2' })
    expect(readAppearance('system', '#1890FF').theme).toBe('system')
  })

  it.each([
    [null, null],
    ['blue', 'red'],
    ['', '#12'],
    ['LIGHT', '#1890FF;}'],
  ])('is light and %# the default colour for %j and %j', (theme, color) => {
    expect(readAppearance(theme, color)).toEqual({ theme: 'light', color: '#1890FF' })
  })

  it('validates the whole text of a colour', () => {
    expect(isHexColour('#1890FF')).toBe(true)
    expect(isHexColour('#1890FF0')).toBe(false)
    expect(isHexColour(' #1890FF')).toBe(false)
  })
})
