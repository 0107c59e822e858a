import { type LinkTarget, linkTarget } from '../routing/link-target.ts'
import { ownPath } from '../routing/own-path.ts'

/** The inline nodes of a text. There is no kind for markup: a tag is text. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong'; children: Inline[] }
  | { kind: 'em'; children: Inline[] }
  | { kind: 'link'; target: LinkTarget; children: Inline[] }
  | { kind: 'image'; src: string; alt: string }
  | { kind: 'break' }

// Each pattern is tried at the current offset, and none looks beyond the next mark of its own kind. Parsing time is
// therefore proportional to the length of any text.
const patterns = {
  escape: /\\([!-/:-@[-`{-~])/y,
  code: /(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)/suy,
  image: /!\[([^[\]]*)\]\(([^()\s]*)\)/uy,
  link: /\[([^[\]]+)\]\(([^()\s]*)\)/uy,
  strong: /\*\*(?=\S)((?:[^*]|\*(?!\*))+)\*\*/uy,
  em: /\*(?=\S)([^*]+)\*(?!\*)/uy,
  break: /(?: {2,8}|\\)\n/y,
}
const special = /[\\`![*\n ]/g
const deepest = 3

/** A line break between two Chinese characters is not a space. */
const joinLines = (text: string) => text.replaceAll(/(?<=[\u2E80-\uFFEF])\n(?=[\u2E80-\uFFEF])/g, '')

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

type Found = { node: Inline; length: number }

function findAt(text: string, at: number, depth: number, inLink: boolean): Found | undefined {
  const below = (inner: string, within = inLink) => parseInline(inner, depth + 1, within)
  const tries: Record<string, () => Found | undefined> = {
    '\\': () =>
      found('break', () => ({ kind: 'break' })) ?? found('escape', ([, char = '']) => ({ kind: 'text', text: char })),
    ' ': () => found('break', () => ({ kind: 'break' })),
    '`': () => found('code', ([, , code = '']) => ({ kind: 'code', text: code.replaceAll('\n', ' ') })),
    '!': () =>
      found('image', ([, alt = '', url = '']) => {
        // A picture of another host would reveal the reader to that host.
        const src = ownPath(url, '')
        return src === '' ? undefined : { kind: 'image', src, alt }
      }),
    '[': () =>
      found('link', ([, label = '', url = '']) => {
        const target = inLink ? undefined : linkTarget(url)
        return target && { kind: 'link', target, children: below(label, true) }
      }),
    '*': () =>
      found('strong', ([, inner = '']) => ({ kind: 'strong', children: below(inner) })) ??
      found('em', ([, inner = '']) => ({ kind: 'em', children: below(inner) })),
  }
  function found(name: keyof typeof patterns, toNode: (match: RegExpExecArray) => Inline | undefined) {
    const match = matchAt(patterns[name], text, at)
    const node = match && toNode(match)
    // A mark without a valid target stays text.
    if (match && !node) return { node: { kind: 'text' as const, text: match[0] }, length: match[0].length }
    return match && node ? { node, length: match[0].length } : undefined
  }
  return tries[text[at] ?? '']?.()
}

export function parseInline(text: string, depth = 0, inLink = false): Inline[] {
  if (depth > deepest) return [{ kind: 'text', text }]
  const nodes: Inline[] = []
  let plain = ''
  const flush = () => {
    if (plain !== '') nodes.push({ kind: 'text', text: joinLines(plain) })
    plain = ''
  }
  for (let at = 0; at < text.length;) {
    special.lastIndex = at
    const next = special.exec(text)?.index ?? text.length
    plain += text.slice(at, next)
    at = next
    if (at === text.length) break
    const found = findAt(text, at, depth, inLink)
    if (!found) plain += text[at]
    else if (found.node.kind === 'text') plain += found.node.text
    else {
      flush()
      nodes.push(found.node)
    }
    at += found?.length ?? 1
  }
  flush()
  return nodes
}
