let taken: string | undefined

/**
 * The code with which Alipay sends a person back, taken out of the address bar at once. The state stays there: it is
 * good for nothing more than asking how the matter stands, which a reload has to do.
 */
export function takeAuthCode(): { code: string | undefined; state: string | undefined } {
  const url = new URL(globalThis.location.href)
  const state = url.searchParams.get('state') ?? undefined
  const code = url.searchParams.get('auth_code')
  if (code !== null) {
    taken = code
    const kept = state === undefined ? '' : `?${new URLSearchParams({ state }).toString()}`
    globalThis.history.replaceState(globalThis.history.state, '', url.pathname + kept)
  }
  return { code: taken, state }
}
