const isEmpty = (value: unknown) =>
  value === '' || value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/** Before sending, empty-string fields are removed (spec §5), and what would be sent as an empty string with them. */
export function dropEmpty<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Partial<T>
}

/** How a value stands in a query string or form field: lists are joined by commas, so that a key has one value. */
export const wireText = (value: unknown): string =>
  Array.isArray(value) ? value.map(wireText).join(',') : String(value)
