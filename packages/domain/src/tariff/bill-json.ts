import type { Bill } from './bill.ts'

/** JSON has no bigint: amounts are stored as text, and only amounts use these names. */
const isAmount = (name: string) => name === 'parts' || name.endsWith('Fen')

export const billText = (bill: Bill): string =>
  JSON.stringify(bill, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))

/** Reads the output of billText, also after the database has parsed it. */
export function readBill(stored: unknown): Bill {
  const bill = JSON.parse(typeof stored === 'string' ? stored : JSON.stringify(stored), (name, value: unknown) =>
    typeof value === 'string' && isAmount(name) ? BigInt(value) : value,
  ) as Bill
  // Bills from before there were discounts.
  return { ...bill, discounts: bill.discounts ?? [] }
}
