/** Forms on the page, each able to say whether it holds input that would be lost. */
const guards = new Set<() => boolean>()

export function guardUnsaved(isDirty: () => boolean): () => void {
  guards.add(isDirty)
  return () => {
    guards.delete(isDirty)
  }
}

export const hasUnsaved = () => [...guards].some((isDirty) => isDirty())
