import { randomUUID } from 'node:crypto'
import type { Actor } from '../auth/actor.ts'
import type { Db } from '../db/db.ts'
import { invalid } from '../http/refusal.ts'

export type FileKind = 'picture' | 'import' | 'export'
type Place = { organise_id: string; agent_id: string | null; site_id: string | null }

/** A random key of a new object, never derived from the name of the upload. */
export const newObjectKey = (kind: FileKind, organiseId: string) => `${kind}/${organiseId}/${randomUUID()}`

type NewFile = {
  place: Place
  userId: string | null
  createdBy: string | null
  kind: FileKind
  objectKey: string
  name: string
  type: string
  bytes: number
  sha256: string | null
  width?: number
  height?: number
}

/** Records an object that is already in the storage. */
export async function addStoredFile(db: Db, file: NewFile): Promise<string> {
  const row = await db
    .insertInto('stored_file')
    .values({
      ...file.place,
      user_id: file.userId,
      created_by: file.createdBy,
      kind: file.kind,
      object_key: file.objectKey,
      name: file.name,
      type: file.type,
      bytes: file.bytes,
      sha256: file.sha256,
      width: file.width ?? null,
      height: file.height ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** As `swapPicture`, for a record with several pictures. */
export async function swapPictures(
  db: Db,
  actor: Actor,
  from: readonly string[],
  to: readonly string[],
  place: Place,
): Promise<void> {
  for (const id of to) if (!from.includes(id)) await swapPicture(db, actor, { from: null, to: id, place })
  for (const id of from) if (!to.includes(id)) await swapPicture(db, actor, { from: id, to: null, place })
}

type Swap = { from: string | null; to: string | null; place: Place }

/**
 * Call it wherever a record with a picture is saved. The new picture is attached and gets the tenant of the record. The old
 * one is detached and removed by the next housekeeping. Only an unattached upload of the same person is accepted.
 */
export async function swapPicture(db: Db, actor: Actor, { from, to, place }: Swap): Promise<void> {
  if (from === to) return
  if (to !== null) {
    const result = await db
      .updateTable('stored_file')
      // A person of the platform may save a record of an organisation in which they have no account.
      .set({ ...place, user_id: place.organise_id === actor.organiseId ? actor.userId : null, attached: true })
      .where('id', '=', to)
      .where('kind', '=', 'picture')
      .where('user_id', '=', actor.userId)
      .where('attached', '=', false)
      .executeTakeFirst()
    if (result.numUpdatedRows !== 1n) throw invalid('图片已失效，请重新上传')
  }
  if (from !== null) await db.updateTable('stored_file').set({ attached: false }).where('id', '=', from).execute()
}
