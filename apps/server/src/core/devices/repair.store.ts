import { type AlarmKindCode, alarmDetailText, alarmKind } from '@wattdeck/contract/product/alarm-codes.ts'
import type { Insertable } from 'kysely'
import type { RepairTicket } from '../../kit/db/db.gen.ts'
import type { Db } from '../../kit/db/db.ts'

/** Adds a repair ticket, from staff or from the worker if an alarm rule requires it. */
export async function addTicket(db: Db, ticket: Insertable<RepairTicket>): Promise<string> {
  const row = await db.insertInto('repair_ticket').values(ticket).returning('id').executeTakeFirstOrThrow()
  return row.id
}

export const faultText = (kind: AlarmKindCode, detail: Readonly<Record<string, unknown>>): string =>
  [alarmKind.show(kind).label, alarmDetailText(detail)].filter((part) => part !== '').join('：')
