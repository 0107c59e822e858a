import type { Region } from '@wattdeck/contract/system/region.ts'

/** One option of the region cascader; children are undefined until they are loaded. */
export type RegionOption = {
  value: string
  label: string
  isLeaf: boolean
  loading?: boolean
  children?: RegionOption[]
}
/** The loaded regions below one region; rows are undefined while they load. */
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

/** The names along a path; a code replaces a name that is not loaded. */
export function pathNames(options: readonly RegionOption[], [code, ...rest]: readonly string[]): string[] {
  if (code === undefined) return []
  const option = options.find((one) => one.value === code)
  return [option?.label ?? code, ...pathNames(option?.children ?? [], rest)]
}

/** From province to district, without levels that are not selected. */
export const pathOf = (...codes: (string | null | undefined)[]): string[] =>
  codes.filter((code): code is string => typeof code === 'string' && code !== '')
