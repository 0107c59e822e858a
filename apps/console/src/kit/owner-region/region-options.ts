import type { Region } from '@wattdeck/contract/system/region.ts'

/** One line of a cascade of regions; children are undefined until they have been read. */
export type RegionOption = {
  value: string
  label: string
  isLeaf: boolean
  loading?: boolean
  children?: RegionOption[]
}
/** What has been read below one region; rows are undefined while it is being read. */
export type Level = { parent: string | undefined; rows: readonly Region[] | undefined; loading: boolean }

export function regionOptions(levels: readonly Level[], parent?: string): RegionOption[] {
  const rows = levels.find((level) => level.parent === parent)?.rows ?? []
  return rows.map(({ adcode, name, leaf }) => {
    const below = levels.find((level) => level.parent === adcode)
    return {
      value: adcode,
      label: name,
      isLeaf: leaf,
      ...(below?.loading ? { loading: true } : {}),
      ...(below?.rows ? { children: regionOptions(levels, adcode) } : {}),
    }
  })
}

/** The names along a path, as far as they are known; a code stands for a name that is not. */
export function pathNames(options: readonly RegionOption[], [code, ...rest]: readonly string[]): string[] {
  if (code === undefined) return []
  const option = options.find((one) => one.value === code)
  return [option?.label ?? code, ...pathNames(option?.children ?? [], rest)]
}

/** From province to district, without what is not chosen. */
export const pathOf = (...codes: (string | null | undefined)[]): string[] =>
  codes.filter((code): code is string => typeof code === 'string' && code !== '')
