let cachedTicket: string | undefined

/**
 * Removes the ticket of a quick-login link from the address bar at once, so it stays neither in the history nor in a
 * screenshot. Cached in the module, because React may render a page twice.
 */
export function takeTicket(): string | undefined {
  const url = new URL(globalThis.location.href)
  const ticket = url.searchParams.get('ticket') ?? url.searchParams.get('token')
  if (ticket !== null) {
    cachedTicket = ticket
    globalThis.history.replaceState(globalThis.history.state, '', url.pathname)
  }
  return cachedTicket
}
