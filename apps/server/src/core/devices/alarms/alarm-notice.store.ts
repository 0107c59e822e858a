import type { AlarmKindCode } from '@wattdeck/contract/product/alarm-codes.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

/** A user with access to the alarm centre, and the agents in the user's scope. */
export type AlarmReader = {
  userId: string
  organise_id: string
  agent_id: string | null
  site_id: string | null
  userType: 1 | 2 | 3 | 4
  phone: string
  agentIds: string[]
}
export type NewAlarm = {
  id: string
  kind: AlarmKindCode
  severity: number
  agentId: string | null
  siteId: string | null
}

/**
 * Whether to notify the organisation about alarms now: at most once a minute, and at once for critical alarms. This
 * throttle prevents three hundred notices for three hundred devices that go offline.
 */
export async function isNotificationDue(db: Db, organiseId: string): Promise<boolean> {
  const { rows } = await sql`
    select from alarm
    where organise_id = ${organiseId}
      and status < 3
      and told_at is null
    having bool_or(severity = 1)
      or count(*) > 0 and not exists (
        select from alarm recent where recent.organise_id = ${organiseId} and recent.told_at > now() - interval '1 minute'
      )`.execute(db)
  return rows.length > 0
}

/** Marks new alarms as notified and returns them. */
export async function claimNewAlarms(db: Db, organiseId: string): Promise<NewAlarm[]> {
  const { rows } = await sql<NewAlarm>`update alarm set told_at = now()
    where organise_id = ${organiseId} and status < 3 and told_at is null
    returning id, kind, severity, agent_id as "agentId", site_id as "siteId"`.execute(db)
  return rows
}

export async function readersOf(db: Db, organiseId: string): Promise<AlarmReader[]> {
  const { rows } = await sql<AlarmReader>`
    select id as "userId", organise_id, agent_id, site_id, user_type as "userType", phone,
      case when agent_id is null then '{}' else app.agents_below(agent_id) end::text[] as "agentIds"
    from user_account where organise_id = ${organiseId} and status = 1 and deleted_at is null
      and app.user_rights(id) -> 'menuKeys' ? ${menuKey.alarmCenter}`.execute(db)
  return rows
}

const smsTemplate = 'SMS_ALARM'

/** Adds text messages, unless the user got one within five minutes. Returns the ids to send. */
export async function writeTexts(db: Db, to: readonly AlarmReader[], summary: string): Promise<string[]> {
  if (to.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    insert into sms_message (organise_id, agent_id, site_id, phone, template, params)
    select u.organise_id, u.agent_id, u.site_id, u.phone, ${smsTemplate}, ${JSON.stringify({ summary })}::jsonb
    from unnest(${to.map((one) => one.organise_id)}::bigint[], ${to.map((one) => one.agent_id)}::bigint[],
      ${to.map((one) => one.site_id)}::bigint[], ${to.map((one) => one.phone)}::text[]) as u (organise_id, agent_id, site_id, phone)
    where not exists (select from sms_message sent where sent.phone = u.phone and sent.template = ${smsTemplate}
      and sent.created_at > now() - interval '5 minutes')
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}
