const isEmpty = (value: unknown) =>
  value === '' || value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/** Removes empty-string fields before sending (spec §5), and values that would be sent as an empty string. */
export function dropEmpty<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Partial<T>
}

/** The text of a value in a query string or form field. Lists are joined by commas, so each key has one value. */
export const wireText = (value: unknown): string =>
  Array.isArray(value) ? value.map(wireText).join(',') : String(value)
