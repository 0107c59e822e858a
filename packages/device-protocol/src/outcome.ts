/** What came of reading or writing something: the thing, or why not. Devices send anything, so this is no exception. */
export type Outcome<T> = { ok: true; value: T } | Refused
export type Refused = { ok: false; reason: string }

export const done = <T>(value: T): Outcome<T> => ({ ok: true, value })
export const refused = (reason: string): Refused => ({ ok: false, reason })
