export type LineChange = { kind: 'added' | 'removed'; line: string }

/** The difference between two versions, by lines of their display text. */
export function lineChanges(before: string, after: string): LineChange[] {
  const [were, are] = [before.split('\n'), after.split('\n')]
  return [
    ...were.filter((line) => !are.includes(line)).map((line): LineChange => ({ kind: 'removed', line })),
    ...are.filter((line) => !were.includes(line)).map((line): LineChange => ({ kind: 'added', line })),
  ]
}
