import { file } from '@wattdeck/contract/auth/file.ts'
import { useQuery } from '@tanstack/react-query'
import { fetchFile } from '../api/api.ts'
import { queryClient, routeKey } from '../api/queries.ts'

const cacheMs = 300_000
const keyOf = (id: string) => routeKey(file.content, { id })

/** The bytes of a stored picture. They are fetched with the user's token, which an <img> could not send. */
export const useStoredPicture = (id: string) =>
  useQuery({
    queryKey: keyOf(id),
    queryFn: async ({ signal }) => (await fetchFile(file.content, { params: { id }, signal })).blob,
    // The content of a file id never changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: cacheMs,
  })

/** Caches an uploaded picture, so that it need not be fetched. */
export const rememberPicture = (id: string, picture: Blob) => queryClient.setQueryData(keyOf(id), picture)
