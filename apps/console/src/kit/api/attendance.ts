/** After so long without a touch, what the console asks for is asked by the console itself: a page that reads itself again. */
const unattendedMs = 60_000

let touchedMs = Date.now()
const touch = () => {
  touchedMs = Date.now()
}
for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
  globalThis.addEventListener?.(kind, touch, { capture: true, passive: true })

/** The server does not keep a session awake for what nobody has asked for: it ends after half an hour. */
export const isUnattended = (): boolean => Date.now() - touchedMs > unattendedMs
