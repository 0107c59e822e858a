/**
 * The verdict on a line of the specification. ok: it is built. waiting: a planned capability will bring it. open: it is
 * missing, with a reason in content-open.csv. wrong: none of these, and the check fails.
 */
export type State = 'ok' | 'waiting' | 'open' | 'wrong'

export type Subject = {
  id: string
  /** The missing or differing part; undefined when the line is complete. */
  problem: string | undefined
  /** The capability that the line waits for, or an empty string. */
  waits: string
}

type SpecLists = { capabilities: ReadonlySet<string>; open: ReadonlySet<string> }

/** Judges one line. A complete line may name neither a capability nor a reason, so that no list outlives its work. */
export function judge({ id, problem, waits }: Subject, lists: SpecLists): { state: State; error?: string } {
  const isOpen = lists.open.has(id)
  const wrong = (error: string) => ({ state: 'wrong' as const, error: `${id}: ${error}` })
  if (waits !== '' && !lists.capabilities.has(waits)) return wrong(`waits for '${waits}', which capabilities.csv lacks`)
  if (waits !== '' && isOpen) return wrong(`waits for '${waits}' and stands in content-open.csv: one of them is enough`)
  if (problem === undefined && waits !== '') return wrong(`is there and still waits for '${waits}'`)
  if (problem === undefined && isOpen) return wrong('is there and still stands in content-open.csv')
  if (problem === undefined) return { state: 'ok' }
  if (waits !== '') return { state: 'waiting' }
  if (isOpen) return { state: 'open' }
  return wrong(problem)
}
