/** What the console has a link for, wherever it is named. */
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

/** The object that a field names: its kind, and the field of the row that holds its id. */
export type ObjectRef = { kind: ObjectKind; id: string }
