const here = 'http://own.invalid'
const leavesHost = (path: string) => path.startsWith('//') || /[\\\p{Cc}]/u.test(path)

/** Where a redirect may lead: a path of this console, never another host, however it is spelt. */
export function ownPath(wanted: string | null | undefined, fallback: string): string {
  if (!wanted?.startsWith('/') || leavesHost(wanted) || !URL.canParse(wanted, here)) return fallback
  const url = new URL(wanted, here)
  // '/..//host' becomes '//host' only when its dots are resolved.
  return url.origin === here && !leavesHost(url.pathname) ? `${url.pathname}${url.search}${url.hash}` : fallback
}
