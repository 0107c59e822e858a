/**
 * What is said of a line of the specification. ok: it is there. waiting: a capability that is to be built brings it. open:
 * it is missing, and content-open.csv says why. wrong: none of these, and the check fails.
 */
export type State = 'ok' | 'waiting' | 'open' | 'wrong'

export type Subject = {
  id: string
  /** What is missing or differs; undefined where all of it is there. */
  problem: string | undefined
  /** The capability that the line waits for, or nothing. */
  waits: string
}

type SpecLists = { capabilities: ReadonlySet<string>; open: ReadonlySet<string> }

/** Judges one line. A line that is there may name neither a capability nor a reason, so that no list outlives its work. */
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
