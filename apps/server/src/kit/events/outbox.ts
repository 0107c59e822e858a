import type { LiveEvent } from '@wattdeck/contract/auth/notification.ts'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'

/** Where the receiver stands; callers may pass the whole row of a person. */
type Place = { organise_id: string; agent_id: string | null; site_id: string | null }

type Receiver = Place & { userId: string }
export type NewNotice = { type: 0 | 1 | 2 | 3 | 4 | 5 | 6; title: string; body: string; route?: string }

/** Says something to the consoles of one person, once the transaction has committed. */
export const publishLive = (db: Db, place: Place, userId: string, event: LiveEvent): Promise<void> =>
  publishLiveToMany(db, [{ ...place, userId }], () => event)

/** The same for many, in one statement. */
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

/** What a whole organisation may hear. Who is told nothing but 'changed' reads the list, and sees what is theirs. */
type CommonEvent = Extract<LiveEvent, { kind: 'changed' | 'job' }>

/** Says something to every console of an organisation and of the platform, once the transaction has committed. */
export async function publishToOrganisation(db: Db, place: Place, event: CommonEvent): Promise<void> {
  const { organise_id, agent_id, site_id } = place
  await db
    .insertInto('outbox')
    .values({ organise_id, agent_id, site_id, subject: `live.${organise_id}.all`, payload: JSON.stringify(event) })
    .execute()
}

/** A notice that stays in the person's drawer and pops up where they are. */
export const notify = (db: Db, to: Receiver, notice: NewNotice): Promise<void> => notifyAll(db, [to], notice)

/** The same notice for many, in two statements however many they are. */
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
  const made = new Map(rows.map((row) => [row.userId, row]))
  await publishLiveToMany(db, receivers, ({ userId }) => {
    const row = made.get(userId)
    if (row === undefined) throw new Error('a notice was not stored')
    const { id, createdAt } = row
    return { kind: 'notice', notice: { id, type, title, body, route, createdAt, read: false } }
  })
}

/** Says something to each console that somebody of the organisation may have open, and to nobody else. */
export async function publishToPeopleOf(db: Db, organiseId: string, event: LiveEvent): Promise<void> {
  await sql`insert into outbox (organise_id, agent_id, site_id, subject, payload)
    select distinct organise_id, agent_id, site_id, 'live.' || organise_id || '.user.' || user_id, ${JSON.stringify(event)}::jsonb
    from session where organise_id = ${organiseId} and ended_at is null and created_at > now() - interval '12 hours'`.execute(
    db,
  )
}

/** A notice to the organisation's own people; those of its agents and sites have no part in its affairs. */
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
