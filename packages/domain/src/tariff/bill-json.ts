import type { Bill } from './bill.ts'

/** JSON knows no integers of any size: amounts are written as text, and only amounts stand under these names. */
const isAmount = (name: string) => name === 'parts' || name.endsWith('Fen')

export const billText = (bill: Bill): string =>
  JSON.stringify(bill, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))

/** What billText wrote, also after a database has parsed it. */
export const readBill = (stored: unknown): Bill =>
  JSON.parse(typeof stored === 'string' ? stored : JSON.stringify(stored), (name, value: unknown) =>
    typeof value === 'string' && isAmount(name) ? BigInt(value) : value,
  ) as Bill
