/** Object kinds that the console links to wherever they are named. */
export const objectKinds = [
  'device',
  'port',
  'order',
  'member',
  'site',
  'tariff',
  'ticket',
  'alarm',
  'payment',
  'recharge',
  'refund',
  'staff',
  'organise',
] as const
export type ObjectKind = (typeof objectKinds)[number]

/** The object that a field names: its kind, and the row field with its id. */
export type ObjectRef = { kind: ObjectKind; id: string }
