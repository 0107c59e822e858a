import { basicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { type Handlers, prepared } from '../../../kit/http/handlers.ts'
import { readPicture } from '../../../kit/files/pictures.ts'
import { invalid, orNotFound } from '../../../kit/http/refusal.ts'
import * as store from './basic-info.store.ts'

const square = { width: 256, height: 256, fit: 'cover' } as const

const basicInfoHandlers: Handlers<typeof basicInfo> = {
  read: async ({ db, actor }) => {
    return orNotFound(await store.readBasicInfo(db, actor.userId))
  },

  edit: async ({ db, actor, body }) => {
    await store.editBasicInfo(db, actor.userId, {
      name: body.name,
      email: body.email ?? null,
      address: body.address ?? null,
    })
    return null
  },

  saveAppearance: async ({ db, actor, body }) => {
    await store.saveAppearance(db, actor.userId, body)
    return null
  },

  uploadAvatar: prepared({
    prepare: async ({ file }) => {
      if (file === undefined) throw invalid('请选择文件')
      return (await readPicture(file.bytes, square)).bytes
    },
    handle: async ({ db, actor }, avatar) => {
      await store.saveAvatar(db, actor.userId, avatar)
      return { avatar: store.dataUrl(avatar) }
    },
  }),
}

export const basicInfoFeature = defineFeature(basicInfo, basicInfoHandlers)
