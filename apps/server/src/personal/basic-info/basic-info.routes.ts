import type { basicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import sharp from 'sharp'
import type { Handlers } from '../../kit/handlers.ts'
import { invalid, notFound } from '../../kit/refusal.ts'
import * as store from './basic-info.store.ts'

const side = 256
const maxPixels = 40_000_000

export const basicInfoHandlers: Handlers<typeof basicInfo> = {
  read: async ({ db, scope, actor }) => {
    const info = await store.readBasicInfo(db, scope, actor.userId)
    if (info === undefined) throw notFound()
    return info
  },

  edit: async ({ db, scope, actor, body }) => {
    await store.editBasicInfo(db, scope, actor.userId, {
      name: body.name,
      email: body.email ?? null,
      address: body.address ?? null,
    })
    return null
  },

  saveAppearance: async ({ db, scope, actor, body }) => {
    await store.saveAppearance(db, scope, actor.userId, body)
    return null
  },

  uploadAvatar: async ({ db, scope, actor, file }) => {
    if (file === undefined) throw invalid('请选择文件')
    const avatar = await squared(file.bytes)
    await store.saveAvatar(db, scope, actor.userId, avatar)
    return { avatar: store.dataUrl(avatar) }
  },
}

/** Encoded anew from its pixels: whatever else was in the file does not survive. Its own bytes tell what it is, not its name. */
async function squared(bytes: Buffer): Promise<Buffer> {
  const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
  const { format } = await picture.metadata().catch(() => ({ format: undefined }))
  if (format !== 'jpeg' && format !== 'png') throw invalid('仅支持 JPG、PNG 格式')
  return picture
    .rotate()
    .resize(side, side, { fit: 'cover' })
    .webp({ quality: 80 })
    .toBuffer()
    .catch(() => {
      throw invalid('图片已损坏，请更换')
    })
}
