import { z } from 'zod'

/** The seven tones of the console; each has a text, fill and border colour in both themes. */
export type Tone = 'ok' | 'run' | 'bad' | 'warn' | 'book' | 'link' | 'off'
type Entry = { code: number | string; label: string; tone?: Tone }

/** One table for each enumeration of the specification: wire code, Chinese label, tone. */
export function codes<const T extends Record<string, Entry>>(table: T) {
  type Name = keyof T & string
  type Code = T[Name]['code']
  const entries = Object.values(table) as Entry[]
  const byCode = new Map(entries.map((entry) => [entry.code, entry]))
  const byText = new Map(entries.map((entry) => [String(entry.code), entry.code as Code]))
  const code = Object.fromEntries(Object.entries(table).map(([name, entry]) => [name, entry.code])) as {
    [K in Name]: T[K]['code']
  }
  return {
    code,
    /** In a reply or a JSON body: the code itself. */
    schema: z.literal(entries.map((entry) => entry.code) as [Code, ...Code[]]),
    /** In a query string or form: the code as text. */
    wire: z.enum([...byText.keys()] as [string, ...string[]]).transform((value) => byText.get(value) as Code),
    options: entries.map((entry) => ({ value: entry.code as Code, label: entry.label })),
    show: (value: Code): Entry => byCode.get(value) ?? { code: value, label: String(value), tone: 'off' },

    /** Allowed transitions. The server guards its UPDATE with them; the console derives its buttons from them. */
    flow<A extends string>(moves: Record<A, { from: readonly Name[]; to: Name }>) {
      const from = (action: A): Code[] => moves[action].from.map((name) => code[name])
      return {
        from,
        to: (action: A): Code => code[moves[action].to],
        can: (action: A, state: Code) => from(action).includes(state),
        /** Every transition as 'from>to' in codes; the database enforces them on a state column. */
        moves: Object.values<{ from: readonly Name[]; to: Name }>(moves).flatMap((move) =>
          move.from.filter((name) => name !== move.to).map((name) => `${code[name]}>${code[move.to]}`),
        ),
      }
    },
  }
}
