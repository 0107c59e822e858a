import { randomUUID } from 'node:crypto'
import type { Actor } from '../auth/actor.ts'
import type { Db } from '../db/db.ts'
import { invalid } from '../http/refusal.ts'

export type FileKind = 'picture' | 'import' | 'export'
type Place = { organise_id: string; agent_id: string | null; site_id: string | null }

/** Where an object lies. By chance, never by the name somebody gave it. */
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

/** Writes down an object that is in storage already. */
export async function addStoredFile(db: Db, file: NewFile): Promise<string> {
  const made = await db
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
  return made.id
}

/** The same for a record with several pictures. */
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
 * Call it wherever a record with a picture is saved: the new picture is kept and belongs where the record belongs, the
 * old one is given up and goes with the next housekeeping. Only a picture that the person has just uploaded can be taken.
 */
export async function swapPicture(db: Db, actor: Actor, { from, to, place }: Swap): Promise<void> {
  if (from === to) return
  if (to !== null) {
    const taken = await db
      .updateTable('stored_file')
      // A person of the platform may save a record of an organisation, where that person has no account.
      .set({ ...place, user_id: place.organise_id === actor.organiseId ? actor.userId : null, attached: true })
      .where('id', '=', to)
      .where('kind', '=', 'picture')
      .where('user_id', '=', actor.userId)
      .where('attached', '=', false)
      .executeTakeFirst()
    if (taken.numUpdatedRows !== 1n) throw invalid('图片已失效，请重新上传')
  }
  if (from !== null) await db.updateTable('stored_file').set({ attached: false }).where('id', '=', from).execute()
}
