import type { BodyOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { HelpDocument, helpDocument, HelpDocumentEntry } from '@wattdeck/contract/system/help-document.ts'
import { helpDocumentStatus } from '@wattdeck/contract/system/help-document.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { containing } from '../../../kit/db/paging.ts'

const { published } = helpDocumentStatus.code
const mostListed = 500
const entryColumns = ['id', 'type', 'title', 'screen', 'status', 'updated_at as updatedAt'] as const

type Reader = { userId: string; mayEdit: boolean }

const visible = (db: Db, mayEdit: boolean) =>
  db
    .selectFrom('help_document')
    .where('deleted_at', 'is', null)
    .$if(!mayEdit, (query) => query.where('status', '=', published))

const [before, length] = [24, 90]

/** The text around the keyword, without markup; dots mark where it was cut. */
const excerptOf = (keyword: string) => sql<string | null>`(
  select case when at > 0 then concat(
    case when at > ${before}::int then '…' end,
    btrim(regexp_replace(regexp_replace(substring(body from greatest(at - ${before}::int, 1) for ${length}::int),
      '[*\`]', '', 'g'), '[#|>\\s]+|-{2,}', ' ', 'g')),
    case when length(body) > greatest(at - ${before}::int, 1) + ${length}::int then '…' end) end
  from (select strpos(lower(body), lower(${keyword})) as at) found)`

/** In the order of the tree; matches in the title come first. */
export async function listDocuments(
  db: Db,
  { keyword = '', type, screen, mayEdit }: QueryOf<typeof helpDocument.list> & { mayEdit: boolean },
): Promise<HelpDocumentEntry[]> {
  const pattern = containing(keyword)
  return visible(db, mayEdit)
    .select([...entryColumns, keyword === '' ? sql<null>`null`.as('excerpt') : excerptOf(keyword).as('excerpt')])
    .$if(keyword !== '', (query) =>
      query
        .where((eb) => eb.or([eb('title', 'ilike', pattern), eb('body', 'ilike', pattern)]))
        .orderBy(sql`title ilike ${pattern}`, 'desc'),
    )
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? 0))
    .$if(screen !== undefined, (query) => query.where('screen', '=', screen ?? ''))
    .orderBy('type')
    .orderBy('sort')
    .orderBy('id')
    .limit(mostListed)
    .$castTo<HelpDocumentEntry>()
    .execute()
}

export async function readDocument(db: Db, id: string, reader: Reader): Promise<HelpDocument | undefined> {
  const row = await visible(db, reader.mayEdit)
    .select([...entryColumns, 'body'])
    .select((eb) =>
      eb
        .selectFrom('help_feedback')
        .select('helpful')
        .whereRef('document_id', '=', 'help_document.id')
        .where('user_id', '=', reader.userId)
        .as('helpful'),
    )
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { ...row, opinions: reader.mayEdit ? await countOpinions(db, id) : null } as HelpDocument
}

/** Counts over all organisations: only the scope of the platform sees every opinion. */
async function countOpinions(db: Db, id: string) {
  const { helpful, all } = await db
    .selectFrom('help_feedback')
    .select([sql<number>`count(*) filter (where helpful)::int`.as('helpful'), sql<number>`count(*)::int`.as('all')])
    .where('document_id', '=', id)
    .executeTakeFirstOrThrow()
  return { helpful, notHelpful: all - helpful }
}

export async function isPublished(db: Db, id: string): Promise<boolean> {
  return (await visible(db, false).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

type Opinion = {
  place: { organise_id: string; agent_id: string | null; site_id: string | null }
  documentId: string
  userId: string
  helpful: boolean
}

export async function saveOpinion(db: Db, { place, documentId, userId, helpful }: Opinion): Promise<void> {
  await db
    .insertInto('help_feedback')
    .values({ ...place, document_id: documentId, user_id: userId, helpful })
    .onConflict((clash) => clash.columns(['document_id', 'user_id']).doUpdateSet({ helpful }))
    .execute()
}

const lastPlace = (type: number) =>
  sql<number>`(select coalesce(max(other.sort), 0) + 1 from help_document other where other.type = ${type})`

export async function addDocument(
  db: Db,
  { type, title, body, screen, createdBy }: BodyOf<typeof helpDocument.add> & { createdBy: string },
): Promise<string> {
  const row = await db
    .insertInto('help_document')
    .values({ type, title, body, screen: screen ?? null, sort: lastPlace(type), created_by: createdBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Locked for the change that follows. */
export const findDocument = (db: Db, id: string) =>
  db
    .selectFrom('help_document')
    .select(['id', 'type'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** With another type the document goes to the end of that type. */
export async function editDocument(
  db: Db,
  { id, type, title, body, screen }: BodyOf<typeof helpDocument.edit>,
): Promise<void> {
  await db
    .updateTable('help_document')
    .set({
      type,
      title,
      body,
      screen: screen ?? null,
      sort: sql<number>`case when type = ${type} then sort else ${lastPlace(type)} end`,
    })
    .where('id', '=', id)
    .execute()
}

/** The documents of one type in the order of the tree, locked so that concurrent moves cannot mix. */
export async function idsOfType(db: Db, type: number): Promise<string[]> {
  const rows = await db
    .selectFrom('help_document')
    .select('id')
    .where('type', '=', type)
    .where('deleted_at', 'is', null)
    .orderBy('sort')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => row.id)
}

export async function removeDocument(db: Db, id: string): Promise<boolean> {
  const changed = await db
    .updateTable('help_document')
    .set({ deleted_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}
