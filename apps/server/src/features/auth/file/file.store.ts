import type { FileReply } from '@wattdeck/contract/kit/route.ts'
import type { Db } from '../../../kit/db/db.ts'

/**
 * Everyone whose scope contains the record can read its picture. Sheets and unattached files are for their creator
 * only.
 */
export const findFile = (db: Db, id: string, userId: string): Promise<FileReply | undefined> =>
  db
    .selectFrom('stored_file')
    .select(['object_key as key', 'name', 'type'])
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('user_id', '=', userId),
        where.and([where('kind', '=', 'picture'), where('attached', '=', true)]),
      ]),
    )
    .executeTakeFirst()
