export type Protocol = 'dny' | 'mqttJson' | 'ocpp16' | 'ykc'
export type WireValue = number | string

/** A missing column means that the protocol has no such value. The first value is the one written. */
type Row = { code: number; label: string } & { [P in Protocol]?: readonly WireValue[] }

/** A decoded value: its name, and the raw value on the wire. */
export type Reading<Name extends string> = { readonly name: Name; readonly raw: WireValue }

/**
 * Maps a set of protocol codes: platform code, name, Chinese label, and the values of each protocol. Code 0 is
 * 'unknown': unlisted values decode to it and keep their raw value.
 */
export function protocolTable<const T extends Record<string, Row> & { unknown: Row }>(rows: T) {
  type Name = keyof T & string
  type SaidIn<P extends Protocol> = { [K in Name]: P extends keyof T[K] ? K : never }[Name]
  const entries = Object.entries(rows) as [Name, Row][]
  const byCode = new Map(entries.map(([name, row]) => [row.code, name]))
  // Built once and shared: thousands of heartbeats a second use these readings.
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
    /** The wire value of a name that the protocol supports. */
    say: <P extends Protocol>(protocol: P, name: SaidIn<P>): Reading<Name> => ({
      name,
      raw: rows[name]?.[protocol]?.[0] ?? 0,
    }),
  }
}

export type NameIn<Table extends { nameOf: (code: number) => string }> = ReturnType<Table['nameOf']>
