import type pg from 'pg'

// Each text that is asked again is parsed and planned once a connection, under a name. Queries must keep stable texts
// ('= any($1)' instead of an IN list). The code that a partial index is about is no parameter but sql.lit: a plan that is
// kept cannot use the index otherwise, and reads everything that is over and done. Nor is a column compared with
// coalesce(...), or with a function of another table's column: behind row security PostgreSQL takes these for functions
// that may tell what they saw, and reads every row before it compares. CASE does the work of coalesce, or a sub-select
// around it; a function is given a parameter.

/**
 * A prepared statement costs a backend about 80 kB, and lists with twenty optional filters have millions of texts. So
 * only so many have a name, those that were asked last. A text that is asked once does not push another out.
 */
const mostNamed = 150
const mostSeen = 1000

/** Texts that were asked once and may come again, oldest first. */
const seen = new Set<string>()
/** Names by text, the longest unused first. */
const names = new Map<string, string>()
/** Names that were given up, in this order; connections still hold them until their next transaction. */
let forgotten: string[] = []
let forgottenBefore = 0
let lastName = 0

/** The name under which a text is kept on every connection; undefined for one that is asked for the first time. */
export function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined) {
    names.delete(text)
    names.set(text, known)
    return known
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

/** What the driver knows to be prepared on a connection, by name. */
type Prepared = Record<string, string>

/** What one connection must give up again. */
export class PreparedStatements {
  readonly #prepared: Prepared
  #readTo = forgottenBefore + forgotten.length
  constructor(client: pg.PoolClient) {
    this.#prepared = (client as unknown as { connection: { parsedStatements: Prepared } }).connection.parsedStatements
  }

  /** The names given up since the last time that are prepared here; they must be deallocated now. */
  takeForgotten(): string[] {
    // A connection that slept through more than is remembered looks at all it holds.
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
