import { alarmKind } from '@wattdeck/contract/product/alarm-codes.ts'
import { raise } from '../devices/alarms/alarm-signal.store.ts'
import type { Db } from '../../kit/db/db.ts'

type Misuse = { deviceId: string; portNo?: number | undefined; atMs: number; key: string; word: string }

/** Raises a card misuse alarm at the device, once per key. */
export const raiseMisuse = (db: Db, { deviceId, portNo, atMs, key, word }: Misuse): Promise<void> =>
  raise(db, [
    { deviceId, portNo: portNo ?? null, kind: alarmKind.code.cardMisuse, sick: true, atMs, key, detail: { word } },
  ])
