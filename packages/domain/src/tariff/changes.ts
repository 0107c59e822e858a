export type LineChange = { kind: 'added' | 'removed'; line: string }

/** What another version says otherwise, by the lines that people read. */
export function lineChanges(before: string, after: string): LineChange[] {
  const [were, are] = [before.split('\n'), after.split('\n')]
  return [
    ...were.filter((line) => !are.includes(line)).map((line): LineChange => ({ kind: 'removed', line })),
    ...are.filter((line) => !were.includes(line)).map((line): LineChange => ({ kind: 'added', line })),
  ]
}
