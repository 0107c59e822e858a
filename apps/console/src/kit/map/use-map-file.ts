import type { MapFile } from '@wattdeck/domain/map-file.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readMapFile, type Shape, shapesOf } from './map-file.ts'

async function load(name: string, signal: AbortSignal): Promise<MapFile> {
  const response = await fetch(`${import.meta.env.BASE_URL}maps/${name}.json`, { signal, credentials: 'omit' })
  if (!response.ok) throw new Error(`${name}: ${response.status}`)
  return readMapFile(await response.json())
}

/** A map of the country ('china') or of a province, by its code. Fetched once per tab. */
export function useMapFile(name: string) {
  const query = useQuery({
    queryKey: ['map', name],
    queryFn: ({ signal }) => load(name, signal),
    staleTime: Infinity,
    retry: 1,
  })
  const { data } = query
  const shapes = useMemo<Shape[] | undefined>(() => data && shapesOf(data), [data])
  return { shapes, approval: data?.approval, failed: query.isError, refetch: query.refetch }
}
