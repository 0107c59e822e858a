import { byKey } from './by-key.tsx'

/** Where something was found, with what was looked for set off. */
export function Excerpt({ text, keyword }: { text: string; keyword: string }) {
  const parts = partsOf(text, keyword)
  return (
    <span className="meta excerpt">
      {parts.map((part, place) => byKey(place, place % 2 === 1 ? <mark>{part}</mark> : part))}
    </span>
  )
}

/** Every second part is the keyword, as it is spelt there. */
export function partsOf(text: string, keyword: string): string[] {
  const [low, wanted] = [text.toLowerCase(), keyword.toLowerCase()]
  const parts: string[] = []
  let from = 0
  // A letter that is longer in lower case would shift every place after it.
  if (wanted === '' || low.length !== text.length) return [text]
  for (let at = low.indexOf(wanted); at !== -1; at = low.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + wanted.length))
    from = at + wanted.length
  }
  return [...parts, text.slice(from)]
}
