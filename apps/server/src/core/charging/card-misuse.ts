import { alarmKind } from '@wattdeck/contract/product/alarm-codes.ts'
import { raise } from '../devices/alarms/alarm-signal.store.ts'
import type { Db } from '../../kit/db/db.ts'

type Misuse = { deviceId: string; portNo?: number | undefined; atMs: number; key: string; word: string }

/** An alarm at the device where a card was used as no honest card is; under one key it is one. */
export const raiseMisuse = (db: Db, { deviceId, portNo, atMs, key, word }: Misuse): Promise<void> =>
  raise(db, [
    { deviceId, portNo: portNo ?? null, kind: alarmKind.code.cardMisuse, sick: true, atMs, key, detail: { word } },
  ])
