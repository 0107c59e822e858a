import { byKey } from './by-key.tsx'

/** An excerpt of a search result with the keyword highlighted. */
export function Excerpt({ text, keyword }: { text: string; keyword: string }) {
  const parts = partsOf(text, keyword)
  return (
    <span className="meta excerpt">
      {parts.map((part, place) => byKey(place, place % 2 === 1 ? <mark>{part}</mark> : part))}
    </span>
  )
}

/** Every second part is the keyword, in the spelling of the text. */
export function partsOf(text: string, keyword: string): string[] {
  const [low, needle] = [text.toLowerCase(), keyword.toLowerCase()]
  const parts: string[] = []
  let from = 0
  // A letter that is longer in lower case would shift every later offset.
  if (needle === '' || low.length !== text.length) return [text]
  for (let at = low.indexOf(needle); at !== -1; at = low.indexOf(needle, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + needle.length))
    from = at + needle.length
  }
  return [...parts, text.slice(from)]
}
