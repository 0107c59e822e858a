import { z } from 'zod'
import { asFile, get, post } from '../kit/route.ts'
import { id, row } from '../kit/wire.ts'

/** A stored picture is re-encoded, so its bytes and size differ from the upload. */
export type StoredPicture = z.infer<typeof StoredPicture>
export const StoredPicture = row({
  id: z.string(),
  name: z.string(),
  bytes: z.int(),
  width: z.int(),
  height: z.int(),
})

export const file = {
  /**
   * One JPG, PNG or WebP of at most 800 KB in the field 'file'. It is deleted after a day unless a record references
   * it.
   */
  uploadPicture: post('/seeker/api/file/picture', {
    access: 'anyone',
    audit: { module: '文件', does: '上传图片' },
    encoding: 'multipart',
    data: StoredPicture,
  }),
  /** A picture referenced by a record in scope, or any own file. */
  content: get('/seeker/api/file/{id}', { access: 'anyone', params: row({ id }), ...asFile }),
}
