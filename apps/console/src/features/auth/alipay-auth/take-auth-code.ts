let authCode: string | undefined

/**
 * Removes the authorisation code of Alipay from the address bar at once. The state stays there, because a reload needs
 * it to query the progress and it allows nothing else.
 */
export function takeAuthCode(): { code: string | undefined; state: string | undefined } {
  const url = new URL(globalThis.location.href)
  const state = url.searchParams.get('state') ?? undefined
  const code = url.searchParams.get('auth_code')
  if (code !== null) {
    authCode = code
    const search = state === undefined ? '' : `?${new URLSearchParams({ state }).toString()}`
    globalThis.history.replaceState(globalThis.history.state, '', url.pathname + search)
  }
  return { code: authCode, state }
}
