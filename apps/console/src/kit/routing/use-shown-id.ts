import { useSearch } from './use-search.ts'

/** The id of the record whose drawer is open, kept in the address so that a link opens the same drawer. */
export function useShownId(name: string) {
  const [search, setSearch] = useSearch()
  const shown = /^[1-9]\d{0,17}$/.exec(search.get(name) ?? '')?.[0]
  const show = (id: string | undefined) =>
    setSearch((now) => {
      const next = new URLSearchParams(now)
      if (id === undefined) next.delete(name)
      else next.set(name, id)
      return next
    })
  return [shown, show] as const
}
