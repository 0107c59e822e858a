/**
 * Result type of codecs: a value, or the reason for a failure. Malformed input from devices is normal, so it throws no
 * exception.
 */
export type Outcome<T> = { ok: true; value: T } | Refused
export type Refused = { ok: false; reason: string }

export const done = <T>(value: T): Outcome<T> => ({ ok: true, value })
export const refused = (reason: string): Refused => ({ ok: false, reason })
