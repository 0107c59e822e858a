import { randomInt } from 'node:crypto'

/** Digits as strokes on a 3×5 grid, so that no font is needed and nothing in the picture is text. */
const strokes: Record<string, [number, number][][]> = {
  '2': [
    [
      [0, 1],
      [1, 0],
      [2, 1],
      [2, 2],
      [0, 5],
      [2, 5],
    ],
  ],
  '3': [
    [
      [0, 0],
      [2, 0],
      [1, 2],
      [2, 3],
      [2, 4],
      [1, 5],
      [0, 4],
    ],
  ],
  '4': [
    [
      [2, 5],
      [2, 0],
      [0, 3],
      [2.4, 3],
    ],
  ],
  '5': [
    [
      [2, 0],
      [0, 0],
      [0, 2],
      [2, 2.4],
      [2, 4],
      [1, 5],
      [0, 4.6],
    ],
  ],
  '6': [
    [
      [2, 0],
      [0, 3],
      [0, 4.4],
      [1, 5],
      [2, 4.4],
      [2, 3],
      [1, 2.4],
      [0, 3.2],
    ],
  ],
  '7': [
    [
      [0, 0],
      [2, 0],
      [0.8, 5],
    ],
    [
      [0.4, 2.6],
      [1.9, 2.6],
    ],
  ],
  '8': [
    [
      [1, 2.4],
      [0.1, 1.2],
      [1, 0],
      [1.9, 1.2],
      [1, 2.4],
      [0, 3.8],
      [1, 5],
      [2, 3.8],
      [1, 2.4],
    ],
  ],
  '9': [
    [
      [2, 1.8],
      [1, 2.6],
      [0, 1.6],
      [0.6, 0],
      [1.8, 0.4],
      [2, 2],
      [1, 5],
    ],
  ],
}
const digits = Object.keys(strokes)
const around = (value: number, by: number) => (value + (randomInt(2001) / 1000 - 1) * by).toFixed(1)

export const newCaptchaAnswer = () => Array.from({ length: 4 }, () => digits[randomInt(digits.length)] ?? '2').join('')

/** A PNG as a data URL: bent digits under noise. */
export async function drawCaptcha(answer: string): Promise<string> {
  const glyphs = Array.from(answer, (digit, place) => {
    const lines = (strokes[digit] ?? []).map((line) =>
      line.map(([x, y]) => `${around(x * 8, 1.2)},${around(y * 6, 1.2)}`).join(' '),
    )
    const turn = `translate(${around(14 + place * 27, 3)} ${around(7, 2)}) rotate(${around(0, 16)} 8 15)`
    const colour = `hsl(${randomInt(190, 260)} 55% ${randomInt(30, 45)}%)`
    return `<g transform="${turn}" fill="none" stroke="${colour}" stroke-width="3" stroke-linejoin="round" stroke-linecap="round">${lines
      .map((points) => `<polyline points="${points}"/>`)
      .join('')}</g>`
  })
  const noise = Array.from(
    { length: 5 },
    () =>
      `<path d="M0 ${randomInt(44)} Q ${randomInt(120)} ${randomInt(44)} 120 ${randomInt(44)}" fill="none" stroke="hsl(${randomInt(360)} 40% 60%)" stroke-width="1"/>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="44"><rect width="120" height="44" fill="#eef3f9"/>${glyphs.join('')}${noise.join('')}</svg>`
  const { default: sharp } = await import('sharp')
  const png = await sharp(Buffer.from(svg)).png().toBuffer()
  return `data:image/png;base64,${png.toString('base64')}`
}
