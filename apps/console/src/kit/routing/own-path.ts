const here = 'http://own.invalid'
const leavesHost = (path: string) => path.startsWith('//') || /[\\\p{Cc}]/u.test(path)

/** The allowed target of a redirect: a path of this console, never another host, however it is spelt. */
export function ownPath(address: string | null | undefined, fallback: string): string {
  if (!address?.startsWith('/') || leavesHost(address) || !URL.canParse(address, here)) return fallback
  const url = new URL(address, here)
  // '/..//host' becomes '//host' only after its dot segments are resolved.
  return url.origin === here && !leavesHost(url.pathname) ? `${url.pathname}${url.search}${url.hash}` : fallback
}
