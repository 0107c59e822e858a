import type { LiveEvent } from '@wattdeck/contract/auth/notification.ts'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'

/** Tenant of the receiver. Callers may pass the whole row of a person. */
type Place = { organise_id: string; agent_id: string | null; site_id: string | null }

type Receiver = Place & { userId: string }
export type NewNotice = { type: 0 | 1 | 2 | 3 | 4 | 5 | 6; title: string; body: string; route?: string }

/** Publishes an event to the consoles of one person after the commit (outbox). */
export const publishLive = (db: Db, place: Place, userId: string, event: LiveEvent): Promise<void> =>
  publishLiveToMany(db, [{ ...place, userId }], () => event)

/** As `publishLive` for many receivers, in one statement. */
export async function publishLiveToMany<R extends Receiver>(
  db: Db,
  receivers: readonly R[],
  eventFor: (receiver: R) => LiveEvent,
): Promise<void> {
  if (receivers.length === 0) return
  const subjects = receivers.map(({ organise_id, userId }) => `live.${organise_id}.user.${userId}`)
  const payloads = receivers.map((receiver) => JSON.stringify(eventFor(receiver)))
  const { organises, agents, sites } = placesOf(receivers)
  await sql`insert into outbox (organise_id, agent_id, site_id, subject, payload)
    select * from unnest(${organises}::bigint[], ${agents}::bigint[], ${sites}::bigint[], ${subjects}::text[], ${payloads}::jsonb[])`.execute(
    db,
  )
}

/** Events for a whole organisation. A 'changed' event carries no rows: the console reads the list in its own scope. */
type CommonEvent = Extract<LiveEvent, { kind: 'changed' | 'job' }>

/** Publishes an event to every console of an organisation and of the platform after the commit. */
export async function publishToOrganisation(db: Db, place: Place, event: CommonEvent): Promise<void> {
  const { organise_id, agent_id, site_id } = place
  await db
    .insertInto('outbox')
    .values({ organise_id, agent_id, site_id, subject: `live.${organise_id}.all`, payload: JSON.stringify(event) })
    .execute()
}

/** Stores a notice in the person's drawer and shows it on their open consoles. */
export const notify = (db: Db, to: Receiver, notice: NewNotice): Promise<void> => notifyAll(db, [to], notice)

/** Sends the same notice to many receivers, in two statements. */
export async function notifyAll(db: Db, receivers: readonly Receiver[], notice: NewNotice): Promise<void> {
  if (receivers.length === 0) return
  const { type, title, body, route = null } = notice
  const { organises, agents, sites } = placesOf(receivers)
  const users = receivers.map(({ userId }) => userId)
  const { rows } = await sql<{ id: string; userId: string; createdAt: string }>`
    insert into notification (organise_id, agent_id, site_id, user_id, type, title, body, route)
    select place.*, ${type}::smallint, ${title}::text, ${body}::text, ${route}::text
    from unnest(${organises}::bigint[], ${agents}::bigint[], ${sites}::bigint[], ${users}::bigint[]) as place
    returning id, user_id as "userId", created_at as "createdAt"`.execute(db)
  const rowsByUser = new Map(rows.map((row) => [row.userId, row]))
  await publishLiveToMany(db, receivers, ({ userId }) => {
    const row = rowsByUser.get(userId)
    if (row === undefined) throw new Error('a notification was not stored')
    const { id, createdAt } = row
    return { kind: 'notice', notice: { id, type, title, body, route, createdAt, read: false } }
  })
}

/** Publishes an event to the consoles of the organisation's people with an open session only. */
export async function publishToPeopleOf(db: Db, organiseId: string, event: LiveEvent): Promise<void> {
  await sql`insert into outbox (organise_id, agent_id, site_id, subject, payload)
    select distinct organise_id, agent_id, site_id, 'live.' || organise_id || '.user.' || user_id, ${JSON.stringify(event)}::jsonb
    from session where organise_id = ${organiseId} and ended_at is null and created_at > now() - interval '12 hours'`.execute(
    db,
  )
}

/** Notifies the organisation's own people, not those of its agents and sites. */
export async function notifyOrganise(db: Db, organiseId: string, notice: NewNotice): Promise<void> {
  const people = await db
    .selectFrom('user_account')
    .select(['organise_id', 'agent_id', 'site_id', 'id as userId'])
    .where('organise_id', '=', organiseId)
    .where('agent_id', 'is', null)
    .where('site_id', 'is', null)
    .where('status', '=', 1)
    .where('deleted_at', 'is', null)
    .execute()
  await notifyAll(db, people, notice)
}

const placesOf = (places: readonly Place[]) => ({
  organises: places.map((place) => place.organise_id),
  agents: places.map((place) => place.agent_id),
  sites: places.map((place) => place.site_id),
})
