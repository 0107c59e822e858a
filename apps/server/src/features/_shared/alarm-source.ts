import type { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import { beginsWith } from '../../kit/db/keyword.ts'
import type { Condition, Source } from '../../kit/db/list-query.ts'
import { withinOrganise } from '../../kit/db/ownership.ts'

type AlarmFilter = Partial<QueryOf<typeof alarmCenter.list>> & { deviceId?: string }

const same = (column: string, value: string | undefined): Condition[] =>
  value === undefined ? [] : [sql<boolean>`${sql.ref(`alarm.${column}`)} = ${value}`]

/** The current region of the device, not the region at the time of the alarm. */
function regionOf({ provinceCode, cityCode, districtCode }: AlarmFilter): Condition[] {
  const codes = { province_code: provinceCode, city_code: cityCode, district_code: districtCode }
  const given = Object.entries(codes).filter(([, code]) => code !== undefined)
  if (given.length === 0) return []
  const conditions = given.map(([column, code]) => sql`${sql.ref(`place.${column}`)} = ${code}`)
  return [
    sql<boolean>`exists (select from device place where place.id = alarm.device_id and ${sql.join(conditions, sql` and `)})`,
  ]
}

/** Reads the newest ticket: an alarm can have another ticket after one that was closed without a repair. */
const ofTicket = (column: string) =>
  sql`(select ${sql.ref(column)} from repair_ticket where repair_ticket.alarm_id = alarm.id order by id desc limit 1)`

/**
 * Sort order: open alarms by severity, then oldest first; closed alarms newest first. Matches the expressions of the
 * indexes alarm_worst and alarm_worst_of_all.
 */
const worstFirst = [
  sql`(case when alarm.status < 3 then 4 - alarm.severity else 0 end)`,
  sql`(case when alarm.status < 3 then 999999999999999999 - alarm.id else alarm.id end)`,
]

/** The common source of all alarm lists. */
export const alarmSource: Source = {
  table: 'alarm',
  rank: worstFirst,
  plansByValues: true,
  computed: {
    deviceName: sql`(select name from device where device.id = alarm.device_id)`,
    portNo: sql`nullif(alarm.port_no, 0)`,
    ticketId: ofTicket('id'),
    ticketNo: ofTicket('ticket_no'),
    attempts: sql`(select count(*)::int from alarm_attempt where alarm_attempt.alarm_id = alarm.id)`,
  },
  own: (filter: AlarmFilter, { scope }) => [
    ...withinOrganise('alarm', scope),
    ...same('device_id', filter.deviceId),
    ...same('incident_id', filter.incidentId),
    ...same('id', filter.alarmId),
    ...(filter.unclosed === undefined ? [] : [sql<boolean>`alarm.status < 3`]),
    ...(filter.keyword === undefined ? [] : [beginsWith('alarm.device_no', filter.keyword)]),
    ...regionOf(filter),
  ],
}
