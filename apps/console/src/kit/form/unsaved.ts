/** Forms on the page; each function returns whether its form has unsaved input. */
const guards = new Set<() => boolean>()

export function guardUnsaved(isDirty: () => boolean): () => void {
  guards.add(isDirty)
  return () => {
    guards.delete(isDirty)
  }
}

export const hasUnsaved = () => [...guards].some((isDirty) => isDirty())
