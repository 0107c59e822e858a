import { dateTime, int, oneOf, record, text } from './schema.ts'

/** Values shared by several calls. */

/** The database stores a small integer, and no charge point has more connectors. 0 is the charge point itself. */
export const connector = int(0, 255)
export const realConnector = int(1, 255)
export const idToken = text(20)
export const idTagInfo = record(
  { status: oneOf('Accepted', 'Blocked', 'Expired', 'Invalid', 'ConcurrentTx') },
  { expiryDate: dateTime, parentIdTag: idToken },
)
export const nothing = record({}, {})
export const status = <const W extends string>(...words: W[]) => record({ status: oneOf(...words) }, {})

/** The standard sets no limit; the frame size does. */
const vendorData = text(60_000)
export const dataTransfer = {
  req: record({ vendorId: text(255) }, { messageId: text(50), data: vendorData }),
  conf: record({ status: oneOf('Accepted', 'Rejected', 'UnknownMessageId', 'UnknownVendorId') }, { data: vendorData }),
}
