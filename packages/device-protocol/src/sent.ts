/** Which start of the device this is, and which message since: later means larger, first by bootId, then by seq. */
export type DeviceOrder = { bootId: number; seq: number }

/** Where the protocol has them. */
export type Sent = { order?: DeviceOrder | undefined; deviceTimeS?: number | undefined }

export type AttributeValues = { readonly [identifier: string]: number }
