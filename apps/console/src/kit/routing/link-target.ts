import { ownPath } from './own-path.ts'

/** The allowed targets of a link in user-written text: a path of this console, or another site over https. */
export type LinkTarget = { kind: 'own'; path: string } | { kind: 'other'; href: string }

/** Undefined: the address must not become a link. */
export function linkTarget(address: string): LinkTarget | undefined {
  const path = ownPath(address, '')
  if (path !== '') return { kind: 'own', path }
  // Strict, because a browser reads 'https:host', 'https:\\host' and a line break within as the same address.
  if (!/^https:\/\/[^\s\\\p{Cc}]+$/iu.test(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  // 'https://bank.example@other.example' looks like one host and is another.
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
  return { kind: 'other', href: url.href }
}
