/** Without input for this long, requests come from the page itself, such as a periodic refetch, and not from the user. */
const unattendedMs = 60_000

let touchedMs = Date.now()
const touch = () => {
  touchedMs = Date.now()
}
for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
  globalThis.addEventListener?.(kind, touch, { capture: true, passive: true })

/** Unattended requests do not extend a session, so that an idle one ends after half an hour. */
export const isUnattended = (): boolean => Date.now() - touchedMs > unattendedMs
