import type { Db } from '../../../kit/db/db.ts'

/** The regions directly below `parent`, or the provinces. */
export const childrenOf = (db: Db, parent: string | undefined) =>
  db
    .selectFrom('region')
    .select((row) => [
      'adcode',
      'name',
      'level',
      'lng',
      'lat',
      'approximate',
      row
        .not(
          row.exists(
            row
              .selectFrom('region as below')
              .select('below.adcode')
              .whereRef('below.parent_adcode', '=', 'region.adcode'),
          ),
        )
        .as('leaf'),
    ])
    .where('parent_adcode', parent === undefined ? 'is' : '=', parent ?? null)
    .orderBy('sort')
    .$narrowType<{ leaf: boolean }>()
    .execute()
