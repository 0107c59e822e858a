/** The boot count of the device and the message count since boot. Messages order by bootId, then by seq. */
export type DeviceOrder = { bootId: number; seq: number }

/** Present where the protocol provides them. */
export type Sent = { order?: DeviceOrder | undefined; deviceTimeS?: number | undefined }

export type AttributeValues = { readonly [identifier: string]: number }
