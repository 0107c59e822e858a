const two = (number: number) => String(number).padStart(2, '0')
const chinaOffsetMs = 8 * 3_600_000

/**
 * Order number of a pile, 32 digits: pile (14), gun (2), creation time in China (12), and a counter within the second
 * (4). The platform assigns it before a start, and the pile's settlement repeats it unchanged.
 */
export function orderSerial(pileNo: string, port: number, atMs: number, count: number): string {
  const timestamp = new Date(atMs + chinaOffsetMs).toISOString().replaceAll(/\D/g, '').slice(2, 14)
  return `${pileNo}${two(port)}${timestamp}${String(count % 10_000).padStart(4, '0')}`
}

/** Whether an order number has the prefix of this gun. */
export const isSerialOf = (orderNo: string, pileNo: string, port: number): boolean =>
  /^\d{32}$/.test(orderNo) && orderNo.startsWith(`${pileNo}${two(port)}`)
