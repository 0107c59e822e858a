import { hasWord } from './content.ts'
import { type Labels, labelsOfPage, type Part } from './screen-labels.ts'
import type { Line } from './spec-csv.ts'

/**
 * The missing part of a line of docs/spec/screen-content.csv. `as` is the label in the wording of the screen, or
 * '<file>#<word>' where another source shows it: a table of codes, a part of the kit, a tab.
 */
export function labelProblem(labels: Labels, { part = '', label = '', as = '' }: Line): string | undefined {
  const [file = '', word] = as.split('#')
  if (word !== undefined) return hasWord(file, word) ? undefined : `${file} does not name ${word}`
  const expected = as === '' ? label : as
  const texts = labels[part as Part]
  if (texts.has(expected)) return undefined
  // 新增 may be followed by its object: 新增站点.
  const isAdd = part === 'action' && expected === '新增' && [...texts].some((text) => text.startsWith(expected))
  return isAdd ? undefined : `the screen has no ${part} ${expected}`
}

/** The missing parts of the lines of a screen with this page file. */
export async function screenProblems(page: string, lines: readonly Line[]): Promise<(string | undefined)[]> {
  const labels = await labelsOfPage(page)
  return lines.map((line) => labelProblem(labels, line))
}
