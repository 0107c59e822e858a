import {
  type AlarmKindCode,
  type AlarmProof,
  alarmFlow,
  alarmKind,
  proofOf,
} from '@wattdeck/contract/product/alarm-codes.ts'
import { repairFlow, type repairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { userType } from '@wattdeck/contract/common.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { beginsWith } from '../../../kit/db/keyword.ts'
import type { Source } from '../../../kit/db/list-query.ts'
import { withinOrganise } from '../../../kit/db/ownership.ts'
import { holdersOf } from '../../../kit/auth/rights.ts'
import { containing } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'

const kindsProvenBy = (proof: AlarmProof) =>
  alarmKind.options.map(({ value }) => value).filter((kind) => proofOf(kind) === proof)

/**
 * Whether the alarm of a ticket is over: closed, reported as healthy, or the device is online and has been quiet for 5 minutes. Null where
 * only a person can decide, who then completes the ticket.
 */
const healthy = sql<boolean | null>`(select case when a.status = 3 then true
    when a.kind = any(${kindsProvenBy('state')}::smallint[]) then a.healthy_since is not null
    when a.kind = any(${kindsProvenBy('quiet')}::smallint[]) then a.last_at < now() - interval '5 minutes'
      and coalesce((select online from device where device.id = a.device_id), false) end
  from alarm a where a.id = repair_ticket.alarm_id)`

export const repairSource: Source = {
  table: 'repair_ticket',
  plansByValues: true,
  computed: {
    deviceName: sql`(select name from device where device.id = repair_ticket.device_id)`,
    address: sql`(select address from site where site.id = repair_ticket.site_id)`,
    pictureIds: sql`repair_ticket.picture_ids::text[]`,
    assigneeName: sql`(select name from user_account where user_account.id = repair_ticket.assignee_id)`,
    alarmStatus: sql`(select status from alarm where alarm.id = repair_ticket.alarm_id)`,
    healthy,
    resultPictureIds: sql`repair_ticket.result_picture_ids::text[]`,
    minutes: sql`(extract(epoch from coalesce(repair_ticket.completed_at, now()) - repair_ticket.created_at) / 60)::int`,
  },
  own: ({ keyword, assigneeId }: QueryOf<typeof repairTicket.list>, { scope }) => [
    ...withinOrganise('repair_ticket', scope),
    ...(assigneeId === undefined ? [] : [sql<boolean>`repair_ticket.assignee_id = ${assigneeId}`]),
    ...(keyword === undefined
      ? []
      : [
          sql<boolean>`(${beginsWith('repair_ticket.ticket_no', keyword.toUpperCase())}
            or ${beginsWith('repair_ticket.device_no', keyword)})`,
        ]),
  ],
}

/** A ticket in scope, locked for the change that follows. */
export const findTicket = (db: Db, id: string) =>
  db
    .selectFrom('repair_ticket')
    .select(['id', 'ticket_no', 'organise_id', 'agent_id', 'site_id', 'device_no', 'alarm_id', 'assignee_id'])
    .select(['result_picture_ids', healthy.as('healthy')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const readPlace = (db: Db, id: string) =>
  db.selectFrom('repair_ticket').select(['organise_id', 'agent_id', 'site_id']).where('id', '=', id).executeTakeFirst()

export const findDevice = (db: Db, deviceNo: string) =>
  db
    .selectFrom('device')
    .select(['id', 'organise_id', 'agent_id', 'site_id', 'device_no', 'port_count'])
    .where('device_no', '=', deviceNo)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const findAlarm = (db: Db, id: string, deviceId: string) =>
  db
    .selectFrom('alarm')
    .select(['id', 'status', sql<AlarmKindCode>`kind`.as('kind')])
    .where('id', '=', id)
    .where('device_id', '=', deviceId)
    .forUpdate()
    .executeTakeFirst()

/** Opening a ticket acknowledges the alarm. */
export async function acknowledgeAlarm(db: Db, id: string, by: string): Promise<void> {
  await db
    .updateTable('alarm')
    .set({ status: alarmFlow.to('acknowledge'), acknowledged_by: by, acknowledged_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('status', '=', sql<number>`any(${alarmFlow.from('acknowledge')})`)
    .execute()
}

export async function closeAlarm(db: Db, id: string, by: string, reason: string): Promise<void> {
  await db
    .updateTable('alarm')
    .set({ status: alarmFlow.to('close'), closed_by: by, closed_at: sql<string>`now()`, close_reason: reason })
    .where('id', '=', id)
    .where('status', '=', sql<number>`any(${alarmFlow.from('close')})`)
    .execute()
}

type Person = {
  id: string
  name: string
  userType: 1 | 2 | 3 | 4
  organise_id: string
  agent_id: string | null
  site_id: string | null
}
type Place = { organise_id: string; agent_id: string | null; site_id: string | null }

const mostPeople = 50

/** Users who see the place and hold the menu of tickets; installers first. */
export async function peopleFor(
  db: Db,
  scope: Scope,
  place: Place,
  { keyword, id }: { keyword?: string | undefined; id?: string },
): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select id, name, user_type as "userType", organise_id, agent_id, site_id from user_account person
    where organise_id = ${place.organise_id} and status = 1 and deleted_at is null
      and ${keyword === undefined ? sql`true` : sql`name like ${containing(keyword)}`}
      and ${id === undefined ? sql`true` : sql`id = ${id}`}
      and case when person.site_id is not null then person.site_id = ${place.site_id}::bigint
        when person.agent_id is not null then ${place.agent_id}::bigint = any(app.agents_below(person.agent_id)) else true end
    order by user_type = ${userType.code.installer} desc, name, id limit ${mostPeople * 4}`.execute(db)
  const people = rows.map((person) => person.id)
  const holders = await holdersOf(db, scope, menuKey.repairTicket, people)
  return rows.filter((person) => holders.has(person.id)).slice(0, mostPeople)
}

export async function assign(db: Db, id: string, to: string, by: string): Promise<boolean> {
  const changed = await db
    .updateTable('repair_ticket')
    .set({ status: repairFlow.to('assign'), assignee_id: to, assigned_by: by, assigned_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('status', '=', sql<number>`any(${repairFlow.from('assign')})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

type Ending = { result?: string; parts?: string | null; reason?: string | null; result_picture_ids?: string[] }
export async function complete(db: Db, id: string, by: string, ending: Ending): Promise<boolean> {
  const changed = await db
    .updateTable('repair_ticket')
    .set({ ...ending, status: repairFlow.to('complete'), completed_by: by, completed_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('status', '=', sql<number>`any(${repairFlow.from('complete')})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}
