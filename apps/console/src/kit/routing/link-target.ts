import { ownPath } from './own-path.ts'

/** Where a link in a text written by somebody may lead: a path of this console, or another site over https. */
export type LinkTarget = { kind: 'own'; path: string } | { kind: 'other'; href: string }

/** Undefined: it may not be a link at all. */
export function linkTarget(wanted: string): LinkTarget | undefined {
  const path = ownPath(wanted, '')
  if (path !== '') return { kind: 'own', path }
  // Spelt out, because a browser reads 'https:host', 'https:\\host' and a line break within as the same address.
  if (!/^https:\/\/[^\s\\\p{Cc}]+$/iu.test(wanted) || !URL.canParse(wanted)) return undefined
  const url = new URL(wanted)
  // 'https://bank.example@other.example' looks like one host and is another.
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
  return { kind: 'other', href: url.href }
}
