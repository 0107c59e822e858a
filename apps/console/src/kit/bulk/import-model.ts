import type { ImportColumn } from '@wattdeck/contract/system/batch.ts'

/** Column key → column index in the sheet. */
export type Mapping = Record<string, number>

/** 'name:0,type:2' */
export const mappingText = (mapping: Mapping) =>
  Object.entries(mapping)
    .map(([key, place]) => `${key}:${place}`)
    .join(',')

export const missingColumns = (columns: readonly ImportColumn[], mapping: Mapping) =>
  columns.filter((column) => column.required && mapping[column.key] === undefined).map((column) => column.title)

/** The values that differ from the displayed ones, so an untouched masked value is not sent. */
export function changedValues(before: Record<string, string>, after: Record<string, string | undefined>) {
  return Object.fromEntries(
    Object.entries(after).flatMap(([key, text = '']) => (text === (before[key] ?? '') ? [] : [[key, text]])),
  )
}
