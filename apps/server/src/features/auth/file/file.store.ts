import type { FileReply } from '@wattdeck/contract/kit/route.ts'
import type { Db } from '../../../kit/db/db.ts'

/** Pictures are for everybody in whose scope their record is. Sheets, and what nobody has taken over yet, only for their maker. */
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
