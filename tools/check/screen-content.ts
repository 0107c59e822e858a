import { hasWord } from './content.ts'
import { type Labels, labelsOfPage, type Part } from './screen-labels.ts'
import type { Line } from './spec-csv.ts'

/**
 * What is missing of a line of docs/spec/screen-content.csv. `as` is the label as the screen words it, or
 * '<file>#<word>' where another source shows it: a table of codes, a part of the kit, a tab.
 */
export function labelProblem(labels: Labels, { part = '', label = '', as = '' }: Line): string | undefined {
  const [file = '', word] = as.split('#')
  if (word !== undefined) return hasWord(file, word) ? undefined : `${file} does not name ${word}`
  const wanted = as === '' ? label : as
  const texts = labels[part as Part]
  if (texts.has(wanted)) return undefined
  // 新增 names what is added: 新增站点.
  const isAdd = part === 'action' && wanted === '新增' && [...texts].some((text) => text.startsWith(wanted))
  return isAdd ? undefined : `the screen has no ${part} ${wanted}`
}

/** What is missing of the lines of a screen whose page is this file. */
export async function screenProblems(page: string, lines: readonly Line[]): Promise<(string | undefined)[]> {
  const labels = await labelsOfPage(page)
  return lines.map((line) => labelProblem(labels, line))
}
