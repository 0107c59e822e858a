/** Protocols that a device may speak. */
export type Protocol = 'dny' | 'mqttJson' | 'ocpp16' | 'ykc'
export type WireValue = number | string

/** A row without a column says that the protocol has no value for it. The first value is the one we write. */
type Row = { code: number; label: string } & { [P in Protocol]?: readonly WireValue[] }

/** A value as a device sent it: what it means to us, and what stood on the wire. */
export type Reading<Name extends string> = { readonly name: Name; readonly raw: WireValue }

/**
 * One table for each thing that protocols say in numbers of their own: platform code, name, Chinese label, and the
 * values of each protocol. Code 0 is 'unknown'; a value that no row has is read as that and keeps what was sent.
 */
export function protocolTable<const T extends Record<string, Row> & { unknown: Row }>(rows: T) {
  type Name = keyof T & string
  type SaidIn<P extends Protocol> = { [K in Name]: P extends keyof T[K] ? K : never }[Name]
  const entries = Object.entries(rows) as [Name, Row][]
  const byCode = new Map(entries.map(([name, row]) => [row.code, name]))
  // Made once, so that a thousand heartbeats a second share them.
  const columns = { dny: column('dny'), mqttJson: column('mqttJson'), ocpp16: column('ocpp16'), ykc: column('ykc') }

  function column(protocol: Protocol): Map<WireValue, Reading<Name>> {
    const readings = entries.flatMap(([name, row]) => (row[protocol] ?? []).map((raw) => ({ name, raw })))
    return new Map(readings.map((reading) => [reading.raw, Object.freeze(reading)]))
  }

  return {
    rows: rows as { readonly [K in Name]: Row },
    codeOf: (name: Name): number => rows[name]?.code ?? 0,
    labelOf: (name: Name): string => rows[name]?.label ?? rows.unknown.label,
    nameOf: (code: number): Name => byCode.get(code) ?? 'unknown',
    read: (protocol: Protocol, raw: WireValue): Reading<Name> => columns[protocol].get(raw) ?? { name: 'unknown', raw },
    /** The value to send for a name that the protocol can say. */
    say: <P extends Protocol>(protocol: P, name: SaidIn<P>): Reading<Name> => ({
      name,
      raw: rows[name]?.[protocol]?.[0] ?? 0,
    }),
  }
}

/** The names of a table. */
export type NameIn<Table extends { nameOf: (code: number) => string }> = ReturnType<Table['nameOf']>
