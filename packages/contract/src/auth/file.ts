import { z } from 'zod'
import { asFile, get, post } from '../kit/route.ts'
import { id, row } from '../kit/wire.ts'

/** A picture as it was stored: encoded anew, so bytes and size differ from what was sent. */
export type StoredPicture = z.infer<typeof StoredPicture>
export const StoredPicture = row({
  id: z.string(),
  name: z.string(),
  bytes: z.int(),
  width: z.int(),
  height: z.int(),
})

export const file = {
  /** One JPG, PNG or WebP of at most 800 KB in the field 'file'. It is removed after a day unless a record takes it over. */
  uploadPicture: post('/seeker/api/file/picture', {
    access: 'anyone',
    audit: { module: '文件', does: '上传图片' },
    encoding: 'multipart',
    data: StoredPicture,
  }),
  /** A picture that a record in scope has taken over, or any file of one's own. */
  content: get('/seeker/api/file/{id}', { access: 'anyone', params: row({ id }), ...asFile }),
}
