let taken: string | undefined

/**
 * The ticket of a quick-login link, taken out of the address bar at once: it must stay neither in the history nor in a
 * picture of the screen. Kept here, because React may draw a page twice.
 */
export function takeTicket(): string | undefined {
  const url = new URL(globalThis.location.href)
  const ticket = url.searchParams.get('ticket') ?? url.searchParams.get('token')
  if (ticket !== null) {
    taken = ticket
    globalThis.history.replaceState(globalThis.history.state, '', url.pathname)
  }
  return taken
}
