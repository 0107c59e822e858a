const two = (number: number) => String(number).padStart(2, '0')
const chinaOffsetMs = 8 * 3_600_000

/**
 * The number of an order at a pile, 32 digits: pile (14), gun (2), when it was made in China's time (12), and a count
 * that tells those of one second apart (4). The platform makes it before a start and has no other number for the order,
 * so the pile's settlement names it as it is.
 */
export function orderSerial(pileNo: string, port: number, atMs: number, count: number): string {
  const made = new Date(atMs + chinaOffsetMs).toISOString().replaceAll(/\D/g, '').slice(2, 14)
  return `${pileNo}${two(port)}${made}${String(count % 10_000).padStart(4, '0')}`
}

/** Whether an order number could be one of this gun. */
export const isSerialOf = (orderNo: string, pileNo: string, port: number): boolean =>
  /^\d{32}$/.test(orderNo) && orderNo.startsWith(`${pileNo}${two(port)}`)
