/**
 * Binding a factor opens a new session, and the page is drawn anew for it. Recovery codes wait here for that page: in
 * memory only, and they are taken once.
 */
let waiting: readonly string[] = []

export function keepShownCodes(codes: readonly string[]): void {
  waiting = codes
}

export function takeShownCodes(): readonly string[] {
  const codes = waiting
  waiting = []
  return codes
}
