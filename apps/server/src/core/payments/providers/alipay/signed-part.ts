/**
 * The raw text of the object under a name in an answer, because the signature covers the raw text. Undefined if there is
 * none. Only names of the outermost object match, so that a value cannot imitate a name.
 */
export function signedPart(answer: string, name: string): string | undefined {
  const prefix = `"${name}":`
  let depth = 0
  for (let at = 0; at < answer.length; at++) {
    const letter = answer[at]
    if (letter === '{' || letter === '[') depth++
    else if (letter === '}' || letter === ']') depth--
    else if (letter === '"') {
      if (depth === 1 && answer.startsWith(prefix, at)) return objectAt(answer, at + prefix.length)
      at = endOfText(answer, at)
    }
  }
  return undefined
}

function objectAt(answer: string, start: number): string | undefined {
  if (answer[start] !== '{') return undefined
  let depth = 0
  for (let at = start; at < answer.length; at++) {
    const letter = answer[at]
    if (letter === '"') at = endOfText(answer, at)
    else if (letter === '{') depth++
    else if (letter === '}' && --depth === 0) return answer.slice(start, at + 1)
  }
  return undefined
}

/** Index of the closing quote of a string. */
function endOfText(answer: string, start: number): number {
  for (let at = start + 1; at < answer.length; at++) {
    if (answer[at] === '\\') at++
    else if (answer[at] === '"') return at
  }
  return answer.length
}
