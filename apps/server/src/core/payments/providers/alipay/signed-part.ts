/**
 * The text of the object that an answer holds under a name, as it came: that text is signed, not what it means. Undefined
 * where there is none. Found by walking over the outermost object only, so that a value cannot pose as a name.
 */
export function signedPart(answer: string, name: string): string | undefined {
  const wanted = `"${name}":`
  let depth = 0
  for (let at = 0; at < answer.length; at++) {
    const letter = answer[at]
    if (letter === '{' || letter === '[') depth++
    else if (letter === '}' || letter === ']') depth--
    else if (letter === '"') {
      if (depth === 1 && answer.startsWith(wanted, at)) return objectAt(answer, at + wanted.length)
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

/** Where the text that begins at a quote ends. */
function endOfText(answer: string, start: number): number {
  for (let at = start + 1; at < answer.length; at++) {
    if (answer[at] === '\\') at++
    else if (answer[at] === '"') return at
  }
  return answer.length
}
