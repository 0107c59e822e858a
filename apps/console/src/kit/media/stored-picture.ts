import { file } from '@wattdeck/contract/auth/file.ts'
import { useQuery } from '@tanstack/react-query'
import { fetchFile } from '../api/api.ts'
import { queryClient, routeKey } from '../api/queries.ts'

const keptMs = 300_000
const keyOf = (id: string) => routeKey(file.content, { id })

/** The bytes of a stored picture. They are fetched with the person's token, which an <img> could not send. */
export const useStoredPicture = (id: string) =>
  useQuery({
    queryKey: keyOf(id),
    queryFn: async ({ signal }) => (await fetchFile(file.content, { params: { id }, signal })).blob,
    // What lies behind an id never changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
  })

/** What was just uploaded needs no fetching. */
export const rememberPicture = (id: string, picture: Blob) => queryClient.setQueryData(keyOf(id), picture)
