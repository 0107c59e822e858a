import { type AlarmKindCode, alarmDetailText, alarmKind } from '@wattdeck/contract/product/alarm-codes.ts'
import type { Insertable } from 'kysely'
import type { RepairTicket } from '../../kit/db/db.gen.ts'
import type { Db } from '../../kit/db/db.ts'

/** A ticket is opened by people and, where a rule says so, by the worker that raised the alarm. */
export async function addTicket(db: Db, ticket: Insertable<RepairTicket>): Promise<string> {
  const made = await db.insertInto('repair_ticket').values(ticket).returning('id').executeTakeFirstOrThrow()
  return made.id
}

export const faultText = (kind: AlarmKindCode, detail: Readonly<Record<string, unknown>>): string =>
  [alarmKind.show(kind).label, alarmDetailText(detail)].filter((part) => part !== '').join('：')
