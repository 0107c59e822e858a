import { readFileSync } from 'node:fs'

const calls = /\blog\w*\.(info|warn|error|fatal)\(/g

/**
 * Messages that the processes log, with their levels, read from the sources: the last text among the arguments of a
 * call.
 */
export function collectLogLines(files: readonly string[]): Map<string, Set<string>> {
  const lines = new Map<string, Set<string>>()
  for (const file of files) {
    const source = readFileSync(file, 'utf8')
    for (const call of source.matchAll(calls)) {
      const message = lastText(argumentsAt(source, call.index + call[0].length))
      if (message !== undefined) lines.set(message, (lines.get(message) ?? new Set()).add(call[1] ?? ''))
    }
  }
  return lines
}

/** The text between the parentheses of a call that begins here. */
function argumentsAt(source: string, start: number): string {
  let depth = 1
  let end = start
  while (depth > 0 && end < source.length) {
    const letter = source[end]
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    end += 1
  }
  return source.slice(start, end - 1)
}

const lastText = (text: string): string | undefined => /'([^']+)',?\s*$/.exec(text)?.[1]
