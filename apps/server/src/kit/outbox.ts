import type { LiveEvent } from '@wattdeck/contract/session/notification.ts'
import type { Db } from './db.ts'

/** Where the receiver stands; callers may pass the whole row of a person. */
type Place = { organise_id: string; agent_id: string | null; site_id: string | null }

/** Says something to the consoles of one person, once the transaction has committed. */
export async function tell(db: Db, place: Place, userId: string, event: LiveEvent): Promise<void> {
  await db
    .insertInto('outbox')
    .values({ ...placed(place), subject: `live.${place.organise_id}.user.${userId}`, payload: JSON.stringify(event) })
    .execute()
}

/** A notice that stays in the person's drawer and pops up where they are. */
export async function notify(
  db: Db,
  to: Place & { userId: string },
  notice: { type: 0 | 1 | 2 | 3 | 4 | 5 | 6; title: string; body: string; route?: string },
): Promise<void> {
  const { userId } = to
  const made = await db
    .insertInto('notification')
    .values({
      ...placed(to),
      user_id: userId,
      type: notice.type,
      title: notice.title,
      body: notice.body,
      route: notice.route ?? null,
    })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
  await tell(db, to, userId, {
    kind: 'notice',
    notice: {
      id: made.id,
      type: notice.type,
      title: notice.title,
      body: notice.body,
      route: notice.route ?? null,
      createdAt: made.created_at,
      read: false,
    },
  })
}

const placed = ({ organise_id, agent_id, site_id }: Place) => ({ organise_id, agent_id, site_id })
