import type pg from 'pg'

// A repeated text is parsed and planned once a connection, as a named statement. Queries must therefore have stable texts
// ('= any($1)' instead of an IN list). The code in the condition of a partial index must be sql.lit, not a parameter.
// Otherwise a generic plan cannot use the index and reads all finished rows. Do not compare a column with coalesce(...) or
// with a function of another table's column. Row-level security treats these as not leakproof, so PostgreSQL reads every row
// before the comparison. Use CASE or a sub-select instead of coalesce, and pass a parameter to a function.

/**
 * A prepared statement costs a backend about 80 kB, and lists with twenty optional filters have millions of texts. Only the
 * most recently used texts are named (LRU). A text that is used once evicts no other.
 */
const mostNamed = 150
const mostSeen = 1000

/** Texts that were used once, oldest first. */
const seen = new Set<string>()
/** Names by text, least recently used first. */
const names = new Map<string, string>()
/** Evicted names in order. Connections deallocate them at the start of their next transaction. */
let forgotten: string[] = []
let forgottenBefore = 0
let lastName = 0

/** The statement name of a text on every connection. Undefined at its first use. */
export function statementName(text: string): string | undefined {
  const existing = names.get(text)
  if (existing !== undefined) {
    names.delete(text)
    names.set(text, existing)
    return existing
  }
  if (!seen.delete(text)) {
    seen.add(text)
    if (seen.size > mostSeen) dropOldest(seen)
    return undefined
  }
  const name = `q${++lastName}`
  names.set(text, name)
  if (names.size > mostNamed) {
    const [[oldest, itsName] = ['', '']] = names
    names.delete(oldest)
    forgotten.push(itsName)
    if (forgotten.length > 10_000) {
      forgotten = forgotten.slice(5000)
      forgottenBefore += 5000
    }
  }
  return name
}

function dropOldest(texts: Set<string>): void {
  const [oldest = ''] = texts
  texts.delete(oldest)
}

/** Prepared statements of a connection according to the driver, by name. */
type Prepared = Record<string, string>

/** Tracks the evicted statements of one connection. */
export class PreparedStatements {
  readonly #prepared: Prepared
  #readTo = forgottenBefore + forgotten.length
  constructor(client: pg.PoolClient) {
    this.#prepared = (client as unknown as { connection: { parsedStatements: Prepared } }).connection.parsedStatements
  }

  /** Returns the evicted names that are prepared on this connection. The caller must deallocate them now. */
  takeForgotten(): string[] {
    // When the list of evicted names was truncated meanwhile, all prepared names are checked.
    const slept = this.#readTo < forgottenBefore
    const candidates = slept ? Object.keys(this.#prepared) : forgotten.slice(this.#readTo - forgottenBefore)
    this.#readTo = forgottenBefore + forgotten.length
    const mine = candidates.filter((name) => /^q\d+$/.test(name) && name in this.#prepared && !(slept && isNamed(name)))
    // oxlint-disable-next-line typescript/no-dynamic-delete -- the driver's own table, of names that come and go
    for (const name of mine) delete this.#prepared[name]
    return mine
  }
}

const isNamed = (name: string) => [...names.values()].includes(name)
