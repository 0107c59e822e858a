import { pathNames } from './region-options.ts'
import { useRegionTree } from './use-region-tree.ts'

/** The names of the codes of a path. */
export default function RegionNames({ path }: { path: readonly string[] }) {
  const { options } = useRegionTree(path)
  return pathNames(options, path).join(' / ')
}
