/**
 * Binding a factor opens a new session and remounts the page. The recovery codes are handed to the new page in memory
 * and read once.
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
