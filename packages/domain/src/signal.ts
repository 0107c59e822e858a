export type Signal = 'strong' | 'medium' | 'weak' | 'veryWeak' | 'unknown'

/** Quality of the mobile network at the device, by its CSQ: 0 to 31, 99 when the modem does not know. */
export function signalOf(csq: number | null): Signal {
  if (csq === null || csq < 0 || csq > 31) return 'unknown'
  if (csq >= 20) return 'strong'
  if (csq >= 12) return 'medium'
  return csq >= 6 ? 'weak' : 'veryWeak'
}
