/** Where a redirect may lead: a path of this console, never another host. */
export function ownPath(wanted: string | null | undefined, fallback: string): string {
  if (!wanted?.startsWith('/') || wanted.startsWith('//') || /[\\\p{Cc}]/u.test(wanted)) return fallback
  const url = new URL(wanted, 'http://own.invalid')
  return url.origin === 'http://own.invalid' ? `${url.pathname}${url.search}${url.hash}` : fallback
}
